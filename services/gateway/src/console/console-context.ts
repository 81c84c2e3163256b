// What the steps of the console share: their parts, and what each knows of its request.
import type { Context } from 'koa'
import type { TRPCClient } from '@trpc/client'
import type { Kysely } from 'kysely'
import type { RpcRouter as ContractRouter } from '@paraph/contract/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import type { Environment, Principal } from '@paraph/protocol/caller'
import type { RpcRouter as SigningRouter } from '@paraph/signing/rpc-router'
import type { Clock } from '@paraph/service/store-clock'
import type { FormFields } from '@paraph/web/form-body'
import type { FormTokens } from '@paraph/web/form-token'
import type { Access } from '../access.js'
import type { AccountOwners, OwnedAccount } from '../account-owners.js'
import type { AccountRow, AccountStore } from '../account-store.js'
import type { ApplicationStore } from '../application-store.js'
import type { Actor } from '../audit.js'
import type { Billing } from '../billing.js'
import type { GatewayDatabase } from '../database.js'
import type { KeyStore } from '../key-store.js'
import type { UsageRecord } from '../usage.js'
import type { ConsoleCodes } from './console-codes.js'
import type { ConsoleSession, ConsoleSessions } from './console-session.js'
import type { PageProps } from './pages/console-frame.js'

/** What the console asks of the others. */
export interface OtherServices {
  contract: TRPCClient<ContractRouter>['console']
  evidence: TRPCClient<SigningRouter>['evidence']
  mails: Pick<TRPCClient<NotificationRouter>, 'deliveries' | 'invitation'>
}

/** The parts that the steps are made of. */
export interface Console {
  database: Kysely<GatewayDatabase>
  accounts: AccountStore
  applications: ApplicationStore
  owners: AccountOwners
  keys: KeyStore
  usage: Pick<UsageRecord, 'read'>
  billing: Billing
  codes: ConsoleCodes
  /** The other services, on behalf of an account in one environment. [D44, D45] */
  others: (principal: Principal) => OtherServices
  /** What people reported, the newest first. */
  reports: TRPCClient<SigningRouter>['report']
  sessions: ConsoleSessions
  formTokens: FormTokens
  https: boolean
  /** Where people and clients reach this installation, without a slash at the end. */
  baseUrl: string
  operatorEmails: readonly string[]
  operatorAddress: string | undefined
  statusUrl: string | undefined
  /** Whether mail waits: the relay takes nothing at the moment, or notification does not answer. [D32] */
  isMailDelayed: () => Promise<boolean>
  /** The store's clock. */
  now: Clock
  /** False when the browser names another site as the sender of the form. */
  isOwnForm: (ctx: Context) => boolean
}

/** The account that the session shows. */
export interface ShownAccount {
  row: AccountRow
  access: Access
}

/** What every step is told of its request. */
export interface ConsoleRequest {
  page: PageProps
  /** By the store's clock, one instant for the whole request. */
  now: Date
  session: ConsoleSession | undefined
  /** Every account of the mailbox, those it was asked to own among them. */
  owned: readonly OwnedAccount[]
  account: ShownAccount | undefined
  isOperator: boolean
  /** Named parts of the path. */
  parameters: Readonly<Record<string, string>>
  /** Of a POST, its form token checked; empty for a GET. */
  fields: FormFields
}

/** A request for the pages of an account. */
export type OwnerRequest = ConsoleRequest & { session: ConsoleSession; account: ShownAccount }
/** A request of somebody who has proven a mailbox. */
export type SignedInRequest = ConsoleRequest & { session: ConsoleSession }

/** Answers one path and method. */
export type Step<Request extends ConsoleRequest = ConsoleRequest> = (ctx: Context, request: Request) => Promise<void>

/** On whose behalf the other services are asked. [D10, D45] */
export const principalOf = (row: AccountRow, environment: Environment): Principal => ({
  ...{ accountId: row.id, environment, scopes: [] },
  account: {
    ...{ name: row.name, senderName: row.senderName ?? row.name, language: row.language },
    ...{ timeZone: row.timeZone, replyAddress: row.replyAddress },
  },
})

export const ownerOf = ({ session }: SignedInRequest): Actor & { mailbox: string } => ({
  kind: 'owner',
  mailbox: session.mailbox,
})

export const operatorOf = ({ session }: SignedInRequest): Actor & { mailbox: string } => ({
  kind: 'operator',
  mailbox: session.mailbox,
})
