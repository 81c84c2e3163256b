// The sessions that a provider opened: what it gave, sealed, and whether the person is still an operator. [D73]
import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { startSession, type StartedSession } from '@paraph/codes/mailbox-session'
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { withTimeout } from '@paraph/protocol/deadline'
import { clock, type Trx } from '../../accounts/account-change.js'
import type { GatewayDatabase } from '../../database.js'
import { SESSION_SECONDS, type ConsoleSession, type ConsoleSessions } from '../session.js'
import type { SignInRecord, Visitor } from '../sign-in-record.js'
import { personOf, type IssuerPerson } from './person.js'
import { IssuerRefused, type IssuerTokens, type Provider } from './provider.js'
import type { IssuerSettings } from './settings.js'

/** An operator is one for this long after the provider said so. */
const CHECKED_SECONDS = 300
/** Longer than a check takes: a process that stopped in the middle must not block the next check for long. */
const LEASE_SECONDS = 30
/** A provider that was unavailable is left alone for this long. */
const RETRY_SECONDS = 15
/** A person waits this long for the provider, or for the check of another request. */
const CHECK_MS_MAX = 8_000
const POLL_MS = 50

/** Whether a session is an operator's. `unavailable`: the provider did not say so within five minutes. `ended`: it said no. */
export type OperatorState = 'yes' | 'no' | 'unavailable' | 'ended'

interface IssuerSessionsDeps {
  database: Kysely<GatewayDatabase>
  keys: Keyring
  record: SignInRecord
  sessions: Pick<ConsoleSessions, 'end'>
}

/** A provider with its settings. */
export type Issuer = Provider & { settings: IssuerSettings }

export function createIssuerSessions({ database, keys, record, sessions }: IssuerSessionsDeps) {
  /** Tokens are worthless for another session, and at another provider than the one that gave them. */
  const contextOf = (id: string, { issuer, clientId }: IssuerSettings): string =>
    `issuer session ${id} ${issuer} ${clientId}`

  async function keep(trx: Trx, id: string, settings: IssuerSettings, tokens: IssuerTokens): Promise<void> {
    const { keyId, bytes } = seal(keys, JSON.stringify(tokens), contextOf(id, settings))
    const row = { key_id: keyId, tokens: bytes }
    await trx
      .insertInto('issuer_session')
      .values({ session_id: id, ...row })
      .onConflict((conflict) =>
        conflict.column('session_id').doUpdateSet({ ...row, checked_at: clock, leased_until: null, failed_at: null }),
      )
      .execute()
  }

  /** The tokens of a session; undefined if the provider has changed, or the key was removed. */
  async function tokensOf(id: string, settings: IssuerSettings): Promise<IssuerTokens | undefined> {
    const row = await database
      .selectFrom('issuer_session')
      .select(['key_id as keyId', 'tokens as bytes'])
      .where('session_id', '=', id)
      .executeTakeFirst()
    try {
      return row && (JSON.parse(unseal(keys, row, contextOf(id, settings))) as IssuerTokens)
    } catch {
      return undefined
    }
  }

  const after = (column: 'checked_at' | 'failed_at', seconds: number) =>
    sql<boolean>`coalesce(${sql.ref(column)} > clock_timestamp() - make_interval(secs => ${seconds}), false)`
  const isLeased = sql<boolean>`coalesce(leased_until > clock_timestamp(), false)`

  const stateOf = (id: string) =>
    database
      .selectFrom('issuer_session')
      .select([
        after('checked_at', CHECKED_SECONDS).as('isFresh'),
        after('failed_at', RETRY_SECONDS).as('hasFailed'),
        isLeased.as('isLeased'),
      ])
      .where('session_id', '=', id)
      .executeTakeFirst()

  /** True for one of all requests, in all processes. */
  async function lease(id: string): Promise<boolean> {
    const { numUpdatedRows } = await database
      .updateTable('issuer_session')
      .set({ leased_until: sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})` })
      .where('session_id', '=', id)
      .where(sql<boolean>`not (${isLeased} or ${after('checked_at', CHECKED_SECONDS)})`)
      .executeTakeFirst()
    return numUpdatedRows > 0
  }

  /** Asks the provider. A session that it no longer allows ends, with an entry in the audit log. */
  async function check({ id, mailbox }: ConsoleSession, { settings, renew }: Issuer): Promise<OperatorState> {
    try {
      const kept = await tokensOf(id, settings)
      if (!kept) throw new IssuerRefused()
      const { claims, tokens } = await renew(kept)
      const person = personOf(claims, settings)
      if (typeof person === 'object' && person.mailbox === mailbox) {
        await database.transaction().execute((trx) => keep(trx, id, settings, tokens))
        return 'yes'
      }
      await sessions.end(mailbox, id, person === 'not_a_member' ? 'group_removed' : 'issuer_refused')
      return 'ended'
    } catch (error) {
      if (error instanceof IssuerRefused) {
        await sessions.end(mailbox, id, 'issuer_refused')
        return 'ended'
      }
      await database
        .updateTable('issuer_session')
        .set({ leased_until: null, failed_at: clock })
        .where('session_id', '=', id)
        .execute()
      return 'unavailable'
    }
  }

  return {
    /** Opens the session of a person whom the provider has proven. */
    open: (issuer: Issuer, person: IssuerPerson, tokens: IssuerTokens, visitor: Visitor): Promise<StartedSession> =>
      database.transaction().execute(async (trx) => {
        const { mailbox } = person
        const { kind } = issuer.settings
        const scope = `sign-in ${mailbox}`
        const session = await startSession(trx, { scope, mailbox, ttlSeconds: SESSION_SECONDS })
        await trx
          .updateTable('mailbox_session')
          .set({ issuer: kind, second_factor_at: clock, proven_at: provenAt(person) })
          .where('id', '=', session.id)
          .execute()
        await keep(trx, session.id, issuer.settings, tokens)
        await record.opened(trx, { id: session.id, mailbox, issuer: kind }, visitor)
        return session
      }),

    /** Records that the person of a session has signed in at the provider again. */
    prove: (issuer: Issuer, id: string, person: IssuerPerson, tokens: IssuerTokens): Promise<void> =>
      database.transaction().execute(async (trx) => {
        await trx
          .updateTable('mailbox_session')
          .set({ second_factor_at: clock, proven_at: provenAt(person) })
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .execute()
        await keep(trx, id, issuer.settings, tokens)
      }),

    tokensOf,

    /** Whether the provider has said within five minutes that the session's person is an operator. Asks it if not. */
    async operatorStateOf(session: ConsoleSession, operators: Issuer): Promise<OperatorState> {
      const lateAt = performance.now() + CHECK_MS_MAX
      while (performance.now() < lateAt) {
        const state = await stateOf(session.id)
        if (!state) return 'ended'
        if (state.isFresh) return 'yes'
        if (state.hasFailed) return 'unavailable'
        if (!state.isLeased && (await lease(session.id)))
          return withTimeout(CHECK_MS_MAX, check(session, operators)).catch(() => 'unavailable')
        // Another request is asking; its answer counts for this one too.
        await pause(POLL_MS)
      }
      return 'unavailable'
    },
  }
}

export type IssuerSessions = ReturnType<typeof createIssuerSessions>

/** A provider that kept the person signed in gives an old proof; one that does not say when it asked gives none. */
const provenAt = ({ authenticatedAt }: IssuerPerson) =>
  sql<Date>`least(clock_timestamp(), ${authenticatedAt ?? new Date(0)}::timestamptz)`
