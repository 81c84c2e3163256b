// The one-time codes of the console: to sign in, and to confirm where answers to an account's mails go. [D16, D24, D42]
// Anybody may ask to sign in, so there are no strangers here: every code is mailed, and each client gets fewer of them.
import type { Kysely, Transaction } from 'kysely'
import { codeTablesOf } from '@paraph/codes/code-tables'
import { createCodeSending, type CodeToPush } from '@paraph/codes/code-sending'
import { endSession } from '@paraph/codes/mailbox-session'
import { createVerification, type CodeScope } from '@paraph/codes/verification'
import type { OwnerCode } from '@paraph/protocol/owner-mail'
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { Keyring } from '@paraph/service/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import type { AccountStore } from '../account-store.js'
import type { GatewayDatabase } from '../database.js'
import { noteBrowser, SESSION_SECONDS } from './console-session.js'

/** New challenges from one client address: an office signs in at nine o'clock, a script does not mail the world. */
const CHALLENGES_PER_CLIENT_AND_HOUR = 30
/** Never reached: a scope here is one mailbox, which gets five codes an hour. */
const MAILS_PER_HOUR_MAX = 30

/** Scope ids: what a code proves. A mailbox at sign-in; a mailbox for one account where answers are to go. */
const SIGN_IN = 'sign-in'
const REPLY = 'reply'

/** What a code is asked for, beside the mailbox. */
export type CodePurpose =
  { kind: 'sign_in'; userAgent: string } | { kind: 'reply_address'; accountId: string; by: string }

/**
 * Codes and challenges of the console, and the loop that hands the codes to notification.
 * @param push takes a code; taken again under its id it is one mail
 */
export function createConsoleCodes({
  database,
  accounts,
  peppers,
  codeKeys,
  push,
  logger,
}: {
  database: Kysely<GatewayDatabase>
  accounts: Pick<AccountStore, 'setReplyAddress' | 'show'>
  peppers: Keyring
  codeKeys: Keyring
  push: (code: OwnerCode) => Promise<unknown>
  logger: Logger
}) {
  const sending = createCodeSending<GatewayDatabase>({ ...{ database, codeKeys, logger }, push: pushToOwner })
  const verification = createVerification<GatewayDatabase>({
    ...{ database, peppers, codeKeys, wakeSending: sending.wake },
    challengesPerClientAndHour: CHALLENGES_PER_CLIENT_AND_HOUR,
    sessionSeconds: SESSION_SECONDS,
  })

  async function pushToOwner({ id, mailbox, recipient, code, lapsesInSeconds }: CodeToPush): Promise<unknown> {
    const accountId = recipient.startsWith(`${REPLY} `) ? recipient.slice(REPLY.length + 1) : undefined
    const account = accountId === undefined ? undefined : await accounts.show(accountId)
    const sent = { id, to: mailbox, code, lapsesInSeconds, language: account?.language ?? 'en+fr' }
    return push(
      account ? { ...sent, purpose: 'reply_address', accountName: account.name } : { ...sent, purpose: 'sign_in' },
    )
  }

  function scopeOf(mailbox: string, purpose: CodePurpose): CodeScope<GatewayDatabase> {
    const isSignIn = purpose.kind === 'sign_in'
    return {
      id: isSignIn ? `${SIGN_IN} ${mailbox}` : `${REPLY} ${purpose.accountId} ${mailbox}`,
      recipientOf: () => (isSignIn ? SIGN_IN : `${REPLY} ${purpose.accountId}`),
      mailsPerHourMax: MAILS_PER_HOUR_MAX,
      onVerified: (trx, { session }) =>
        isSignIn
          ? noteBrowser(trx, session.id, purpose.userAgent)
          : confirmReplyAddress(trx, mailbox, purpose, session.id),
    }
  }

  /** The code proved that somebody reads the mailbox; it signs nobody in. */
  async function confirmReplyAddress(
    trx: Transaction<GatewayDatabase>,
    mailbox: string,
    { accountId, by }: { accountId: string; by: string },
    sessionId: string,
  ): Promise<void> {
    await endSession(codeTablesOf(trx), sessionId)
    await accounts.setReplyAddress(trx, accountId, mailbox, { kind: 'owner', mailbox: by })
  }

  /** The mailbox that a challenge asks about, where it was made for this purpose; undefined for any other. */
  async function mailboxOfChallenge(challengeId: string, purpose: CodePurpose): Promise<string | undefined> {
    const row = await codeTablesOf(database)
      .selectFrom('challenge')
      .select(['scope', 'mailbox'])
      .where('id', '=', challengeId)
      .executeTakeFirst()
    return row && row.scope === scopeOf(row.mailbox, purpose).id ? row.mailbox : undefined
  }

  return {
    sending,

    /** See `request` of `createVerification`. */
    request: (typed: string, asked: { isResend: boolean; clientAddress: string }, purpose: CodePurpose) =>
      verification.request(scopeOf(mailboxOf(typed), purpose), { typed, ...asked }),

    /** The challenge, where it was made for this purpose. */
    async find(challengeId: string, purpose: CodePurpose) {
      const mailbox = await mailboxOfChallenge(challengeId, purpose)
      return mailbox === undefined ? undefined : verification.find(scopeOf(mailbox, purpose).id, challengeId)
    },

    /** See `verify` of `createVerification`. */
    async verify(challengeId: string, typedCode: string, purpose: CodePurpose) {
      const mailbox = await mailboxOfChallenge(challengeId, purpose)
      return mailbox === undefined ? undefined : verification.verify(scopeOf(mailbox, purpose), challengeId, typedCode)
    },
  }
}

export type ConsoleCodes = ReturnType<typeof createConsoleCodes>
