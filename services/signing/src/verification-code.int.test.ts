import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { unseal } from '@paraph/service/keyring'
import { openCeremonyFixture, type CeremonyFixture } from './ceremony-fixture.js'
import type { ContractFacts } from './contract-facts.js'
import { findSession } from './signing-session.js'

const VISITOR = { clientAddress: '192.0.2.7', userAgent: 'test' }
const PARTY = 'p0@example.test'
const STRANGER = 'stranger@example.test'

let fixture: CeremonyFixture
let facts: ContractFacts
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  facts = await fixture.createContract()
})

async function ask(typed = PARTY, clientAddress = VISITOR.clientAddress) {
  const made = await fixture.codes.request(facts, { typed, isResend: false }, { ...VISITOR, clientAddress })
  if ('tryAgainAt' in made) throw new Error('this client asked too often')
  return made.challengeId
}

/** The codes that wait to be pushed to `mailbox`, newest first. */
async function codesOf(mailbox: string): Promise<string[]> {
  const rows = await fixture.database
    .selectFrom('code_send')
    .selectAll()
    .where('contract_id', '=', facts.contractId)
    .where('mailbox', '=', mailbox)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => unseal(fixture.codeKeys, { keyId: row.code_key_id, bytes: row.code_sealed! }, row.id))
}

const check = async (challengeId: string, code: string) => fixture.codes.verify(facts, challengeId, code, VISITOR)
const kindOf = async (challengeId: string, code: string) => (await check(challengeId, code))!.kind

/** As if everything of this contract had happened this much earlier. */
async function age(seconds: number): Promise<void> {
  const shift = sql`make_interval(secs => ${seconds})`
  await sql`update code_send set created_at = created_at - ${shift}, expires_at = expires_at - ${shift} where contract_id = ${facts.contractId}`.execute(
    fixture.database,
  )
  await sql`update one_time_code set created_at = created_at - ${shift}, expires_at = expires_at - ${shift} where contract_id = ${facts.contractId}`.execute(
    fixture.database,
  )
}

/** A code of the same length that no code of the mailbox is. */
const wrongCode = async (mailbox = PARTY): Promise<string> => {
  const codes = new Set(await codesOf(mailbox))
  return ['000000', '000001', '000002', '000003'].find((code) => !codes.has(code))!
}

it('opens a session for the right code, once, however it is grouped [D16]', async () => {
  const challenge = await ask()
  const [code] = await codesOf(PARTY)
  expect(code).toMatch(/^\d{6}$/)
  const outcome = await check(challenge, ` ${code!.slice(0, 3)}-${code!.slice(3)} `)
  expect(outcome?.kind).toBe('verified')
  const token = outcome?.kind === 'verified' ? outcome.session.token : ''
  expect(await findSession(fixture.database, facts.contractId, token)).toMatchObject({ mailbox: PARTY })
  expect(await findSession(fixture.database, 'contract-other', token)).toBeUndefined()
  await age(61)
  expect(await kindOf(await ask(), code!)).toBe('used')
  expect(await fixture.chainOf(facts.contractId)).toEqual(['contract.created', 'code.verified'])
})

it('takes five tries per challenge and no more, also when fifty come at once [D16]', async () => {
  const challenge = await ask()
  const wrong = await wrongCode()
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => kindOf(challenge, wrong)))
  expect(outcomes.filter((kind) => kind === 'wrong')).toHaveLength(4)
  expect(outcomes.filter((kind) => kind === 'dead')).toHaveLength(46)
  const { rows } = await sql<{
    wrong_in_row: number
  }>`select wrong_in_row from mailbox_guard where contract_id = ${facts.contractId}`.execute(fixture.database)
  expect(rows[0]!.wrong_in_row).toBe(5)
  expect(await kindOf(challenge, (await codesOf(PARTY))[0]!), 'the right code comes too late here').toBe('dead')
  expect(await kindOf(await ask('P0@EXAMPLE.test'), (await codesOf(PARTY))[0]!), 'and works at another challenge').toBe(
    'verified',
  )
})

it('uses no try for what cannot be a code [ceremony 3f]', async () => {
  const challenge = await ask()
  for (const typed of ['', '12345', 'abcdef', '1234567', '１２３'])
    expect(await kindOf(challenge, typed)).toBe('wrong_shape')
  expect((await fixture.codes.find(facts.contractId, challenge))?.triesLeft).toBe(5)
})

it('leaves one live session when the button is clicked twice, whichever answer the browser keeps [D16]', async () => {
  for (let run = 0; run < 20; run += 1) {
    facts = await fixture.createContract()
    const challenge = await ask()
    const [code] = await codesOf(PARTY)
    const outcomes = await Promise.all([check(challenge, code!), check(challenge, code!)])
    const tokens = outcomes.map((outcome) => (outcome?.kind === 'verified' ? outcome.session.token : ''))
    const sessions = await Promise.all(tokens.map((token) => findSession(fixture.database, facts.contractId, token)))
    expect(sessions.filter((session) => session !== undefined)).toHaveLength(1)
  }
})

it('takes a code again only at its own challenge and within 30 seconds [D16]', async () => {
  const challenge = await ask()
  const [code] = await codesOf(PARTY)
  expect(await kindOf(challenge, code!)).toBe('verified')
  await age(61)
  expect(await kindOf(await ask(), code!)).toBe('used')
  expect(await kindOf(challenge, code!)).toBe('verified')
  await sql`update challenge set passed_at = passed_at - interval '30 seconds' where id = ${challenge}`.execute(
    fixture.database,
  )
  expect(await kindOf(challenge, code!)).toBe('used')
  expect((await fixture.codes.find(facts.contractId, challenge))?.isPassed).toBe(true)
})

it('keeps three codes alive over resends, ends the oldest, and ends all at a success [D16]', async () => {
  const codes: string[] = []
  for (let send = 0; send < 4; send += 1) {
    await ask()
    codes.unshift((await codesOf(PARTY))[0]!)
    await age(61)
  }
  const challenge = await ask(PARTY)
  expect(await kindOf(challenge, codes[3]!), 'the fourth newest is over').toBe('expired')
  expect(await kindOf(challenge, codes[1]!), 'a resend leaves earlier ones valid').toBe('verified')
  await age(61)
  expect(await kindOf(await ask(), codes[0]!)).toBe('used')
})

it('says expired for a code older than ten minutes [D16]', async () => {
  const challenge = await ask()
  const [code] = await codesOf(PARTY)
  await age(600)
  expect(await kindOf(challenge, code!)).toBe('expired')
})

it('never accepts the code that was made for a stranger, and keeps strangers out of the chain [D16, D30]', async () => {
  const challenge = await ask(STRANGER)
  const [code] = await codesOf(STRANGER)
  expect(await kindOf(challenge, code!)).toBe('wrong')
  expect(await fixture.chainOf(facts.contractId)).toEqual([])
})

it('gives a stranger the same answers as a party, step by step [D16]', async () => {
  const told = async (address: string) => {
    const answers: unknown[] = []
    const wrong = await wrongCode(address)
    for (let round = 0; round < 7; round += 1) {
      const id = await ask(address)
      const { id: _, typed: _t, mailbox: _m, refusal, ...challenge } = (await fixture.codes.find(facts.contractId, id))!
      answers.push(challenge, refusal?.reason)
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const outcome = (await check(id, wrong))!
        answers.push(outcome.kind, 'challenge' in outcome ? outcome.challenge.triesLeft : undefined)
      }
      await age(61)
    }
    return answers
  }
  const party = await told(PARTY)
  facts = await fixture.createContract()
  expect(await told(STRANGER)).toEqual(party)
})

describe('after 100 wrong codes in a row [D16]', () => {
  it.each([
    [PARTY, ['contract.created', 'code.locked']],
    [STRANGER, []],
  ])('ends the live codes of %s and makes the next ones 12 digits, once, until a right one', async (address, chain) => {
    await ask(address)
    const wrong = await wrongCode(address)
    const [live] = await codesOf(address)
    for (let challenge = 0; challenge < 20; challenge += 1) {
      const id = await ask(address)
      for (let attempt = 0; attempt < 5; attempt += 1) await kindOf(id, wrong)
    }
    const id = await ask(address)
    expect((await fixture.codes.find(facts.contractId, id))?.digits).toBe(12)
    expect(await kindOf(id, live!)).not.toBe('verified')
    const { rows } =
      await sql`select 1 from one_time_code where contract_id = ${facts.contractId} and ended_at is null`.execute(
        fixture.database,
      )
    expect(rows, 'no short code is left alive').toEqual([])
    expect(await fixture.chainOf(facts.contractId)).toEqual(chain)
    await age(3_700)
    const next = await ask(address)
    const [long] = await codesOf(address)
    expect(long).toMatch(/^\d{12}$/)
    if (address !== PARTY) return
    expect(await kindOf(next, long!)).toBe('verified')
    await age(3_700)
    expect((await fixture.codes.find(facts.contractId, await ask(address)))?.digits).toBe(6)
  })
})

it('makes at most 600 challenges an hour for one client address [D16]', async () => {
  const client = '198.51.100.9'
  await ask(PARTY, client)
  await sql`insert into challenge (id, contract_id, mailbox, typed, client_hmac, is_resend)
    select 'filler-' || n, contract_id, mailbox, typed, client_hmac, false from challenge, generate_series(1, 598) n
     where contract_id = ${facts.contractId}`.execute(fixture.database)
  const asked = () =>
    fixture.codes.request(facts, { typed: STRANGER, isResend: false }, { ...VISITOR, clientAddress: client })
  expect(await asked()).toHaveProperty('challengeId')
  expect(await asked()).toHaveProperty('tryAgainAt')
  expect(await ask(STRANGER, '198.51.100.10'), 'another address is not slowed').toBeDefined()
})

it('keeps no code in clear [D16, D42]', async () => {
  await ask()
  const [code] = await codesOf(PARTY)
  for (const table of ['one_time_code', 'code_send', 'challenge'] as const) {
    const { rows } = await sql<{
      whole: string
    }>`select t::text as whole from ${sql.table(table)} t where contract_id = ${facts.contractId}`.execute(
      fixture.database,
    )
    expect(rows.some(({ whole }) => whole.includes(code!) || whole.includes(Buffer.from(code!).toString('hex')))).toBe(
      false,
    )
  }
})
