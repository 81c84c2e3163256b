// Every step of the console by name; routes.ts says which address each answers.
import type { Console } from '../console.js'
import { createAccountSteps } from './account-steps.js'
import { createApplicationSteps } from './application-steps.js'
import { createContractSteps } from './contract-steps.js'
import { createHomeStep } from './home-step.js'
import { createKeySteps } from './key-steps.js'
import { createOperatorSteps } from './operator-steps.js'
import { createReplySteps } from './reply-steps.js'
import { createSignInSteps } from './sign-in-steps.js'
import { createUsageSteps } from './usage-steps.js'

export const createSteps = (parts: Console, settings: { mayTry: boolean }) => ({
  ...createHomeStep(),
  ...createSignInSteps(parts),
  ...createApplicationSteps(parts, settings),
  ...createKeySteps(parts),
  ...createUsageSteps(parts),
  ...createContractSteps(parts),
  ...createAccountSteps(parts),
  ...createReplySteps(parts),
  ...createOperatorSteps(parts),
})
