import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { pruneBatch } from '@paraph/database/retention'
import { unseal } from '@paraph/config/keyring'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { openCeremonyFixture, type CeremonyFixture } from '../test/ceremony-fixture.js'
import type { ContractView } from './clients/contract.js'
import { createEvidenceTasks } from './tasks/evidence-tasks.js'
import { RETENTION } from './retention.js'

const VISITOR = { clientAddress: '192.0.2.7', userAgent: 'test' }
const PARTY = 'p0@example.test'
const STRANGER = 'stranger@example.test'
const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
/** Columns with instants, which a simulated passage of time shifts. */
const TIMES = {
  challenge: ['created_at', 'try_again_at', 'passed_at'],
  one_time_code: ['created_at', 'expires_at', 'ended_at'],
  code_send: ['created_at', 'expires_at', 'finished_at'],
  mailbox_guard: ['created_at'],
  mailbox_session: ['created_at', 'expires_at'],
  sign_attempt: ['submitted_at', 'finished_at'],
  evidence_task: ['done_at'],
  report: ['created_at'],
}

let opened: CeremonyFixture[] = []
beforeEach(() => void (opened = []))
afterEach(() => Promise.all(opened.map((fixture) => fixture.close())))

/** Opens new databases with one contract, and functions that act as its parties and simulate the passage of time. */
async function open() {
  const fixture = await openCeremonyFixture()
  opened.push(fixture)
  const view: ContractView = await fixture.createContract()
  const tasks = createEvidenceTasks(fixture)

  async function ask(typed: string) {
    const made = await fixture.codes.request(view, { typed, isResend: false }, VISITOR)
    if (!('challengeId' in made)) return { id: '', said: 'the client asked too often' }
    const { refusal, digits, triesLeft } = (await fixture.codes.find(view.contractId, made.challengeId))!
    return { id: made.challengeId, said: { refusal: refusal?.reason ?? 'sent', digits, triesLeft } }
  }

  async function codesOf(mailbox: string): Promise<string[]> {
    const rows = await fixture.database
      .selectFrom('code_send')
      .selectAll()
      .where('mailbox', '=', mailbox)
      .where('code_sealed', 'is not', null)
      .orderBy('created_at', 'desc')
      .execute()
    return rows.map((row) => unseal(fixture.codeKeys, { keyId: row.code_key_id, bytes: row.code_sealed! }, row.id))
  }

  return {
    ...fixture,
    view,
    ask,
    codesOf,
    guess: async (challengeId: string, code: string) =>
      (await fixture.codes.verify(view, challengeId, code, VISITOR))?.kind,
    /** Shifts all rows into the past, and does what the workers would have done meanwhile: expires codes and performs tasks. */
    async pass(seconds: number): Promise<void> {
      for (const [table, columns] of Object.entries(TIMES)) {
        const shifts = columns.map(
          (column) => sql`${sql.id(column)} = ${sql.id(column)} - make_interval(secs => ${seconds})`,
        )
        await sql`update ${sql.id(table)} set ${sql.join(shifts)}`.execute(fixture.database)
      }
      await sql`update code_send set finished_at = expires_at, outcome = 'lapsed', code_sealed = null
        where finished_at is null and expires_at <= now()`.execute(fixture.database)
      while (await tasks.next());
    },
    async prune(): Promise<void> {
      for (const retention of RETENTION.pruned) while ((await pruneBatch(fixture.database, retention)) > 0);
    },
    count: async (table: string) =>
      (await sql<{ rows: number }>`select count(*)::int as rows from ${sql.id(table)}`.execute(fixture.database))
        .rows[0]!.rows,
  }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Requests a code, and types a wrong code five times or the correct code once. @returns all answers */
async function visit({ ask, codesOf, guess }: Opened, typed: string, isRight: boolean): Promise<unknown[]> {
  const { id, said } = await ask(typed)
  const codes = await codesOf(typed)
  const digits = typeof said === 'object' ? said.digits : 6
  if (isRight) return [said, codes[0]?.length === digits ? await guess(id, codes[0]) : 'no code']
  const wrong = ['0', '1', '2', '3'].map((end) => end.padStart(digits, '0')).find((code) => !codes.includes(code))!
  const answers: unknown[] = [said]
  for (let tries = 0; tries < 5; tries += 1) answers.push(await guess(id, wrong))
  return answers
}

it('the retention weakens no limit: over days the outcomes are the same with and without pruning [D16]', async () => {
  const [pruned, whole] = [await open(), await open()]
  const random = createSeededRandom(20_261_122)
  const outcomes: string[] = []
  for (let step = 0; step < 120; step += 1) {
    const seconds = [61, 61, 11 * MINUTE, HOUR + 61, 5 * HOUR][Math.floor(random() * 5)]!
    const typed = random() < 0.7 ? PARTY : STRANGER
    const isRight = random() < 0.02
    const [one, other] = await Promise.all(
      [pruned, whole].map(async (each) => {
        await each.pass(seconds)
        if (each === pruned) await each.prune()
        return visit(each, typed, isRight)
      }),
    )
    expectWithMessage(one, `step ${step}`).toEqual(other)
    outcomes.push(JSON.stringify(one))
  }
  // Checks that the scenario reached the limits and that rows were deleted.
  for (const outcome of ['"used_up"', '"sent"', '"digits":12'])
    expectWithMessage(outcomes.join(), outcome).toContain(outcome)
  expect(await pruned.count('code_send')).toBeLessThan(await whole.count('code_send'))
  expect(await pruned.count('challenge')).toBeLessThan(await whole.count('challenge'))
  expect(await pruned.count('mailbox_guard')).toBe(2)
}, 240_000)

it('the retention keeps rows that an evidence task still reads, however old, and deletes them afterwards [D30, D41]', async () => {
  const { database, view, ask, pass, prune, count, signing, sessionOf, setLine } = await open()
  const { id } = await ask(PARTY)
  // No task can be performed meanwhile.
  setLine('down')
  await sql`insert into evidence_task (contract_id, type, data) values
    (${view.contractId}, 'code.locked', ${JSON.stringify({ challengeId: id, lockedAt: view.createdAt })}),
    (${view.contractId}, 'code.sent', (select jsonb_build_object('codeId', id) from code_send))`.execute(database)
  const session = await sessionOf(view, 0)
  const attemptId = await signing.prepare(session, view, 0, 'en')
  await sql`insert into sign_attempt (id, contract_id, party_index, session_id, state, typed_name, submitted_at)
    values (${attemptId}, ${view.contractId}, 0, ${session.id}, 'submitted', 'Person 0', now())`.execute(database)
  await pass(400 * DAY)
  await prune()
  const left = () =>
    Promise.all(['challenge', 'code_send', 'sign_attempt', 'one_time_code', 'mailbox_session', 'text_shown'].map(count))
  expect(await left()).toEqual([1, 1, 1, 0, 0, 0])
  setLine('up')
  await sql`update evidence_task set run_after = now() - interval '1 second'`.execute(database)
  await pass(0)
  await signing.sweep()
  await pass(0)
  expectWithMessage(await count('sign_attempt'), 'the attempt is finished now, and stays for the pages').toBe(1)
  expect(await chainHas(database, view.contractId)).toEqual(['code.locked', 'code.sent', 'signature.refused'])
  await pass(16 * DAY)
  await prune()
  expect(await left()).toEqual([0, 0, 0, 0, 0, 0])
})

it('the retention deletes addresses outside the evidence 16 days after entry, and client addresses of reports after two days [D16, P8]', async () => {
  const opened = await open()
  const { database, view, pass, prune } = opened
  await visit(opened, STRANGER, false)
  await visit(opened, PARTY, true)
  await sql`insert into report (id, contract_id, account_id, reason, message, client_hmac)
    values (gen_random_uuid(), ${view.contractId}, ${view.accountId}, 'other', 'a message', '\\x01')`.execute(database)
  expect(await tablesWith(database, '@example.test')).toEqual(
    expect.arrayContaining(['challenge', 'code_send', 'mailbox_guard', 'one_time_code', 'mailbox_session']),
  )
  await pass(2 * DAY + HOUR)
  await prune()
  const { rows } = await sql`select client_hmac from report`.execute(database)
  expect(rows).toEqual([{ client_hmac: null }])
  await pass(14 * DAY)
  await prune()
  expect(await tablesWith(database, '@example.test')).toEqual(['evidence_opening'])
})

async function chainHas(database: CeremonyFixture['database'], contractId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('evidence_entry')
    .select('type')
    .where('contract_id', '=', contractId)
    .where('type', 'in', ['code.locked', 'code.sent', 'signature.accepted', 'signature.refused'])
    .orderBy('type')
    .execute()
  return rows.map(({ type }) => type)
}

async function tablesWith(database: CeremonyFixture['database'], text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(database)
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await sql`select 1 from ${sql.id(name)} as t where t::text like ${`%${text}%`} limit 1`.execute(
      database,
    )
    if (hits.rows.length > 0) found.push(name)
  }
  return found
}
