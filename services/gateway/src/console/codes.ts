// The one-time codes of the console: to sign in, and to confirm an account's reply address. [D16, D24, D42]
// Any mailbox may sign in, so every requested code is mailed; a limit per client address prevents abuse.
import type { Kysely } from 'kysely'
import { createCodeSending, type CodeToPush } from '@paraph/codes/code-sending'
import { CONSOLE_CODES } from '@paraph/codes/code-policy'
import { endSession } from '@paraph/codes/mailbox-session'
import { createVerification, type CodeRequest, type CodeScope } from '@paraph/codes/verification'
import type { OwnerCode } from '@paraph/protocol/owner-mail'
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { Keyring } from '@paraph/config/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import type { AccountStore } from '../accounts/account-store.js'
import type { GatewayDatabase } from '../database.js'
import { recordBrowser, SESSION_SECONDS } from './session.js'

/** New challenges from one client address: enough for an office that signs in together, too few for a script that sends spam. */
const CHALLENGES_PER_CLIENT_AND_HOUR = 30

/** Prefixes of scope ids: a code proves a mailbox at sign-in, or the reply address of one account. */
const SIGN_IN = 'sign-in'
const REPLY = 'reply'

/** The purpose of a code. */
export type CodePurpose =
  { kind: 'sign_in'; userAgent: string } | { kind: 'reply_address'; accountId: string; by: string }

interface ConsoleCodesDeps {
  database: Kysely<GatewayDatabase>
  accounts: Pick<AccountStore, 'setReplyAddress' | 'show'>
  peppers: Keyring
  codeKeys: Keyring
  /** Sends a code to the notification service. Repeated calls with the same id cause one mail. */
  push: (code: OwnerCode) => Promise<unknown>
  logger: Logger
}

/** Codes and challenges of the console, and the loop that sends the codes to the notification service. */
export function createConsoleCodes({ database, accounts, peppers, codeKeys, push, logger }: ConsoleCodesDeps) {
  const sending = createCodeSending<GatewayDatabase>({ database, codeKeys, logger, push: pushToOwner })
  const verification = createVerification<GatewayDatabase>({
    database,
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
    return push(
      account ? { ...common, purpose: 'reply_address', accountName: account.name } : { ...common, purpose: 'sign_in' },
    )
  }

  function scopeOf(mailbox: string, purpose: CodePurpose): CodeScope<GatewayDatabase> {
    const isSignIn = purpose.kind === 'sign_in'
    return {
      policy: CONSOLE_CODES,
      id: isSignIn ? `${SIGN_IN} ${mailbox}` : `${REPLY} ${purpose.accountId} ${mailbox}`,
      recipientOf: () => (isSignIn ? SIGN_IN : `${REPLY} ${purpose.accountId}`),
      async onVerified(trx, { session }) {
        if (isSignIn) return recordBrowser(trx, session.id, purpose.userAgent)
        // Verification opened a session, but proving a reply address must not sign anybody in.
        await endSession(trx, session.id)
        await accounts.setReplyAddress(trx, purpose.accountId, mailbox, { kind: 'owner', mailbox: purpose.by })
      },
    }
  }

  /** The scope of a challenge; undefined if the challenge was created for another purpose. */
  async function scopeOfChallenge(challengeId: string, purpose: CodePurpose) {
    const row = await database
      .selectFrom('challenge')
      .select(['scope', 'mailbox'])
      .where('id', '=', challengeId)
      .executeTakeFirst()
    const scope = row && scopeOf(row.mailbox, purpose)
    return scope?.id === row?.scope ? scope : undefined
  }

  return {
    sending,

    /** See `request` of `createVerification`. */
    request: (asked: CodeRequest, purpose: CodePurpose) =>
      verification.request(scopeOf(mailboxOf(asked.typed), purpose), asked),

    /** The challenge; undefined if it was created for another purpose. */
    async find(challengeId: string, purpose: CodePurpose, browser: string) {
      const scope = await scopeOfChallenge(challengeId, purpose)
      return scope && verification.find(scope, challengeId, browser)
    },

    /** See `verify` of `createVerification`. */
    async verify(challengeId: string, typedCode: string, purpose: CodePurpose, browser: string) {
      const scope = await scopeOfChallenge(challengeId, purpose)
      return scope && verification.verify(scope, challengeId, typedCode, browser)
    },
  }
}

export type ConsoleCodes = ReturnType<typeof createConsoleCodes>
