// The dependencies of the ceremony's handlers, and the request that each handler gets.
import type { Context } from 'koa'
import type { Kysely } from 'kysely'
import type { Clock } from '@paraph/background/store-clock'
import type { CeremonyCookies } from '@paraph/web/cookies'
import type { FormTokens } from '@paraph/web/form-token'
import type { ContractClient, ContractView } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import type { KeptNames } from './kept-name.js'
import type { MailHealth, VerificationCodes } from '../codes/verification-code.js'
import type { PageProps } from './pages/frame/ceremony-frame.js'
import type { Reports } from '../reports/report.js'
import type { Signing } from '../signature/sign.js'
import type { MailboxSession } from '@paraph/codes/mailbox-session'

export interface Ceremony {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  codes: VerificationCodes
  mail: Pick<MailHealth, 'isDelayed'>
  signing: Signing
  formTokens: FormTokens
  cookies: CeremonyCookies
  keptNames: KeptNames
  /** Host of the share links, named on the page about cookies. */
  host: string
  https: boolean
  /** The operator's status page, linked at the foot. */
  statusUrl: string | undefined
  /** The operator's address for mail about misuse and personal data. */
  operatorAddress: string | undefined
  /** Whether the notification service mails the sealed PDF. [D24] */
  mailsCopies: boolean
  reports: Reports
  /** The store's clock. */
  now: Clock
  /** False when the browser names another site as the sender of the form. */
  isOwnForm: (ctx: Context) => boolean
}

export interface CeremonyRequest {
  /** The share token from the path. */
  token: string
  view: ContractView
  page: PageProps
  session: MailboxSession | undefined
  /** The store's clock, read once for the whole request. */
  now: Date
  /** The account is suspended: nothing can be signed, a party who has signed can fetch the copy, and pages name nobody. [D37] */
  suspended: boolean
  /** Named parts of the path. */
  parameters: Readonly<Record<string, string>>
}

/** Answers one method and path of the ceremony. */
export type Handler = (ctx: Context, request: CeremonyRequest) => Promise<void>
