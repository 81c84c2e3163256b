import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import type { OwnerMail } from '@paraph/protocol/owner-mail'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createAccountStore } from './account-store.js'
import { COMMAND_LINE, SERVICE, type Actor } from './audit.js'
import type { GatewayDatabase } from '../database.js'
import { NO_NOTIFIERS } from '../../test/gateway-fixture.js'
import { createKeyStore } from '../keys/key-store.js'
import { createOwnerMails, queueMailTo, queueMailToOwners } from './owner-mail-queue.js'

const logger = createLogger('gateway', 'silent')
const OWNER = 'owner@nordicfoods.example'

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
let accountId: string
/** The mails that notification accepted, in order of arrival. */
let taken: OwnerMail[]

beforeEach(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, logger))
  const account = { name: 'Nordic Foods Ltd.', email: OWNER, tier: 'growth' }
  accountId = (await createAccountStore({ database, ...NO_NOTIFIERS }).create(account, COMMAND_LINE)).id
  taken = []
})
afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

describe('a mail to owners', () => {
  it('is queued for each confirmed owner, in the transaction of the act [D24]', async () => {
    await addOwner('second@nordicfoods.example', true)
    await addOwner('asked@nordicfoods.example', false)
    await database.transaction().execute((trx) => queueMailToOwners(trx, approved()))
    const undone = database.transaction().execute(async (trx) => {
      await queueMailToOwners(trx, approved())
      throw new Error('the act failed')
    })
    await expect(undone).rejects.toThrow('the act failed')
    await mails().next()
    expect(taken.map(({ to }) => to).sort()).toEqual([OWNER, 'second@nordicfoods.example'])
  })

  it('is pushed once by any number of gateways, in the account’s language, and then wiped [D24, D42]', async () => {
    await database.updateTable('account').set({ language: 'fr' }).where('id', '=', accountId).execute()
    await queue(40)
    const gateways = [mails(), mails(), mails()]
    for (let more = true; more;) more = (await Promise.all(gateways.map(({ next }) => next()))).some(Boolean)
    expect(new Set(taken.map(({ id }) => id)).size).toBe(40)
    expect(taken).toHaveLength(40)
    expect(taken[0]).toMatchObject({ to: OWNER, language: 'fr', kind: 'application_approved' })
    const { rows } = await sql<{ all: string }>`select row_to_json(owner_mail)::text as all from owner_mail`.execute(
      database,
    )
    expect(rows.map((row) => row.all).join()).not.toMatch(/nordic/i)
  })

  it('is pushed again under the same id after the gateway that claimed it has died [D24, F16]', async () => {
    await queue(1)
    const dying = mails(async (mail) => {
      taken.push(mail)
      throw new Error('the answer was lost')
    })
    await expect(dying.next()).rejects.toThrow('the answer was lost')
    const next = mails()
    await next.next()
    expectWithMessage(taken, 'not pushed again while the first lease lasts').toHaveLength(1)
    await sql`update owner_mail set leased_until = clock_timestamp() - interval '1 second'`.execute(database)
    await next.next()
    expect(taken).toHaveLength(2)
    expect(taken[1]).toEqual(taken[0])
    await sql`update owner_mail set leased_until = clock_timestamp() - interval '1 second'`.execute(database)
    await next.next()
    expectWithMessage(taken, 'not pushed again after notification has accepted the mail').toHaveLength(2)
  })

  it('is not delayed by another mail that cannot be pushed [D24]', async () => {
    await queue(3)
    const { rows } = await sql<{ id: string }>`select id from owner_mail order by created_at limit 1`.execute(database)
    const stubborn = mails(async (mail) => {
      if (mail.id === rows[0]!.id) throw new Error('not this one')
      taken.push(mail)
    })
    await stubborn.next()
    expect(taken).toHaveLength(2)
    expect(await waiting()).toBe(1)
  })

  it('keeps neither address nor text after it is pushed, enforced by the table itself [D24]', async () => {
    await queue(1)
    for (const wipe of [sql``, sql`, address = null`, sql`, data = null`])
      await expect(sql`update owner_mail set finished_at = now() ${wipe}`.execute(database)).rejects.toThrow('wiped')
  })
})

describe('a key that is created or revoked', () => {
  const by = (actor: Actor) => `by ${actor.kind}`
  it.each<[string, Actor, string | null]>([
    ['an owner', { kind: 'owner', mailbox: OWNER }, OWNER],
    ['an operator, whose address is nobody’s business', { kind: 'operator', mailbox: 'op@operator.example' }, null],
    ['the command line', COMMAND_LINE, null],
    ['the installation itself', SERVICE, null],
  ])('by %s sends the owners a mail that names the actor [D24, P36]', async (_, actor, actorName) => {
    await makeAndRevoke(actor)
    await mails().next()
    expect(taken.map(({ kind }) => kind).sort()).toEqual(['key_created', 'key_revoked'])
    for (const { data } of taken)
      expect(data).toEqual({
        accountName: 'Nordic Foods Ltd.',
        keyName: by(actor),
        by: actorName,
        keyHint: expect.stringMatching(/^paraph_test_\w{4}…\w{4}$/),
      })
  })

  async function makeAndRevoke(actor: Actor): Promise<void> {
    const keys = createKeyStore({ database, ...NO_NOTIFIERS })
    const wanted = { environment: 'sandbox' as const, scopes: [], expiresInDays: undefined, name: by(actor) }
    const { id } = await keys.create({ accountId, ...wanted }, actor)
    await keys.revoke(id, actor)
  }
})

const approved = () => ({
  accountId,
  kind: 'application_approved' as const,
  data: { accountName: 'Nordic Foods Ltd.' },
})

const queue = (count: number) =>
  database.transaction().execute(async (trx) => {
    for (let n = 0; n < count; n += 1) await queueMailTo(trx, { ...approved(), address: OWNER })
  })

const mails = (push: (mail: OwnerMail) => Promise<unknown> = async (mail) => taken.push(mail)) =>
  createOwnerMails({ database, push, logger })

async function waiting(): Promise<number> {
  const rows = await database.selectFrom('owner_mail').select('id').where('finished_at', 'is', null).execute()
  return rows.length
}

const addOwner = (address: string, isConfirmed: boolean) =>
  database
    .insertInto('account_owner')
    .values({
      account_id: accountId,
      mailbox: address,
      address,
      invited_by: OWNER,
      invited_at: sql<Date>`now()`,
      confirmed_at: isConfirmed ? sql<Date>`now()` : null,
    })
    .execute()
