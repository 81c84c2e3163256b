// What the steps of the ceremony share: their parts, and what each knows of its request.
import type { Context } from 'koa'
import type { Kysely } from 'kysely'
import type { Clock } from '@paraph/service/store-clock'
import type { CeremonyCookies } from '@paraph/web/cookies'
import type { FormTokens } from '@paraph/web/form-token'
import type { ContractClient } from './contract-client.js'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import type { KeptNames } from './kept-name.js'
import type { MailHealth } from './mail-health.js'
import type { PageProps } from './pages/ceremony-frame.js'
import type { Reports } from './report.js'
import type { Signing } from './sign.js'
import type { MailboxSession } from '@paraph/codes/mailbox-session'
import type { VerificationCodes } from './verification-code.js'

/** The parts that the steps are made of. */
export interface Ceremony {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  codes: VerificationCodes
  mail: Pick<MailHealth, 'isDelayed'>
  signing: Signing
  formTokens: FormTokens
  cookies: CeremonyCookies
  keptNames: KeptNames
  /** Host of the share links, for the page about cookies. */
  host: string
  https: boolean
  /** The operator's own status page, linked at the foot. */
  statusUrl: string | undefined
  /** Where the operator reads mail about misuse and personal data. */
  operatorAddress: string | undefined
  /** Whether the notification service mails the sealed PDF. [D24] */
  mailsCopies: boolean
  reports: Reports
  /** The store's clock. */
  now: Clock
  /** False when the browser names another site as the sender of the form. */
  isOwnForm: (ctx: Context) => boolean
}

/** What every step is told of its request. */
export interface CeremonyRequest {
  /** The share token, as it stood in the path. */
  token: string
  facts: ContractFacts
  page: PageProps
  session: MailboxSession | undefined
  /** By the store's clock, one instant for the whole request. */
  now: Date
  /** The account is suspended: nothing can be signed, whoever has signed can fetch the copy, and nobody is named. [D37] */
  onHold: boolean
  /** Named parts of the path. */
  parameters: Readonly<Record<string, string>>
}

/** Answers one path and method of the ceremony. */
export type Step = (ctx: Context, request: CeremonyRequest) => Promise<void>
