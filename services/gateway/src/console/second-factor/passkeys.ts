// The passkeys of mailboxes: they are added, prove the person of a session, and are removed or reset. [D73]
// Owns the rows of passkeys and the challenges of sessions. Each challenge belongs to one session, and one answer uses it up.
import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { authenticate, type Keyring } from '@paraph/config/keyring'
import { clock, createTransactions, type Trx } from '../../accounts/account-change.js'
import { recordAct, type Actor } from '../../accounts/audit.js'
import { queueMailTo } from '../../accounts/owner-mail-queue.js'
import type { GatewayDatabase } from '../../database.js'
import { endSessionsOf, type ConsoleSession } from '../session.js'
import type { SignInRecord } from '../sign-in-record.js'
import { replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.js'
import type { Credential, RelyingParty } from './relying-party.js'

/** Enough for the devices of a person, and little enough to read through. */
const PASSKEYS_MAX = 10
/** Longer than a browser waits for the person, so that a page may stay open for a while first. */
const CHALLENGE_SECONDS = 600

/** The session in which a person acts. */
interface Of {
  id: string
  mailbox: string
}

/** What the browser needs to make a passkey or to use one, as JSON. */
export interface PasskeyOptions {
  kind: 'create' | 'get'
  options: object
}

type Change = 'passkey_added' | 'passkey_removed' | 'codes_replaced' | 'code_used' | 'codes_locked'

interface PasskeysDeps {
  database: Kysely<GatewayDatabase>
  peppers: Keyring
  operatorEmails: readonly string[]
  party: RelyingParty
  record: SignInRecord
  triggerMails: () => void
}

/** The store of passkeys and recovery codes. */
export function createPasskeys({ database, peppers, operatorEmails, party, record, triggerMails }: PasskeysDeps) {
  const inTransaction = createTransactions(database, triggerMails)

  /** Records an act of the person in every account, and mails it to the person. */
  async function recordChange(
    trx: Trx,
    mailbox: string,
    act: Parameters<SignInRecord['record']>[1],
    change?: Change,
    facts: NonNullable<Parameters<SignInRecord['record']>[2]['facts']> = {},
  ): Promise<void> {
    const [accountId = null] = await record.record(trx, act, { mailbox, facts })
    if (change) await queueMailTo(trx, { accountId, address: mailbox, kind: 'sign_in_changed', data: { change } })
  }

  return {
    /** The passkeys of a mailbox, oldest first, and the number of its recovery codes that work. */
    async read(mailbox: string) {
      const passkeys = await database
        .selectFrom('passkey')
        .select(['credential_id as id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
        .where('mailbox', '=', mailbox)
        .orderBy('created_at')
        .execute()
      const { codesLeft } = await database
        .selectFrom('recovery_code')
        .select((row) => row.fn.countAll<number>().as('codesLeft'))
        .where('mailbox', '=', mailbox)
        .where('used_at', 'is', null)
        .where('pepper_id', 'in', [...peppers.keys.keys()])
        .executeTakeFirstOrThrow()
      return { passkeys, codesLeft, isFull: passkeys.length >= PASSKEYS_MAX }
    },

    /** False for an operator's mailbox in a session of the owners' issuer, which would make itself an operator by a passkey. */
    mayChange: ({ issuer, mailbox }: Pick<ConsoleSession, 'issuer' | 'mailbox'>): boolean =>
      issuer === null || !operatorEmails.includes(mailbox),

    /** Those of `mailboxes` that have a passkey. */
    async holders(mailboxes: readonly string[]): Promise<ReadonlySet<string>> {
      if (mailboxes.length === 0) return new Set()
      const rows = await database
        .selectFrom('passkey')
        .select('mailbox')
        .distinct()
        .where('mailbox', 'in', mailboxes)
        .execute()
      return new Set(rows.map(({ mailbox }) => mailbox))
    },

    /** Makes a new challenge for a session. The one of a page opened before works no longer. */
    async challenge({ id, mailbox }: Of, kind: PasskeyOptions['kind']): Promise<PasskeyOptions> {
      const challenge = randomBytes(32).toString('base64url')
      const until = sql<Date>`clock_timestamp() + make_interval(secs => ${CHALLENGE_SECONDS})`
      await database
        .updateTable('mailbox_session')
        .set({ passkey_challenge: challenge, passkey_challenge_until: until })
        .where('id', '=', id)
        .execute()
      const known = await credentialsOf(database, mailbox)
      if (kind === 'get') return { kind, options: await party.requestOptions(challenge, known) }
      const handle = authenticate(peppers, `passkey user ${mailbox}`)
      return { kind, options: await party.creationOptions({ mailbox, handle, challenge }, known) }
    },

    /**
     * Adds the passkey of an answer, which is a second factor and a fresh proof of the session. The first one comes with recovery codes.
     * @param isFirst refuses a mailbox that has a passkey: its sessions must prove one before they add another
     */
    async add(
      session: Of,
      { answer, name, isFirst }: { answer: string; name: string; isFirst: boolean },
    ): Promise<{ codes: string[] | undefined } | 'refused' | 'full'> {
      const { mailbox } = session
      return inTransaction(async (trx) => {
        await lockMailbox(trx, mailbox)
        const challenge = await takeChallenge(trx, session)
        const known = await credentialsOf(trx, mailbox)
        if (isFirst && known.length > 0) return 'refused'
        if (known.length >= PASSKEYS_MAX) return 'full'
        const credential = challenge === undefined ? undefined : await party.verifyNew(answer, challenge)
        if (!credential || !(await insertPasskey(trx, { mailbox, name, credential }))) return 'refused'
        await markProven(trx, session, true)
        await recordChange(trx, mailbox, 'passkey.added', 'passkey_added', { name })
        return { codes: known.length === 0 ? await replaceRecoveryCodes(trx, peppers, mailbox) : undefined }
      })
    },

    /** True if a passkey of the mailbox signed the session's challenge. The session then has its second factor and a fresh proof. */
    async prove(session: Of, answer: string): Promise<boolean> {
      return inTransaction(async (trx) => {
        await lockMailbox(trx, session.mailbox)
        const challenge = await takeChallenge(trx, session)
        const id = party.namedIn(answer)
        const known = (await credentialsOf(trx, session.mailbox)).find((each) => each.id === id)
        if (challenge === undefined || !known) return false
        const counter = await party.verifyKnown(answer, challenge, known)
        if (counter === undefined) return false
        await trx
          .updateTable('passkey')
          .set({ counter, last_used_at: clock })
          .where('credential_id', '=', known.id)
          .execute()
        if (await markProven(trx, session, true)) await recordChange(trx, session.mailbox, 'second_factor.proven')
        return true
      })
    },

    /** As `prove`, with a recovery code, which is used up. Wrong ones are counted. */
    async proveByCode(session: Of, typed: string): Promise<'proven' | 'wrong' | 'locked'> {
      const { mailbox } = session
      return inTransaction(async (trx) => {
        const outcome = await useRecoveryCode(trx, peppers, mailbox, typed)
        if (outcome === 'used') {
          await markProven(trx, session, true)
          await recordChange(trx, mailbox, 'recovery_code.used', 'code_used')
          return 'proven'
        }
        if (outcome === 'wrong') await recordChange(trx, mailbox, 'recovery_code.refused')
        if (outcome === 'now_locked') await recordChange(trx, mailbox, 'recovery_code.locked', 'codes_locked')
        return outcome === 'wrong' ? 'wrong' : 'locked'
      })
    },

    /** New recovery codes in place of the old ones; undefined for a mailbox without a passkey. */
    async replaceCodes(mailbox: string): Promise<string[] | undefined> {
      return inTransaction(async (trx) => {
        await lockMailbox(trx, mailbox)
        if ((await credentialsOf(trx, mailbox)).length === 0) return undefined
        const codes = await replaceRecoveryCodes(trx, peppers, mailbox)
        await recordChange(trx, mailbox, 'recovery_code.replaced', 'codes_replaced')
        return codes
      })
    },

    /** Removes a passkey of the mailbox; idempotent. With the last one its recovery codes go. `last`: an operator keeps one. */
    async remove(mailbox: string, id: string): Promise<'removed' | 'last'> {
      return inTransaction(async (trx) => {
        await lockMailbox(trx, mailbox)
        const known = await credentialsOf(trx, mailbox)
        if (!known.some((each) => each.id === id)) return 'removed'
        if (known.length === 1 && operatorEmails.includes(mailbox)) return 'last'
        await trx.deleteFrom('passkey').where('credential_id', '=', id).execute()
        if (known.length === 1) await trx.deleteFrom('recovery_code').where('mailbox', '=', mailbox).execute()
        await recordChange(trx, mailbox, 'passkey.removed', 'passkey_removed')
        return 'removed'
      })
    },

    /**
     * For a lost device: removes all passkeys and recovery codes of a mailbox and ends its sessions. Its next sign-in needs its mail alone.
     * An owner may do so for a person whose accounts are all the owner's own: whoever invites a person must not weaken the sign-in to
     * another account. For others, and for an operator, there is the command line.
     */
    async reset(mailbox: string, actor: Actor): Promise<'reset' | 'none' | 'not_yours'> {
      return inTransaction(async (trx) => {
        await lockMailbox(trx, mailbox)
        if (actor.kind !== 'command_line' && !(await mayReset(trx, mailbox, actor))) return 'not_yours'
        const { numDeletedRows } = await trx.deleteFrom('passkey').where('mailbox', '=', mailbox).executeTakeFirst()
        await trx.deleteFrom('recovery_code').where('mailbox', '=', mailbox).execute()
        if (numDeletedRows === 0n) return 'none'
        await endSessionsOf(trx, mailbox)
        await recordReset(trx, mailbox, actor)
        return 'reset'
      })
    },
  }

  async function mayReset(trx: Trx, mailbox: string, { mailbox: by }: Actor): Promise<boolean> {
    if (by === undefined || by === mailbox || operatorEmails.includes(mailbox)) return false
    const { rows } = await sql<{ isOwn: boolean }>`
      select exists (select from account_owner own
                      where own.account_id = person.account_id and own.mailbox = ${by} and own.role = 'owner'
                        and own.confirmed_at is not null) as "isOwn"
        from account_owner person where person.mailbox = ${mailbox} and person.confirmed_at is not null`.execute(trx)
    return rows.length > 0 && rows.every(({ isOwn }) => isOwn)
  }

  /** An entry in each account of the person, and a mail to the person and to every owner of these accounts. */
  async function recordReset(trx: Trx, mailbox: string, actor: Actor): Promise<void> {
    const { rows } = await sql<{ accountId: string; address: string }>`
      select distinct on (one.address) one.account_id as "accountId", one.address from account_owner person
        join account_owner one on one.account_id = person.account_id and one.confirmed_at is not null
                              and (one.role = 'owner' or one.mailbox = person.mailbox)
       where person.mailbox = ${mailbox} and person.confirmed_at is not null`.execute(trx)
    const accounts = new Set(rows.map(({ accountId }) => accountId))
    const entry = { actor, act: 'passkey.reset', facts: { owner: mailbox } } as const
    for (const accountId of accounts) await recordAct(trx, { ...entry, accountId })
    if (accounts.size === 0 || operatorEmails.includes(mailbox)) await recordAct(trx, { ...entry, accountId: null })
    const data = { owner: mailbox, by: actor.mailbox ?? null }
    for (const { accountId, address } of rows)
      await queueMailTo(trx, { accountId, address, kind: 'passkeys_reset', data })
    if (rows.length === 0) await queueMailTo(trx, { accountId: null, address: mailbox, kind: 'passkeys_reset', data })
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>
export type ListedPasskey = Awaited<ReturnType<Passkeys['read']>>['passkeys'][number]

/** One change of the passkeys of a mailbox at a time, so that counts hold. */
const lockMailbox = (trx: Trx, mailbox: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`passkeys ${mailbox}`}, 0))`.execute(trx)

async function credentialsOf(database: Kysely<GatewayDatabase>, mailbox: string): Promise<Credential[]> {
  const rows = await database
    .selectFrom('passkey')
    .select(['credential_id as id', 'public_key as publicKey', 'counter', 'transports'])
    .where('mailbox', '=', mailbox)
    .execute()
  return rows.map(({ publicKey, ...credential }) => ({ ...credential, publicKey: Uint8Array.from(publicKey) }))
}

/** False if the credential exists, also with another mailbox. */
async function insertPasskey(
  trx: Trx,
  { mailbox, name, credential }: { mailbox: string; name: string; credential: Credential },
): Promise<boolean> {
  const { id, publicKey, counter, transports = [] } = credential
  const row = { credential_id: id, mailbox, public_key: Buffer.from(publicKey), counter, transports, name }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('passkey')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The live challenge of a session that has not ended, which this uses up, whatever the answer is worth. */
async function takeChallenge(trx: Trx, { id }: Of): Promise<string | undefined> {
  const { rows } = await sql<{ challenge: string | null }>`
    update mailbox_session session set passkey_challenge = null, passkey_challenge_until = null
      from (select id, passkey_challenge, passkey_challenge_until from mailbox_session where id = ${id} and ended_at is null for update) before
     where session.id = before.id and before.passkey_challenge_until > clock_timestamp()
    returning before.passkey_challenge as challenge`.execute(trx)
  return rows[0]?.challenge ?? undefined
}

/** Records a fresh proof of a session. @returns true if the session had no second factor before */
export async function markProven(trx: Trx, { id }: Pick<Of, 'id'>, isSecondFactor: boolean): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    update mailbox_session session
       set proven_at = clock_timestamp(),
           second_factor_at = case when ${isSecondFactor} then clock_timestamp() else session.second_factor_at end
      from (select id, second_factor_at from mailbox_session where id = ${id} for update) before
     where session.id = before.id and session.ended_at is null
    returning before.second_factor_at is null as "isFirst"`.execute(trx)
  return rows[0]?.isFirst ?? false
}
