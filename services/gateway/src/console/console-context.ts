// The common types of the console's handlers: their dependencies and the shape of a request.
import type { Context } from 'koa'
import type { TRPCClient } from '@trpc/client'
import type { Kysely } from 'kysely'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import type { AccountRole } from '@paraph/protocol/account-role'
import type { Environment } from '@paraph/protocol/environment'
import { DomainError } from '@paraph/protocol/errors'
import type { Principal } from '@paraph/protocol/principal'
import { refusalOf } from '@paraph/rpc/link'
import type { RpcRouter as SigningRouter } from '@paraph/signing/rpc-router'
import type { Clock } from '@paraph/background/store-clock'
import type { browserCookie } from '@paraph/web/cookies'
import type { FormFields } from '@paraph/web/form-body'
import type { FormTokens } from '@paraph/web/form-token'
import type { Access } from '../accounts/access.js'
import type { AccountOwners, OwnedAccount } from '../accounts/account-owners.js'
import type { AccountRow, AccountStore } from '../accounts/account-store.js'
import type { ApplicationStore } from '../accounts/application-store.js'
import type { Billing } from '../billing/billing.js'
import type { BrandStore } from '../brand/brand-store.js'
import type { LogoReader } from '../brand/logo.js'
import type { GatewayDatabase } from '../database.js'
import type { KeyStore } from '../keys/key-store.js'
import type { UsageRecord } from '../usage/recorder.js'
import { clientAddressOf } from '../edge/client-address.js'
import type { ConsoleCodes } from './codes.js'
import type { Issuers } from './issuers/issuers.js'
import type { Passkeys } from './second-factor/passkeys.js'
import type { ConsoleSession, ConsoleSessions } from './session.js'
import type { Visitor } from './sign-in-record.js'
import type { PageProps } from './frame/page-props.js'

/** The procedures of other services that the console calls. */
export interface OtherServices {
  contract: TRPCClient<ContractRouter>['console']
  evidence: TRPCClient<SigningRouter>['evidence']
  simulator: TRPCClient<SigningRouter>['simulator']
  mails: Pick<TRPCClient<NotificationRouter>, 'deliveries' | 'invitation' | 'testMail' | 'webhooks'>
}

/** The dependencies of the handlers. */
export interface Console {
  database: Kysely<GatewayDatabase>
  accounts: AccountStore
  applications: ApplicationStore
  owners: AccountOwners
  /** Undefined: the operator writes invoices. [D74] */
  billing: Billing | undefined
  brands: BrandStore
  logos: LogoReader
  keys: KeyStore
  usage: Pick<UsageRecord, 'read'>
  codes: ConsoleCodes
  /** Returns clients of the other services that act for an account in one environment. [D44, D45] */
  others: (principal: Principal) => OtherServices
  /** Reports about contracts. */
  reports: TRPCClient<SigningRouter>['report']
  sessions: ConsoleSessions
  passkeys: Passkeys
  formTokens: FormTokens
  https: boolean
  /** Public address of this installation, without a trailing slash. */
  baseUrl: string
  /** The OpenID Connect providers, and who is an operator. [D73] */
  issuers: Issuers
  operatorAddress: string | undefined
  statusUrl: string | undefined
  /** True while mail is delayed: the SMTP server accepts nothing, or notification does not respond. [D32] */
  isMailDelayed: () => Promise<boolean>
  /** The database clock. */
  now: Clock
  /** False if the browser names another site as the origin of the form. */
  isOwnForm: (ctx: Context) => boolean
  /** True with `AUTO_APPROVE=trial`: the plan that an owner chooses begins as a trial, and no operator has to grant it. [D38] */
  mayTry: boolean
}

/** The account that the session shows. */
export interface ShownAccount {
  row: AccountRow
  /** Of the mailbox, as it is at this request. [D72] */
  role: AccountRole
  access: Access
}

/** A request as every handler receives it. */
export interface ConsoleRequest {
  deps: Console
  page: PageProps
  /** One instant of the database clock for the whole request. */
  now: Date
  /** Of a signed-in person. */
  session: ConsoleSession | undefined
  /** A session that lacks its second factor. It opens the pages of the second factor and nothing else. [D73] */
  pending: ConsoleSession | undefined
  /** The accounts of the mailbox, including pending invitations. */
  owned: readonly OwnedAccount[]
  account: ShownAccount | undefined
  isOperator: boolean
  /** An operator by an issuer that does not answer: no operator's page until it does. [D73] */
  isUnchecked: boolean
  /** The cookie of the browser, sent or new. `rememberBrowser` stores it. [P30] */
  browser: ReturnType<typeof browserCookie>
  /** The named parameters of the path. */
  parameters: Readonly<Record<string, string>>
  /** The fields of a POST whose form token is valid; empty for a GET. */
  fields: FormFields
  /** The file of a form that has one; empty if none was chosen. */
  file: Buffer
}

/** A request for the pages of an account, by a person whose role includes them. */
export type OwnerRequest = ConsoleRequest & { session: ConsoleSession; account: ShownAccount }
/** A request with a proven mailbox. */
export type SignedInRequest = ConsoleRequest & { session: ConsoleSession }

/** A request with a session that lacks its second factor. */
export type PendingRequest = ConsoleRequest & { pending: ConsoleSession }

/** The browser of the request. */
export const visitorOf = (ctx: Context, { browser: { browser } }: ConsoleRequest): Visitor => ({
  browser,
  userAgent: ctx.get('user-agent'),
  clientAddress: clientAddressOf(ctx),
})

/** Stores a new cookie of the browser: with a form before sign-in, and with every request for a code. */
export function rememberBrowser(ctx: Context, { browser }: ConsoleRequest): void {
  if (!browser.isSent) ctx.append('Set-Cookie', [browser.set])
}

/** Handles one path and method. */
export type Handler<Request extends ConsoleRequest = ConsoleRequest> = (ctx: Context, request: Request) => Promise<void>

/** The principal for calls to other services: the account in one environment. [D10, D45] */
export const principalOf = (row: AccountRow, environment: Environment): Principal => ({
  accountId: row.id,
  environment,
  scopes: [],
  account: {
    name: row.name,
    senderName: row.senderName ?? row.name,
    language: row.language,
    timeZone: row.timeZone,
    replyAddress: row.replyAddress,
    cancelsOnDecline: row.cancelsOnDecline,
    remindsParties: row.remindsParties,
  },
})

export const ownerOf = ({ session: { mailbox }, account: { role } }: OwnerRequest) => ({ kind: role, mailbox })
export const operatorOf = ({ session: { mailbox } }: SignedInRequest) => ({ kind: 'operator', mailbox }) as const

/** True for a key that is neither revoked nor expired. */
export const isActive = (
  { revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null },
  now: Date,
): boolean => revokedAt === null && (expiresAt === null || expiresAt > now)

/** A handler throws this error to make the console answer with its 404 page. */
export class PageNotFound extends Error {}

/** For `catch`: turns a `not_found` error into the 404 page. @throws PageNotFound; any other error unchanged */
export function asPageNotFound(error: unknown): never {
  throw refusalOf(error)?.code === 'not_found' ? new PageNotFound() : error
}

/** True for the error of a command that the current state does not allow. */
export const isRefused = (error: unknown): boolean => error instanceof DomainError && error.code === 'invalid_request'
