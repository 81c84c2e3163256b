// The one-time codes of the console: to sign in, to confirm an account's reply address, and for a fresh proof. [D16, D24, D42, D73]
// Any mailbox may sign in, so every requested code is mailed; a limit per client address prevents abuse.
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type Kysely, type QueryExecutorProvider } from 'kysely'
import { createCodeSending, type CodeToPush } from '@paraph/codes/code-sending'
import { CONSOLE_CODES } from '@paraph/codes/code-policy'
import { endSession } from '@paraph/codes/mailbox-session'
import { createVerification, type CodeScope } from '@paraph/codes/verification'
import type { OwnerCode } from '@paraph/protocol/owner-mail'
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { Keyring } from '@paraph/config/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import { count } from '@paraph/telemetry/metrics'
import type { AccountStore } from '../accounts/account-store.js'
import { recordAct } from '../accounts/audit.js'
import type { GatewayDatabase } from '../database.js'
import { markProven } from './second-factor/passkeys.js'
import { SESSION_SECONDS } from './session.js'
import type { SignInRecord, Visitor } from './sign-in-record.js'

/** New challenges from one client address: enough for an office that signs in together, too few for a script that sends spam. */
const CHALLENGES_PER_CLIENT_AND_HOUR = 30

/**
 * The limit of sign-in codes to mailboxes that have no account and never signed in, for the whole installation. Fewer people apply on any
 * day, and a script with many client addresses cannot send spam with it. [P29]
 */
const NEWCOMERS_MAX = { hour: 200, day: 1_000 }
/** The recipient of such a code. */
const NEWCOMER = 'newcomer'

/** Prefixes of scope ids: a code proves a mailbox at sign-in, the reply address of one account, or the person of one session. */
const SIGN_IN = 'sign-in'
const REPLY = 'reply'
const PROVE = 'prove'

/** The purpose of a code. */
export type CodePurpose =
  | { kind: 'sign_in' }
  | { kind: 'reply_address'; accountId: string; by: string }
  /** `sessionId`: of the open session that gets a fresh proof. */
  | { kind: 'prove'; sessionId: string }

interface ConsoleCodesDeps {
  /** For the loop that sends codes. */
  database: Kysely<GatewayDatabase>
  /** For challenges, which wait for locks. [P26] */
  codeDatabase: Kysely<GatewayDatabase>
  accounts: Pick<AccountStore, 'setReplyAddress' | 'show'>
  peppers: Keyring
  codeKeys: Keyring
  record: SignInRecord
  /** Called when a check of a code may have queued a mail. */
  triggerMails: () => void
  /** Sends a code to the notification service. Repeated calls with the same id cause one mail. */
  push: (code: OwnerCode) => Promise<unknown>
  logger: Logger
}

/** Codes and challenges of the console, and the loop that sends the codes to the notification service. */
export function createConsoleCodes(deps: ConsoleCodesDeps) {
  const { database, codeDatabase, accounts, peppers, codeKeys, record, push, logger } = deps
  const sending = createCodeSending<GatewayDatabase>({ database, codeKeys, logger, push: pushToOwner })
  const verification = createVerification<GatewayDatabase>({
    database: codeDatabase,
    peppers,
    codeKeys,
    onCodeDue: sending.wake,
    challengesPerClientAndHour: CHALLENGES_PER_CLIENT_AND_HOUR,
    sessionSeconds: SESSION_SECONDS,
  })

  async function pushToOwner({ id, mailbox, recipient, code, lapsesInSeconds }: CodeToPush): Promise<unknown> {
    const accountId = recipient.startsWith(`${REPLY} `) ? recipient.slice(REPLY.length + 1) : undefined
    const account = accountId === undefined ? undefined : await accounts.show(accountId)
    const common = { id, to: mailbox, code, lapsesInSeconds, language: account?.language ?? 'en+fr' }
    if (account) return push({ ...common, purpose: 'reply_address', accountName: account.name })
    return push({ ...common, purpose: recipient === PROVE ? 'prove' : 'sign_in' })
  }

  function scopeOf(mailbox: string, purpose: CodePurpose, visitor: Visitor): CodeScope<GatewayDatabase> {
    if (purpose.kind === 'prove') return proofScope(mailbox, purpose.sessionId, visitor)
    const isSignIn = purpose.kind === 'sign_in'
    return {
      policy: CONSOLE_CODES,
      id: isSignIn ? `${SIGN_IN} ${mailbox}` : `${REPLY} ${purpose.accountId} ${mailbox}`,
      async recipientOf(_, trx) {
        if (!isSignIn) return `${REPLY} ${purpose.accountId}`
        if (await record.isKnown(trx, mailbox)) return SIGN_IN
        if (await mayMailNewcomer(trx)) return NEWCOMER
        count('paraph.code.withheld', {})
        return undefined
      },
      async onVerified(trx, { session }) {
        if (isSignIn) return record.opened(trx, session, visitor)
        // Verification opened a session, but proving a reply address must not sign anybody in.
        await endSession(trx, session.id)
        await accounts.setReplyAddress(trx, purpose.accountId, mailbox, { kind: 'owner', mailbox: purpose.by })
      },
      async onDied(trx) {
        if (isSignIn) await record.refused(trx, mailbox, visitor)
      },
      // At the code for a reply address an owner guesses, who is signed in and gets no mail about it.
      async onLocked(trx) {
        if (isSignIn) return record.locked(trx, mailbox)
        const { by, accountId } = purpose
        await recordAct(trx, { actor: { kind: 'owner', mailbox: by }, act: 'code.locked', accountId })
      },
    }
  }

  /** A code of this scope signs nobody in: it belongs to a session, and to the browser that requested it. */
  const proofScope = (mailbox: string, sessionId: string, visitor: Visitor): CodeScope<GatewayDatabase> => ({
    policy: CONSOLE_CODES,
    id: `${PROVE} ${sessionId}`,
    recipientOf: () => PROVE,
    async onVerified(trx, { session }) {
      await endSession(trx, session.id)
      await markProven(trx, { id: sessionId }, false)
    },
    onDied: (trx) => record.refused(trx, mailbox, visitor),
    onLocked: (trx) => record.locked(trx, mailbox),
  })

  /** The scope of a challenge; undefined if the challenge was created for another purpose. */
  async function scopeOfChallenge(challengeId: string, purpose: CodePurpose, visitor: Visitor) {
    const row = await codeDatabase
      .selectFrom('challenge')
      .select(['scope', 'mailbox'])
      .where('id', '=', challengeId)
      .executeTakeFirst()
    const scope = row && scopeOf(row.mailbox, purpose, visitor)
    return scope?.id === row?.scope ? scope : undefined
  }

  return {
    sending,

    /** See `request` of `createVerification`. */
    async request(asked: { typed: string; isResend: boolean }, purpose: CodePurpose, visitor: Visitor) {
      const { browser, clientAddress } = visitor
      const mailbox = mailboxOf(asked.typed)
      const isKnownBrowser = purpose.kind === 'sign_in' && (await record.isKnownBrowser(database, mailbox, browser))
      const request = { ...asked, browser, clientAddress, isKnownBrowser }
      return verification.request(scopeOf(mailbox, purpose, visitor), request)
    },

    /** The challenge; undefined if it was created for another purpose. */
    async find(challengeId: string, purpose: CodePurpose, visitor: Visitor) {
      const scope = await scopeOfChallenge(challengeId, purpose, visitor)
      return scope && verification.find(scope, challengeId, visitor.browser)
    },

    /** See `verify` of `createVerification`. */
    async verify(challengeId: string, typedCode: string, purpose: CodePurpose, visitor: Visitor) {
      const scope = await scopeOfChallenge(challengeId, purpose, visitor)
      const outcome = scope && (await verification.verify(scope, challengeId, typedCode, visitor.browser))
      deps.triggerMails()
      return outcome
    },
  }
}

/** Whether another code may go to a mailbox that nobody proved. Not exact while requests run at the same time, as many as the pool has connections. */
async function mayMailNewcomer(trx: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ hour: number; day: number }>`
    select count(*) filter (where created_at > clock_timestamp() - interval '1 hour')::int as hour, count(*)::int as day
      from code_send where recipient = 'newcomer' and created_at > clock_timestamp() - interval '1 day'`.execute(trx)
  const { hour, day } = elementAt(rows, 0)
  return hour < NEWCOMERS_MAX.hour && day < NEWCOMERS_MAX.day
}

export type ConsoleCodes = ReturnType<typeof createConsoleCodes>
