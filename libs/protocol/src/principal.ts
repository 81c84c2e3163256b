// The claims of a service token: on whose behalf a service calls another. [D45, D47]
import { z } from 'zod'
import { ENVIRONMENTS } from './environment.js'
import { SCOPES } from './scope.js'
import { nameError } from './text-rules.js'

export const MAIL_LANGUAGES = ['en', 'fr', 'en+fr'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/** Account data that services copy when they create something for the account, and never look up later. [D47] */
const accountDataSchema = z.object({
  /** Approved by the operator; owners cannot change the name. [D36] */
  name: z.string(),
  /** The sender name of a contract that does not set its own. [D23] */
  senderName: z.string(),
  language: z.enum(MAIL_LANGUAGES),
  timeZone: z.string(),
  replyAddress: z.string().nullable(),
  /** Whether a party that declines cancels the contract. [D57] */
  cancelsOnDecline: z.boolean(),
  /** Whether parties are reminded before a contract expires. [D58] */
  remindsParties: z.boolean(),
})
export type AccountData = z.infer<typeof accountDataSchema>

/** The account behind a call; absent for page requests and for calls that a service makes for itself. */
export const principalSchema = z.object({
  accountId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  scopes: z.array(z.enum(SCOPES)),
  account: accountDataSchema,
})
export type Principal = z.infer<typeof principalSchema>

const OPERATOR_NAME_LENGTH_MAX = 64

/** The name that a person on the command line states; a claim, because everybody there has the same key. [P36] */
export const operatorNameSchema = z
  .string()
  .trim()
  .superRefine((name, context) => {
    const error = nameError(name, OPERATOR_NAME_LENGTH_MAX)
    if (error) context.addIssue({ code: 'custom', message: `the name of the operator ${error}.` })
  })

/** Lifetime of a service token. [D45] */
export const SERVICE_TOKEN_TTL_SECONDS = 60
