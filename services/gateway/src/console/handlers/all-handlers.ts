// Every handler of the console by name; routes.ts maps the paths to them.
import type { Console } from '../console-context.js'
import { createAccountHandlers } from './account.js'
import { createApplicationHandlers } from './application.js'
import { createContractHandlers } from './contract.js'
import { createHomeHandler } from './home.js'
import { createKeyHandlers } from './key.js'
import { createOperatorHandlers } from './operator.js'
import { createReplyHandlers } from './reply-mailbox.js'
import { createSignInHandlers } from './sign-in.js'
import { createUsageHandlers } from './usage.js'

export const createHandlers = (deps: Console, settings: { mayTry: boolean }) => ({
  ...createHomeHandler(),
  ...createSignInHandlers(deps),
  ...createApplicationHandlers(deps, settings),
  ...createKeyHandlers(deps),
  ...createUsageHandlers(deps),
  ...createContractHandlers(deps),
  ...createAccountHandlers(deps),
  ...createReplyHandlers(deps),
  ...createOperatorHandlers(deps),
})
