import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { parseKeyring, unseal } from '@paraph/config/keyring'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import type { ContractView } from '../clients/contract.js'
import { createEvidenceTasks } from '../tasks/evidence-tasks.js'
import { endSession, findSession } from '@paraph/codes/mailbox-session'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createVerificationCodes, type VerificationCodes } from './verification-code.js'

const VISITOR = { clientAddress: '192.0.2.7', userAgent: 'test' }
const BROWSER = 'A'.repeat(43)
const PARTY = 'p0@example.test'
const STRANGER = 'stranger@example.test'

let fixture: CeremonyFixture
let view: ContractView
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  view = await fixture.createContract()
})

async function requestCode(typed = PARTY, clientAddress = VISITOR.clientAddress) {
  const created = await fixture.codes.request(
    view,
    { typed, isResend: false, browser: BROWSER },
    { ...VISITOR, clientAddress },
  )
  if (!('challengeId' in created)) throw new Error('the request was refused')
  return created.challengeId
}

/** The queued codes of `mailbox`, newest first. */
async function codesOf(mailbox: string): Promise<string[]> {
  const rows = await fixture.database
    .selectFrom('code_send')
    .selectAll()
    .where('scope', '=', view.contractId)
    .where('mailbox', '=', mailbox)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => unseal(fixture.codeKeys, { keyId: row.code_key_id, bytes: row.code_sealed! }, row.id))
}

const check = async (challengeId: string, code: string, browser: string | undefined = BROWSER) =>
  fixture.codes.verify(view, challengeId, code, VISITOR, browser)
const kindOf = async (challengeId: string, code: string) => (await check(challengeId, code))!.kind

/** Shifts the contract's codes `seconds` into the past. */
async function age(seconds: number): Promise<void> {
  const shift = sql`make_interval(secs => ${seconds})`
  await sql`update code_send set created_at = created_at - ${shift}, expires_at = expires_at - ${shift} where scope = ${view.contractId}`.execute(
    fixture.database,
  )
  await sql`update one_time_code set created_at = created_at - ${shift}, expires_at = expires_at - ${shift} where scope = ${view.contractId}`.execute(
    fixture.database,
  )
}

/** Runs the queued evidence tasks. */
async function workOffEvidence(): Promise<void> {
  const tasks = createEvidenceTasks(fixture)
  while (await tasks.next());
}

/** Six digits that match no code of the mailbox. */
const wrongCode = async (mailbox = PARTY): Promise<string> => {
  const codes = new Set(await codesOf(mailbox))
  return ['000000', '000001', '000002', '000003'].find((code) => !codes.has(code))!
}

it('a correct code opens a session, once, with any grouping of its digits [S2.5, D16]', async () => {
  const challenge = await requestCode()
  const [code] = await codesOf(PARTY)
  expect(code).toMatch(/^\d{6}$/)
  const outcome = await check(challenge, ` ${code!.slice(0, 3)}-${code!.slice(3)} `)
  expect(outcome?.kind).toBe('verified')
  const token = outcome?.kind === 'verified' ? outcome.session.token : ''
  expect(await findSession(fixture.database, view.contractId, token)).toMatchObject({ mailbox: PARTY })
  expect(await findSession(fixture.database, 'contract-other', token)).toBeUndefined()
  await age(61)
  expect(await kindOf(await requestCode(), code!)).toBe('used')
  expect(await fixture.chainOf(view.contractId)).toEqual(['contract.created', 'code.verified'])
})

it('a correct code ends the codes of its own mailbox, and of no other mailbox [D16]', async () => {
  const other = 'p1@example.test'
  const [mine, second, theirs] = [await requestCode(), await requestCode(), await requestCode(other)]
  const [code] = await codesOf(PARTY)
  const [otherCode] = await codesOf(other)
  expect(await kindOf(mine, code!)).toBe('verified')
  expect(await kindOf(second, code!)).toBe('used')
  expect(await kindOf(theirs, otherCode!)).toBe('verified')
})

it('a challenge allows five tries, even if fifty arrive in parallel [D16]', async () => {
  const challenge = await requestCode()
  const wrong = await wrongCode()
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => kindOf(challenge, wrong)))
  expect(outcomes.filter((kind) => kind === 'wrong')).toHaveLength(4)
  expect(outcomes.filter((kind) => kind === 'dead')).toHaveLength(46)
  const { rows } = await sql<{
    wrong_in_row: number
  }>`select wrong_in_row from mailbox_guard where scope = ${view.contractId}`.execute(fixture.database)
  expect(rows[0]!.wrong_in_row).toBe(5)
  expectWithMessage(await kindOf(challenge, (await codesOf(PARTY))[0]!), 'the correct code after five wrong ones').toBe(
    'dead',
  )
  expectWithMessage(
    await kindOf(await requestCode('P0@EXAMPLE.test'), (await codesOf(PARTY))[0]!),
    'the correct code at another challenge',
  ).toBe('verified')
})

it('input that cannot be a code costs no try [ceremony 3f]', async () => {
  const challenge = await requestCode()
  for (const typed of ['', '12345', 'abcdef', '1234567', '１２３'])
    expect(await kindOf(challenge, typed)).toBe('wrong_shape')
  expect((await fixture.codes.find(view.contractId, challenge))?.triesLeft).toBe(5)
})

it('a double click leaves one live session, whichever response the browser keeps [D16]', async () => {
  for (let run = 0; run < 20; run += 1) {
    view = await fixture.createContract()
    const challenge = await requestCode()
    const [code] = await codesOf(PARTY)
    const outcomes = await Promise.all([check(challenge, code!), check(challenge, code!)])
    const tokens = outcomes.map((outcome) => (outcome?.kind === 'verified' ? outcome.session.token : ''))
    const sessions = await Promise.all(tokens.map((token) => findSession(fixture.database, view.contractId, token)))
    expect(sessions.filter((session) => session !== undefined)).toHaveLength(1)
  }
})

it('a used code is accepted again only at its own challenge and within 30 seconds [D16]', async () => {
  const challenge = await requestCode()
  const [code] = await codesOf(PARTY)
  expect(await kindOf(challenge, code!)).toBe('verified')
  await age(61)
  expect(await kindOf(await requestCode(), code!)).toBe('used')
  expect(await kindOf(challenge, code!)).toBe('verified')
  await sql`update challenge set passed_at = passed_at - interval '30 seconds' where id = ${challenge}`.execute(
    fixture.database,
  )
  expect(await kindOf(challenge, code!)).toBe('used')
  expect((await fixture.codes.find(view.contractId, challenge))?.isPassed).toBe(true)
})

it('a second click opens a session only in the browser that requested the code, and ends no session of another [P30]', async () => {
  const challenge = await requestCode()
  const [code] = await codesOf(PARTY)
  const outcome = await check(challenge, code!)
  const token = outcome?.kind === 'verified' ? outcome.session.token : ''
  for (const browser of ['B'.repeat(43), '']) expect((await check(challenge, code!, browser))?.kind).toBe('used')
  expect(await findSession(fixture.database, view.contractId, token)).toBeDefined()
  expect((await check(challenge, code!))?.kind).toBe('verified')
})

it('a code works at any live challenge of its mailbox, so in another browser too [D16]', async () => {
  await requestCode()
  const [code] = await codesOf(PARTY)
  const elsewhere = await fixture.codes.request(
    view,
    { typed: PARTY, isResend: false, browser: 'B'.repeat(43) },
    VISITOR,
  )
  const challenge = 'challengeId' in elsewhere ? elsewhere.challengeId : ''
  expect((await check(challenge, code!, 'C'.repeat(43)))?.kind).toBe('verified')
})

it('a wrong code at a passed challenge costs a try too, so that the number of guesses stays limited [D16]', async () => {
  const challenge = await requestCode()
  expect(await kindOf(challenge, (await codesOf(PARTY))[0]!)).toBe('verified')
  const wrong = await wrongCode()
  for (let guess = 0; guess < 5; guess += 1) expect(await kindOf(challenge, wrong)).toBe('used')
  expect(await kindOf(challenge, wrong)).toBe('dead')
})

it('a used code opens no second session after "Finish and leave", however soon [D33]', async () => {
  const challenge = await requestCode()
  const [code] = await codesOf(PARTY)
  const outcome = await check(challenge, code!)
  await endSession(fixture.database, outcome?.kind === 'verified' ? outcome.session.id : '')
  expect(await kindOf(challenge, code!)).toBe('used')
})

it('a session lasts 24 hours [D33]', async () => {
  const challenge = await requestCode()
  const outcome = await check(challenge, (await codesOf(PARTY))[0]!)
  const { token, id } = outcome?.kind === 'verified' ? outcome.session : { token: '', id: '' }
  const isLive = async () => (await findSession(fixture.database, view.contractId, token)) !== undefined
  const left = await sql<{
    seconds: number
  }>`select extract(epoch from expires_at - created_at)::int as seconds from mailbox_session where id = ${id}`.execute(
    fixture.database,
  )
  expect(left.rows[0]!.seconds).toBe(86_400)
  const shift = (seconds: number) =>
    sql`update mailbox_session set expires_at = clock_timestamp() + make_interval(secs => ${seconds}) where id = ${id}`.execute(
      fixture.database,
    )
  await shift(60)
  expect(await isLive()).toBe(true)
  // The column rounds to the millisecond, so the stored end may be half a millisecond later.
  await shift(-0.001)
  expect(await isLive()).toBe(false)
})

it('after resends the three newest codes stay valid, and a correct code ends all [D16]', async () => {
  const codes: string[] = []
  for (let send = 0; send < 4; send += 1) {
    await requestCode()
    codes.unshift((await codesOf(PARTY))[0]!)
    await age(61)
  }
  const challenge = await requestCode(PARTY)
  expectWithMessage(await kindOf(challenge, codes[3]!), 'the fourth newest code has ended').toBe('expired')
  expectWithMessage(await kindOf(challenge, codes[1]!), 'a resend leaves earlier codes valid').toBe('verified')
  await age(61)
  expect(await kindOf(await requestCode(), codes[0]!)).toBe('used')
})

it('a code that was sent before the clock was set back does not delay the next one, and stays valid [D16, F32]', async () => {
  await requestCode()
  const [code] = await codesOf(PARTY)
  await age(-3_600)
  const challenge = await requestCode()
  expect(await codesOf(PARTY)).toHaveLength(2)
  expect(await kindOf(challenge, code!)).toBe('verified')
})

it('a code older than ten minutes is rejected as expired [D16]', async () => {
  const challenge = await requestCode()
  const [code] = await codesOf(PARTY)
  await age(600)
  expect(await kindOf(challenge, code!)).toBe('expired')
})

it('a code created for a stranger is never accepted, and strangers never appear in the chain [S2.5, D16, D30]', async () => {
  const challenge = await requestCode(STRANGER)
  const [code] = await codesOf(STRANGER)
  expect(await kindOf(challenge, code!)).toBe('wrong')
  expect(await fixture.chainOf(view.contractId)).toEqual([])
})

it('a stranger gets the same answers as a party at each step [D16]', async () => {
  const answersFor = async (address: string) => {
    const answers: unknown[] = []
    const wrong = await wrongCode(address)
    for (let round = 0; round < 7; round += 1) {
      const id = await requestCode(address)
      const { id: _, typed: _t, mailbox: _m, refusal, ...challenge } = (await fixture.codes.find(view.contractId, id))!
      answers.push(challenge, refusal?.reason)
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const outcome = (await check(id, wrong))!
        answers.push(outcome.kind, 'challenge' in outcome ? outcome.challenge.triesLeft : undefined)
      }
      await age(61)
    }
    return answers
  }
  const party = await answersFor(PARTY)
  view = await fixture.createContract()
  expect(await answersFor(STRANGER)).toEqual(party)
})

describe('after 100 wrong codes in a row [D16]', () => {
  it.each([
    [PARTY, ['contract.created', 'code.locked']],
    [STRANGER, []],
  ])(
    'the live codes of %s end, and new codes have 12 digits until one is accepted; a party’s chain records this once',
    async (address, chain) => {
      await requestCode(address)
      const wrong = await wrongCode(address)
      const [live] = await codesOf(address)
      for (let challenge = 0; challenge < 20; challenge += 1) {
        const id = await requestCode(address)
        for (let attempt = 0; attempt < 5; attempt += 1) await kindOf(id, wrong)
      }
      const id = await requestCode(address)
      expect((await fixture.codes.find(view.contractId, id))?.digits).toBe(12)
      expect(await kindOf(id, live!)).not.toBe('verified')
      const { rows } =
        await sql`select 1 from one_time_code where scope = ${view.contractId} and ended_at is null`.execute(
          fixture.database,
        )
      expectWithMessage(rows, 'no code of six digits is live').toEqual([])
      for (let attempt = 0; attempt < 5; attempt += 1) await kindOf(id, '000000000000')
      await workOffEvidence()
      expect(await fixture.chainOf(view.contractId)).toEqual(chain)
      await age(3_700)
      const next = await requestCode(address)
      const [long] = await codesOf(address)
      expect(long).toMatch(/^\d{12}$/)
      if (address !== PARTY) return
      expect(await kindOf(next, long!)).toBe('verified')
      await age(3_700)
      const short = await requestCode(address)
      expect((await fixture.codes.find(view.contractId, short))?.digits).toBe(6)
      await kindOf(short, await wrongCode(address))
      await age(61)
      const digits = (await fixture.codes.find(view.contractId, await requestCode(address)))?.digits
      expectWithMessage(digits, 'the count of wrong codes begins again').toBe(6)
    },
  )
})

describe('the sending of codes [D16]', () => {
  const refusalOf = async (challengeId: string) => (await fixture.codes.find(view.contractId, challengeId))!.refusal

  it('sends one code for fifty parallel requests', async () => {
    const challenges = await Promise.all(Array.from({ length: 50 }, (_, at) => requestCode(PARTY, `192.0.2.${at}`)))
    const refusals = await Promise.all(challenges.map(refusalOf))
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(1)
    expect(refusals.filter((refusal) => refusal?.reason === 'too_soon')).toHaveLength(49)
    expect(await codesOf(PARTY)).toHaveLength(1)
  })

  it('keeps at most three codes live, also for parallel requests', async () => {
    for (let send = 0; send < 5; send += 1) {
      await Promise.all([requestCode(), requestCode()])
      await age(61)
    }
    const { rows } = await sql`select 1 from one_time_code where scope = ${view.contractId} and ended_at is null
      and expires_at > clock_timestamp()`.execute(fixture.database)
    expect(rows).toHaveLength(3)
  })

  it.each([PARTY, STRANGER])('allows %s 5 codes an hour, and after 10 codes in a day 1 an hour', async (address) => {
    const sentEvery = async (seconds: number, times: number) => {
      let sent = 0
      for (let time = 0; time < times; time += 1) {
        if (!(await refusalOf(await requestCode(address)))) sent += 1
        await age(seconds)
      }
      return sent
    }
    expectWithMessage(await sentEvery(61, 7), 'in the first hour').toBe(5)
    await age(3_600)
    expectWithMessage(await sentEvery(61, 7), 'in the second hour').toBe(5)
    await age(3_600)
    expectWithMessage(await sentEvery(61, 7), 'in the third hour').toBe(1)
    await age(86_400)
    expectWithMessage(await sentEvery(61, 7), 'a day later').toBe(5)
  })

  it('never shows by the mails to some parties whether another address is a party’s [P29]', async () => {
    view = await fixture.createContract(8)
    const known = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'].map((name) => `${name}@example.test`)
    for (let round = 0; round < 5; round += 1) {
      for (const party of known) expect(await refusalOf(await requestCode(party))).toBeUndefined()
      await age(61)
    }
    // Thirty real mails in an hour. The seventh party and a stranger still get the same answer, and so does each known address.
    for (const guessed of ['p6@example.test', STRANGER])
      expectWithMessage(await refusalOf(await requestCode(guessed)), guessed).toBeUndefined()
    for (const party of known) expect(await refusalOf(await requestCode(party))).toMatchObject({ reason: 'used_up' })
  })
})

describe('the limit of challenges per client [D16]', () => {
  const CLIENT = '198.51.100.9'
  /** Inserts `count` earlier challenges of the client. */
  const fill = (count: number, inContract = view) =>
    sql`insert into challenge (id, scope, mailbox, typed, client_hmac, is_resend)
      select gen_random_uuid()::text, scope, mailbox, typed, client_hmac, false
        from (select * from challenge where scope = ${inContract.contractId} limit 1) c, generate_series(1, ${count}::int) n`.execute(
      fixture.database,
    )
  const requestFrom = (clientAddress: string, codes: VerificationCodes = fixture.codes, where = view) =>
    codes.request(where, { typed: STRANGER, isResend: false }, { ...VISITOR, clientAddress })

  it('is 600 an hour over all contracts, also for parallel requests', async () => {
    await requestCode(PARTY, CLIENT)
    await fill(589)
    const others = await Promise.all(Array.from({ length: 4 }, () => fixture.createContract()))
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, at) => requestFrom(CLIENT, fixture.codes, others[at % others.length])),
    )
    expect(created.filter((outcome) => 'challengeId' in outcome)).toHaveLength(10)
    expectWithMessage(await requestFrom('198.51.100.10'), 'another address is allowed').toHaveProperty('challengeId')
    await sql`update challenge set created_at = created_at - interval '1 hour'`.execute(fixture.database)
    expect(await requestFrom(CLIENT)).toHaveProperty('challengeId')
  })

  it('counts a /64 of IPv6 addresses, which belongs to one subscriber, as one client', async () => {
    await requestCode(PARTY, '2001:db8:1:2::1')
    await fill(599)
    expect(await requestFrom('2001:db8:1:2:ffff::9')).toHaveProperty('tryAgainAt')
    expect(await requestFrom('2001:db8:1:3::1')).toHaveProperty('challengeId')
  })

  it.each([
    { block: '/56', times: 4, inside: '2001:db8:1:2ff::1', outside: '2001:db8:1:300::1' },
    { block: '/48', times: 16, inside: '2001:db8:1:ffff::1', outside: '2001:db8:2::1' },
  ])(
    'counts a $block of IPv6 addresses too, which gets $times times as many',
    async ({ block, times, inside, outside }) => {
      await sql`delete from challenge`.execute(fixture.database)
      await requestCode(PARTY, '2001:db8:1:200::1')
      const column = sql.ref(`client_hmac_${block.slice(1)}`)
      // The block's other challenges come from as many /64s.
      await sql`insert into challenge (id, scope, mailbox, typed, client_hmac, ${column}, is_resend)
      select gen_random_uuid()::text, scope, mailbox, typed, decode(md5(n::text), 'hex'), ${column}, false
        from (select * from challenge where scope = ${view.contractId} limit 1) c, generate_series(1, ${600 * times - 2}::int) n`.execute(
        fixture.database,
      )
      expectWithMessage(await requestFrom(inside), 'the last one').toHaveProperty('challengeId')
      expectWithMessage(await requestFrom(inside), 'one more').toHaveProperty('tryAgainAt')
      expect(await requestFrom(outside)).toHaveProperty('challengeId')
    },
  )
})

describe('while the lock of a contract is taken [P29]', () => {
  /** Holds the lock as a running request does, until `act` is done. */
  const whileLocked = (act: (codes: VerificationCodes) => Promise<void>) =>
    fixture.database.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${view.contractId}`}, 0))`.execute(trx)
      await act(fixture.createCodes({ lockMsMax: 20 }))
    })
  const rowsOf = async () => {
    const { rows } = await sql<{ challenges: number; tries: number }>`
      select count(*)::int as challenges, sum(tries_left)::int as tries from challenge where scope = ${view.contractId}`.execute(
      fixture.database,
    )
    return rows[0]
  }

  it.each([PARTY, STRANGER])('a request and a check of %s end as busy, and count and send nothing', async (typed) => {
    const challenge = await requestCode(typed)
    const before = await rowsOf()
    await whileLocked(async (codes) => {
      expect(await codes.request(view, { typed, isResend: false }, VISITOR)).toEqual({ isBusy: true })
      expect(await codes.verify(view, challenge, '000000', VISITOR)).toMatchObject({ kind: 'busy' })
      expectWithMessage(await codes.verify(view, 'none', '000000', VISITOR), 'an unknown challenge').toBeUndefined()
    })
    expect(await rowsOf()).toEqual(before)
  })

  it('a client beyond its limit is refused without a wait for any lock', async () => {
    const clientAddress = '198.51.100.77'
    await requestCode(STRANGER, clientAddress)
    await sql`insert into challenge (id, scope, mailbox, typed, client_hmac, is_resend)
      select gen_random_uuid()::text, 'another', mailbox, typed, client_hmac, false
        from challenge, generate_series(1, 600) n where scope = ${view.contractId}`.execute(fixture.database)
    await whileLocked(async (codes) => {
      const refused = await codes.request(view, { typed: PARTY, isResend: false }, { ...VISITOR, clientAddress })
      expect(refused).toHaveProperty('tryAgainAt')
    })
  })
})

describe('after a rotation of the pepper [D16]', () => {
  const key = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
  const [older, newer] = [`old:${key()}`, `new:${key()}`]
  const codesWith = (...peppers: string[]) =>
    createVerificationCodes({
      database: fixture.database,
      codeKeys: fixture.codeKeys,
      onCodeDue: () => undefined,
      peppers: parseKeyring(peppers.join(',')),
    })
  const requestWith = async (codes: VerificationCodes) => {
    const created = await codes.request(view, { typed: PARTY, isResend: false }, VISITOR)
    return 'challengeId' in created ? created.challengeId : ''
  }

  it('earlier codes are accepted while the old pepper is configured, and new codes use the new pepper', async () => {
    const challenge = await requestWith(codesWith(older))
    const [code] = await codesOf(PARTY)
    const both = codesWith(newer, older)
    await age(61)
    await requestWith(both)
    const { rows } = await sql<{ pepper_id: string }>`
      select pepper_id from one_time_code where scope = ${view.contractId} order by created_at`.execute(
      fixture.database,
    )
    expect(rows.map(({ pepper_id }) => pepper_id)).toEqual(['old', 'new'])
    expectWithMessage(
      (await codesWith(newer).verify(view, challenge, code!, VISITOR))?.kind,
      'without the old pepper',
    ).toBe('wrong')
    expect((await both.verify(view, challenge, code!, VISITOR))?.kind).toBe('verified')
  })

  it('the count of challenges of a client continues', async () => {
    await requestWith(codesWith(older))
    await sql`insert into challenge (id, scope, mailbox, typed, client_hmac, is_resend)
      select gen_random_uuid()::text, scope, mailbox, typed, client_hmac, false
        from challenge, generate_series(1, 599) n where scope = ${view.contractId}`.execute(fixture.database)
    expect(await requestWith(codesWith(newer, older))).toBe('')
  })
})

it('a code is never stored in clear text [D16, D42]', async () => {
  await requestCode()
  const [code] = await codesOf(PARTY)
  for (const table of ['one_time_code', 'code_send', 'challenge'] as const) {
    const { rows } = await sql<{
      whole: string
    }>`select t::text as whole from ${sql.table(table)} t where scope = ${view.contractId}`.execute(fixture.database)
    expect(rows.some(({ whole }) => whole.includes(code!) || whole.includes(Buffer.from(code!).toString('hex')))).toBe(
      false,
    )
  }
})
