import { describe, expect, it } from '@jest/globals'
import { decide, evolve, statusAt, type Contract } from '@paraph/contract/domain/contract'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { explain, step, type Call, type CallAnswer, type PageShows, type SignOutcome } from './history-checker.js'

/** One call from `startedAt` to `endedAt`. */
const call = (startedAt: number, endedAt: number, answer: CallAnswer): Call => ({
  who: 'somebody',
  startedAt,
  endedAt,
  answer,
})
const read = (status: string, ...signed: number[]): CallAnswer => ({ of: 'read', status, signed })
const sign = (partyIndex: number, outcome: SignOutcome, attemptId = `a${partyIndex}`): CallAnswer => ({
  of: 'sign',
  partyIndex,
  attemptId,
  outcome,
})
const page = (shows: PageShows, partyIndex = 0): CallAnswer => ({ of: 'page', partyIndex, shows })
const cancel = (outcome: Extract<CallAnswer, { of: 'cancel' }>['outcome']): CallAnswer => ({ of: 'cancel', outcome })
const rows = (status: string, ...signed: number[]): Call =>
  call(1_000, 1_001, {
    of: 'rows',
    status,
    signatures: signed.map((partyIndex) => ({ partyIndex, attemptId: `a${partyIndex}` })),
  })

describe('the history checker explains what the state table allows [I3, I5, I6]', () => {
  it.each<[string, Call[]]>([
    [
      'two parties sign at the same time',
      [call(0, 9, sign(0, 'signed')), call(1, 8, sign(1, 'signed')), rows('signed', 0, 1)],
    ],
    ['an answer was lost, the call was recorded', [call(0, Infinity, sign(0, 'unknown')), rows('partially_signed', 0)]],
    ['an answer was lost, nothing was recorded', [call(0, Infinity, sign(0, 'unknown')), rows('pending_signature')]],
    [
      'a call without an answer is recorded much later',
      [
        call(0, Infinity, sign(0, 'unknown')),
        call(5, 6, read('pending_signature')),
        call(7, 8, read('partially_signed', 0)),
        rows('partially_signed', 0),
      ],
    ],
    [
      'reads before and during a signature',
      [
        call(0, 4, read('pending_signature')),
        call(1, 9, sign(0, 'signed')),
        call(2, 3, read('partially_signed', 0)),
        rows('partially_signed', 0),
      ],
    ],
    [
      'a cancellation without an answer, then a signature that is refused as cancelled',
      [call(0, Infinity, cancel('unknown')), call(3, 4, sign(0, 'cancelled')), rows('cancelled')],
    ],
    ['an expiry without a call', [call(5, 5, { of: 'due' }), call(6, 7, read('expired')), rows('expired')]],
    [
      'a second browser is answered that the party has signed',
      [call(0, 1, sign(0, 'signed')), call(2, 3, sign(0, 'signed', 'b0')), rows('partially_signed', 0)],
    ],
    [
      'a party whose answer was lost, and whose link shows that it has signed',
      [
        call(0, 1, page('address')),
        call(2, 3, page('form')),
        call(4, Infinity, sign(0, 'unknown')),
        call(6, 7, page('signed')),
        rows('partially_signed', 0),
      ],
    ],
    [
      'the pages of the link from the first signature until the link closes',
      [
        call(0, 1, sign(0, 'signed')),
        call(2, 3, page('signed')),
        call(4, 5, page('form', 1)),
        call(6, 7, sign(1, 'signed')),
        call(8, 9, page('completed', 1)),
        call(10, 11, page('address')),
        call(12, 13, { of: 'due' }),
        call(14, 15, page('closed')),
        rows('signed', 0, 1),
      ],
    ],
    [
      'a link that shows a cancellation before the answer to its call, and after expiresAt',
      [
        call(0, Infinity, cancel('unknown')),
        call(1, 2, page('cancelled')),
        call(3, 3, { of: 'due' }),
        call(4, 5, page('cancelled', 1)),
        rows('cancelled'),
      ],
    ],
  ])('as in: %s', (_, calls) => {
    expect(explain(calls, 2).legal).toBe(true)
  })
})

describe('the history checker refutes what the state table forbids [I1-I6, D20, D41]', () => {
  it.each<[string, Call[]]>([
    ['a signature that was confirmed and is not stored', [call(0, 1, sign(0, 'signed')), rows('pending_signature')]],
    ['a signature that was refused and is stored', [call(0, 1, sign(0, 'cancelled')), rows('partially_signed', 0)]],
    [
      'a signature that was given up and is stored',
      [call(0, Infinity, sign(0, 'unknown')), call(2, 3, sign(0, 'given_up')), rows('partially_signed', 0)],
    ],
    [
      'signing progress that decreases',
      [
        call(0, 1, sign(0, 'signed')),
        call(2, 3, read('partially_signed', 0)),
        call(4, 5, read('pending_signature')),
        rows('partially_signed', 0),
      ],
    ],
    [
      'a read that began after a confirmed signature and does not show it',
      [call(0, 1, sign(0, 'signed')), call(2, 3, read('pending_signature')), rows('partially_signed', 0)],
    ],
    [
      'a contract that is both signed and cancelled',
      [
        call(0, 9, sign(0, 'signed')),
        call(0, 9, sign(1, 'signed')),
        call(10, 11, cancel('cancelled')),
        rows('cancelled', 0, 1),
      ],
    ],
    ['two cancellations', [call(0, 9, cancel('cancelled')), call(0, 9, cancel('cancelled')), rows('cancelled')]],
    ['a signature after expiresAt', [call(5, 5, { of: 'due' }), call(6, 7, sign(0, 'signed')), rows('expired', 0)]],
    ['still open after expiresAt', [call(5, 5, { of: 'due' }), call(6, 7, read('pending_signature')), rows('expired')]],
    ['a read without the contract', [call(0, 1, read('absent')), rows('pending_signature')]],
    ['another attempt stored than confirmed', [call(0, 1, sign(0, 'signed', 'b0')), rows('partially_signed', 0)]],
    [
      'reads that are legal one by one, but in no common order',
      [
        call(0, 10, sign(0, 'signed')),
        call(0, 10, sign(1, 'signed')),
        call(1, 2, read('partially_signed', 0)),
        call(3, 4, read('partially_signed', 1)),
        rows('signed', 0, 1),
      ],
    ],
    [
      'a page "you have signed" before any form was sent',
      [call(0, 1, page('signed')), call(2, 3, sign(0, 'signed')), rows('partially_signed', 0)],
    ],
    [
      'a page "you have signed" for the signature of another party',
      [call(0, 1, sign(0, 'signed')), call(2, 3, page('signed', 1)), rows('partially_signed', 0)],
    ],
    [
      'a page "you have signed" of a signature that is not stored',
      [call(0, Infinity, sign(0, 'unknown')), call(2, 3, page('signed')), rows('pending_signature')],
    ],
    [
      'a sign form for a party that has signed',
      [call(0, 1, sign(0, 'signed')), call(2, 3, page('form')), rows('partially_signed', 0)],
    ],
    [
      'a page "everyone has signed", then a GET with one signature',
      [
        call(0, 1, sign(0, 'signed')),
        call(0, Infinity, sign(1, 'unknown')),
        call(2, 3, page('completed')),
        call(4, 5, read('partially_signed', 0)),
        rows('signed', 0, 1),
      ],
    ],
    [
      'a page "you have signed" after everyone has signed',
      [call(0, 1, sign(0, 'signed')), call(2, 3, sign(1, 'signed')), call(4, 5, page('signed')), rows('signed', 0, 1)],
    ],
    [
      'a page "cancelled", then a signature',
      [
        call(0, Infinity, cancel('unknown')),
        call(2, 3, page('cancelled')),
        call(4, 5, sign(0, 'signed')),
        rows('cancelled', 0),
      ],
    ],
    [
      'a page "cancelled" of a contract without a cancellation',
      [call(0, 1, page('cancelled')), rows('pending_signature')],
    ],
    ['a page "expired" before expiresAt', [call(0, 1, page('expired')), call(5, 5, { of: 'due' }), rows('expired')]],
    ['a link that opens after expiresAt', [call(5, 5, { of: 'due' }), call(6, 7, page('address')), rows('expired')]],
    [
      'a link that has closed before expiresAt',
      [
        call(0, 1, sign(0, 'signed')),
        call(0, 1, sign(1, 'signed')),
        call(2, 3, page('closed')),
        call(5, 5, { of: 'due' }),
        rows('signed', 0, 1),
      ],
    ],
    ['a link that is not found', [call(0, 1, page('absent')), rows('pending_signature')]],
  ])('as in: %s', (_, calls) => {
    const verdict = explain(calls, 2)
    expect(verdict.legal).toBe(false)
    expect('stuck' in verdict && verdict.stuck.length).toBeGreaterThan(0)
  })
})

/** What a correct page of the link shows a party with a verified mailbox. */
function shownAt(contract: Contract, now: Date, partyIndex: number): PageShows {
  const status = statusAt(contract, now)
  if (status === 'cancelled' || status === 'expired') return status
  if (now >= contract.expiresAt) return 'closed'
  if (status === 'signed') return 'completed'
  return contract.signatures.some((signature) => signature.partyIndex === partyIndex) ? 'signed' : 'form'
}

/** A random run of a correct contract. Calls take effect one after another; start and end of each are widened at random. */
function play(random: () => number, partyCount: number): Call[] {
  const due = new Date(random() < 0.4 ? 50 : 10_000)
  let contract: Contract = {
    status: 'pending_signature',
    partyCount,
    signatures: [],
    declined: [],
    readdressed: [],
    cancelsOnDecline: false,
    isErased: false,
    isHeld: false,
    eraseDueAt: null,
    expiresAt: due,
    changedAt: new Date(0),
    version: 1,
  }
  const calls: Call[] = due.getTime() < 1_000 ? [call(49.9, 50, { of: 'due' })] : []
  const signedNow = (): number[] => contract.signatures.map(({ partyIndex }) => partyIndex)
  for (let at = 1; at < 100; at += 1 + Math.floor(random() * 12)) {
    const now = new Date(at)
    const [startedAt, endedAt] = [at - random() * 20, at + 0.05 + random() * 20]
    const isLost = random() < 0.25
    const kind = random()
    if (kind < 0.2) {
      const partyIndex = Math.floor(random() * partyCount)
      calls.push(call(startedAt, endedAt, page(shownAt(contract, now, partyIndex), partyIndex)))
    } else if (kind < 0.5) calls.push(call(startedAt, endedAt, read(statusAt(contract, now), ...signedNow())))
    else if (kind < 0.9) {
      const partyIndex = Math.floor(random() * partyCount)
      const attemptId = `${partyIndex}${random() < 0.7 ? 'a' : 'b'}`
      const decision = decide(contract, { type: 'sign', partyIndex, attemptId }, now)
      if ('events' in decision) contract = decision.events.reduce(evolve, contract)
      const has = signedNow().includes(partyIndex)
      const outcome = has ? 'signed' : (statusAt(contract, now) as 'cancelled' | 'expired')
      calls.push(
        call(startedAt, isLost ? Infinity : endedAt, {
          of: 'sign',
          partyIndex,
          attemptId,
          outcome: isLost ? 'unknown' : outcome,
        }),
      )
    } else if (random() < 0.3) {
      const decision = decide(contract, { type: 'cancel', actor: 'operator' }, now)
      if ('events' in decision) contract = decision.events.reduce(evolve, contract)
      const outcome = 'events' in decision ? 'cancelled' : (`already_${decision.refusal}` as 'already_signed')
      calls.push(call(startedAt, isLost ? Infinity : endedAt, cancel(isLost ? 'unknown' : outcome)))
    }
  }
  const status = statusAt(contract, new Date(1_000))
  calls.push(call(1_000, 1_001, { of: 'rows', status, signatures: contract.signatures }))
  return calls
}

it('the history checker explains 2,000 random runs of a correct contract', () => {
  const random = createSeededRandom(6)
  for (let round = 0; round < 2_000; round += 1) {
    const calls = play(random, 2 + (round % 2))
    expectWithMessage(explain(calls, 2 + (round % 2)).legal, `round ${round}`).toBe(true)
  }
}, 60_000)

/** Tries every order, with and without the calls that need not have happened. Slow, and too simple to be wrong. */
function bruteForce(calls: readonly Call[], partyCount: number): boolean {
  const tryFrom = (state: Parameters<typeof step>[0], left: readonly Call[]): boolean => {
    if (
      left.every(({ answer, endedAt }) => endedAt === Infinity && answer.of === 'sign' && answer.outcome === 'unknown')
    )
      return true
    return left.some(
      (next) =>
        left.every((other) => other.endedAt >= next.startedAt) &&
        step(state, next.answer).some((after) =>
          tryFrom(
            after,
            left.filter((other) => other !== next),
          ),
        ),
    )
  }
  const contract: Contract = {
    status: 'pending_signature',
    signatures: [],
    declined: [],
    readdressed: [],
    cancelsOnDecline: false,
    isErased: false,
    isHeld: false,
    eraseDueAt: null,
    changedAt: new Date(0),
    version: 1,
    partyCount,
    expiresAt: new Date(1),
  }
  return tryFrom({ contract, givenUp: [], isDue: false }, calls)
}

it('the history checker agrees with an exhaustive search on 1,500 small histories, many of them incorrect', () => {
  const random = createSeededRandom(13)
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!
  let refuted = 0
  for (let round = 0; round < 1_500; round += 1) {
    const calls = Array.from({ length: 2 + Math.floor(random() * 4) }, (): Call => {
      const startedAt = random() * 10
      const answer: CallAnswer =
        random() < 0.5
          ? sign(pick([0, 1]), pick(['signed', 'signed', 'unknown', 'not_signed', 'given_up']), pick(['x', 'y']))
          : random() < 0.7
            ? read(
                ...pick<[string, ...number[]]>([
                  ['pending_signature'],
                  ['partially_signed', 0],
                  ['partially_signed', 1],
                  ['signed', 0, 1],
                ]),
              )
            : random() < 0.5
              ? page(pick(['signed', 'completed', 'closed', 'cancelled', 'expired', 'form', 'address']), pick([0, 1]))
              : pick<CallAnswer>([cancel('cancelled'), cancel('already_signed'), { of: 'due' }])
      const isLost = answer.of === 'sign' && answer.outcome === 'unknown'
      return call(startedAt, isLost ? Infinity : startedAt + random() * 6, answer)
    })
    const expected = bruteForce(calls, 2)
    if (!expected) refuted += 1
    expectWithMessage(explain(calls, 2).legal, JSON.stringify(calls)).toBe(expected)
  }
  expect(refuted).toBeGreaterThan(300)
  expect(refuted).toBeLessThan(1_300)
}, 60_000)

it('the history checker decides a history with 60 lost answers and 300 reads', () => {
  const lost = Array.from({ length: 60 }, (_, n) => call(n, Infinity, sign(n % 2, 'unknown', `a${n % 2} ${n}`)))
  const signed = { partyIndex: 0, attemptId: 'a0 30' }
  const end = (status: string): Call => call(1_000, 1_001, { of: 'rows', status, signatures: [signed] })
  const reads = Array.from({ length: 300 }, (_, n) => call(300 + n, 301 + n, read('partially_signed', 0)))
  expect(explain([...lost, ...reads, end('partially_signed')], 2).legal).toBe(true)
  expect(explain([...lost, ...reads, end('signed')], 2).legal).toBe(false)
})
