import { describe, expect, it } from '@jest/globals'
import { CONTRACT_STATUSES, type ContractStatus } from '@paraph/protocol/contract'
import type { Environment } from '@paraph/protocol/environment'
import { progress } from '@paraph/protocol/contract-views'
import { decide, evolve, statusAt, TRANSITIONS, type Command, type Contract, type ContractEvent } from './contract.js'
import { outboxRowOf } from './events.js'

const expiresAt = new Date('2026-12-04T14:03:00.000Z')
const before = new Date(expiresAt.getTime() - 1)

const signaturesOf = (count: number) =>
  Array.from({ length: count }, (_, partyIndex) => ({ partyIndex, attemptId: `a${partyIndex}`, signedAt: before }))

/** A contract of three parties with this status and this number of signatures. */
function contractIn(status: ContractStatus, signed: number): Contract {
  const signatures = signaturesOf(signed)
  const erasure = { isErased: false, isHeld: false, eraseDueAt: null }
  const declines = { declined: [], readdressed: [], cancelsOnDecline: false }
  return {
    status,
    partyCount: 3,
    ...erasure,
    ...declines,
    signatures,
    expiresAt,
    changedAt: before,
    version: 1 + signed,
  }
}

const SHAPES: [ContractStatus, number][] = [
  ['pending_signature', 0],
  ['partially_signed', 1],
  ['partially_signed', 2],
  ['signed', 3],
  ['expired', 0],
  ['expired', 2],
  ['cancelled', 0],
  ['cancelled', 2],
]

const COMMANDS: Record<string, Command> = {
  'sign by a party that has not signed': { type: 'sign', partyIndex: 2, attemptId: 'new' },
  'sign again by another attempt': { type: 'sign', partyIndex: 0, attemptId: 'new' },
  'sign again by the same attempt': { type: 'sign', partyIndex: 0, attemptId: 'a0' },
  'sign by nobody': { type: 'sign', partyIndex: 9, attemptId: 'new' },
  'decline by a party that has not signed': { type: 'decline', partyIndex: 2, declineId: 'new' },
  'decline by the first party': { type: 'decline', partyIndex: 0, declineId: 'new' },
  'decline by nobody': { type: 'decline', partyIndex: 9, declineId: 'new' },
  cancel: { type: 'cancel', actor: 'owner' },
  expire: { type: 'expire' },
  'expire early': { type: 'expire', isEarly: true },
  erase: { type: 'erase' },
}

/** Status × signatures × command → [before expiresAt, at expiresAt]: the next status, or `!` and the refusal. Written by hand. */
const EXPECTED: Record<string, Record<string, [string, string]>> = {
  'pending_signature 0': {
    'sign by a party that has not signed': ['partially_signed', '!expired'],
    'sign again by another attempt': ['partially_signed', '!expired'],
    'sign again by the same attempt': ['partially_signed', '!expired'],
    'sign by nobody': ['!unknown_party', '!expired'],
    'decline by a party that has not signed': ['pending_signature', '!expired'],
    'decline by the first party': ['pending_signature', '!expired'],
    'decline by nobody': ['!unknown_party', '!expired'],
    cancel: ['cancelled', '!expired'],
    expire: ['!not_due', 'expired'],
    'expire early': ['expired', 'expired'],
    erase: ['!not_final', '!not_final'],
  },
  'partially_signed 1': {
    'sign by a party that has not signed': ['partially_signed', '!expired'],
    'sign again by another attempt': ['!already_signed', '!already_signed'],
    'sign again by the same attempt': ['partially_signed', 'partially_signed'],
    'sign by nobody': ['!unknown_party', '!expired'],
    'decline by a party that has not signed': ['partially_signed', '!expired'],
    'decline by the first party': ['!already_signed', '!expired'],
    'decline by nobody': ['!unknown_party', '!expired'],
    cancel: ['cancelled', '!expired'],
    expire: ['!not_due', 'expired'],
    'expire early': ['expired', 'expired'],
    erase: ['!not_final', '!not_final'],
  },
  'partially_signed 2': {
    'sign by a party that has not signed': ['signed', '!expired'],
    'sign again by another attempt': ['!already_signed', '!already_signed'],
    'sign again by the same attempt': ['partially_signed', 'partially_signed'],
    'sign by nobody': ['!unknown_party', '!expired'],
    'decline by a party that has not signed': ['partially_signed', '!expired'],
    'decline by the first party': ['!already_signed', '!expired'],
    'decline by nobody': ['!unknown_party', '!expired'],
    cancel: ['cancelled', '!expired'],
    expire: ['!not_due', 'expired'],
    'expire early': ['expired', 'expired'],
    erase: ['!not_final', '!not_final'],
  },
  'signed 3': {
    'sign by a party that has not signed': ['!already_signed', '!already_signed'],
    'sign again by another attempt': ['!already_signed', '!already_signed'],
    'sign again by the same attempt': ['signed', 'signed'],
    'sign by nobody': ['!signed', '!signed'],
    'decline by a party that has not signed': ['!signed', '!signed'],
    'decline by the first party': ['!signed', '!signed'],
    'decline by nobody': ['!signed', '!signed'],
    cancel: ['!signed', '!signed'],
    expire: ['!signed', '!signed'],
    'expire early': ['!signed', '!signed'],
    erase: ['signed', 'signed'],
  },
  'expired 0': {
    ...Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, ['!expired', '!expired'] as [string, string]])),
    erase: ['expired', 'expired'],
  },
  'expired 2': {
    ...Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, ['!expired', '!expired'] as [string, string]])),
    'sign again by another attempt': ['!already_signed', '!already_signed'],
    'sign again by the same attempt': ['expired', 'expired'],
    erase: ['expired', 'expired'],
  },
  'cancelled 0': {
    ...Object.fromEntries(
      Object.keys(COMMANDS).map((name) => [name, ['!cancelled', '!cancelled'] as [string, string]]),
    ),
    erase: ['cancelled', 'cancelled'],
  },
  'cancelled 2': {
    ...Object.fromEntries(
      Object.keys(COMMANDS).map((name) => [name, ['!cancelled', '!cancelled'] as [string, string]]),
    ),
    'sign again by another attempt': ['!already_signed', '!already_signed'],
    'sign again by the same attempt': ['cancelled', 'cancelled'],
    erase: ['cancelled', 'cancelled'],
  },
}

describe('every state × every command [S12.8-11, D19, D20, D41]', () => {
  for (const [status, signed] of SHAPES) {
    for (const [name, command] of Object.entries(COMMANDS)) {
      for (const [when, now] of [
        ['before', before],
        ['at', expiresAt],
      ] as const) {
        const expected = EXPECTED[`${status} ${signed}`]?.[name]?.[when === 'before' ? 0 : 1]
        it(`${status} with ${signed} of 3, ${name}, ${when} expiresAt → ${expected}`, () => {
          const contract = contractIn(status, signed)
          const decision = decide(contract, command, now)
          const outcome =
            'refusal' in decision ? `!${decision.refusal}` : decision.events.reduce(evolve, contract).status
          expect(outcome).toBe(expected)
        })
      }
    }
  }
})

describe('a corrected address [D61]', () => {
  const readdress = (contract: Contract, addressNumber: number, partyIndex = 2, now = before) =>
    decide(contract, { type: 'readdress', partyIndex, addressNumber }, now)
  const corrected = (count: number): Contract => ({
    ...contractIn('partially_signed', 1),
    declined: [2],
    readdressed: Array.from({ length: count }, () => 2),
  })

  it('is one event, whose number is that of the new address, and keeps the status', () => {
    const decision = readdress(corrected(1), 1)
    expect(decision).toEqual({ events: [{ type: 'party_readdressed', partyIndex: 2, addressNumber: 2, at: before }] })
    const after = evolve(corrected(1), (decision as { events: ContractEvent[] }).events[0]!)
    expect(after).toMatchObject({ status: 'partially_signed', declined: [], readdressed: [2, 2] })
  })

  it.each([
    ['a party that has signed', () => readdress(corrected(0), 0, 0), 'already_signed'],
    ['nobody', () => readdress(corrected(0), 0, 9), 'unknown_party'],
    ['an address that another owner corrected meanwhile', () => readdress(corrected(1), 0), 'readdressed'],
    ['an address that was corrected three times', () => readdress(corrected(3), 3), 'readdressed_too_often'],
    ['a contract past expiresAt', () => readdress(corrected(0), 0, 2, expiresAt), 'expired'],
    ['a cancelled contract', () => readdress(contractIn('cancelled', 1), 0), 'cancelled'],
  ])('is refused for %s', (_what, decision, refusal) => {
    expect(decision()).toEqual({ refusal })
  })

  it.each(['sign', 'decline'] as const)('makes the service refuse to %s for who proved the old address', (type) => {
    const act = (addressNumber?: number): Command =>
      type === 'sign'
        ? { type, partyIndex: 2, attemptId: 'new', ...(addressNumber !== undefined && { addressNumber }) }
        : { type, partyIndex: 2, declineId: 'new', ...(addressNumber !== undefined && { addressNumber }) }
    expect(decide(corrected(1), act(), before)).toEqual({ refusal: 'readdressed' })
    expect(decide({ ...corrected(1), declined: [] }, act(1), before)).toHaveProperty('events.length', 1)
    expect(decide(corrected(0), act(1), before)).toEqual({ refusal: 'readdressed' })
  })
})

describe('a party that declines [D57]', () => {
  const decline = (contract: Contract, declineId = 'first') =>
    decide(contract, { type: 'decline', partyIndex: 2, declineId }, before)
  const after = (contract: Contract, decision: ReturnType<typeof decide>): Contract => {
    if ('refusal' in decision) throw new Error(decision.refusal)
    return (decision.events as readonly ContractEvent[]).reduce(evolve, contract)
  }

  it('leaves the contract open, and changes nothing by declining again', () => {
    const open = contractIn('partially_signed', 1)
    const decision = decline(open)
    expect(decision).toEqual({ events: [{ type: 'party_declined', partyIndex: 2, declineId: 'first', at: before }] })
    const declined = after(open, decision)
    expect(declined).toMatchObject({ status: 'partially_signed', declined: [2], version: open.version + 1 })
    expect(decline(declined, 'second')).toEqual({ events: [] })
  })

  it('can still sign', () => {
    const open = contractIn('partially_signed', 2)
    const declined = after(open, decline(open))
    const signed = after(declined, decide(declined, { type: 'sign', partyIndex: 2, attemptId: 'last' }, before))
    expect(signed).toMatchObject({ status: 'signed' })
  })

  it('cancels the contract in the same decision, if its account wishes so', () => {
    const open = { ...contractIn('partially_signed', 2), cancelsOnDecline: true }
    const decision = decline(open) as { events: ContractEvent[] }
    expect(decision.events.map(({ type }) => type)).toEqual(['party_declined', 'cancelled'])
    expect(decision.events.at(-1)).toEqual({ type: 'cancelled', at: before, actor: 'party' })
    expect(after(open, decision)).toMatchObject({ status: 'cancelled', declined: [2] })
  })
})

it('a contract that an owner expires early ends at that moment, which is its expiresAt from then on [D63]', () => {
  const contract = contractIn('partially_signed', 1)
  const { events } = decide(contract, { type: 'expire', isEarly: true }, before) as { events: ContractEvent[] }
  expect(events).toEqual([{ type: 'expired', at: before }])
  expect(events.reduce(evolve, contract).expiresAt).toEqual(before)
})

describe('creation', () => {
  const createdAt = new Date('2026-11-20T14:03:00.007Z')
  const create = (environment: Environment) =>
    decide(undefined, { type: 'create', environment, partyCount: 3, cancelsOnDecline: false }, createdAt)

  it.each([
    ['production', '2026-12-04T14:03:00.007Z'],
    ['sandbox', '2026-11-20T15:03:00.007Z'],
  ] as const)(
    'in %s causes one created event; the contract expires after 14 days, or one hour in the sandbox [POST /contracts, D20, Environments]',
    (environment, expiry) => {
      expect(create(environment)).toEqual({
        events: [
          { type: 'created', at: createdAt, expiresAt: new Date(expiry), partyCount: 3, cancelsOnDecline: false },
        ],
      })
    },
  )

  it('yields an open contract of version 1 without signatures [POST /contracts, D48, States and transitions]', () => {
    const [event] = create('production').events
    const contract = evolve(undefined, event)
    expect(contract).toEqual({
      ...contractIn('pending_signature', 0),
      expiresAt: event.expiresAt,
      changedAt: createdAt,
    })
    expect(decide(contract, { type: 'cancel', actor: 'owner' }, createdAt)).not.toHaveProperty('refusal')
  })

  it('happens once, and before every other event [States and transitions]', () => {
    const [event] = create('production').events
    expect(() => evolve(evolve(undefined, event), event)).toThrow('no transition from pending_signature by create')
    expect(() => evolve(undefined, { type: 'expired', at: expiresAt })).toThrow('there is no contract yet')
  })

  it('causes an event whose outbox row has the sequence 1 [Topics and events of docs/explanation/architecture.md, D48]', () => {
    const source = { contractId: 'contract-1', accountId: 'acc_1', environment: 'sandbox' } as const
    expect(outboxRowOf(create('sandbox').events[0], 1, source)).toEqual({
      topic: 'contract.events.v1',
      type: 'contract.created',
      subject: 'contract-1',
      sequence: 1,
      time: createdAt,
      data: { ...source, partyCount: 3, createdAt: '2026-11-20T14:03:00.007Z', expiresAt: '2026-11-20T15:03:00.007Z' },
    })
  })
})

it('a contract cannot leave a final state [S12.13]', () => {
  for (const status of ['signed', 'expired', 'cancelled']) {
    expect(TRANSITIONS.filter(({ from }) => from === status)).toEqual([])
  }
  expect(new Set(TRANSITIONS.flatMap(({ from, to }) => [from, to]))).toEqual(new Set(['none', ...CONTRACT_STATUSES]))
})

it('a contract is erased once and keeps its final status [D43]', () => {
  const erased = evolve(contractIn('signed', 3), { type: 'erased', at: before, isRequested: false })
  expect(erased).toMatchObject({ status: 'signed', isErased: true, version: 5 })
  expect(decide(erased, { type: 'erase' }, expiresAt)).toEqual({ events: [] })
})

it('the events of a contract are numbered without gaps, even when one command causes two [D48]', () => {
  const contract = contractIn('partially_signed', 2)
  const decision = decide(contract, { type: 'sign', partyIndex: 2, attemptId: 'last' }, before)
  expect('events' in decision && decision.events.map(({ type }) => type)).toEqual(['party_signed', 'completed'])
  const versions =
    'events' in decision
      ? decision.events.map((_, at) => decision.events.slice(0, at + 1).reduce(evolve, contract).version)
      : []
  expect(versions).toEqual([4, 5])
})

it('no event is dated before an earlier one of its contract, even if the clock was set back meanwhile [I3, F32]', () => {
  const hourBefore = new Date(before.getTime() - 3_600_000)
  const timesOf = (contract: Contract, command: Command) => {
    const decision = decide(contract, command, hourBefore)
    return 'events' in decision ? decision.events.map(({ at }) => at) : []
  }
  const open = contractIn('partially_signed', 2)
  expect(timesOf(open, { type: 'sign', partyIndex: 2, attemptId: 'last' })).toEqual([before, before])
  expect(timesOf(open, { type: 'cancel', actor: 'owner' })).toEqual([before])
  expect(timesOf(contractIn('signed', 3), { type: 'erase' })).toEqual([before])
  expect(evolve(open, { type: 'cancelled', at: expiresAt, actor: 'owner' }).changedAt).toEqual(expiresAt)
})

it('a contract is expired from expiresAt on, before and after the sweep, and its event is dated at expiresAt [D20]', () => {
  expect(statusAt(contractIn('pending_signature', 0), before)).toBe('pending_signature')
  expect(statusAt(contractIn('pending_signature', 0), expiresAt)).toBe('expired')
  const late = new Date(expiresAt.getTime() + 86_400_000)
  expect(decide(contractIn('partially_signed', 1), { type: 'expire' }, late)).toEqual({
    events: [{ type: 'expired', at: expiresAt }],
  })
})

it('the percentage is rounded to two decimals [S8.4, D13]', () => {
  expect(progress(1, 2)).toEqual({ signed: 1, total: 2, pending: 1, percentage: 50 })
  expect(progress(1, 3).percentage).toBe(33.33)
  expect(progress(2, 3).percentage).toBe(66.67)
  expect(progress(3, 3).percentage).toBe(100)
})
