import { describe, expect, it } from '@jest/globals'
import type { ContractStatus } from '@paraph/protocol/contract'
import { decide, type Contract } from './contract.js'
import { decideErasure, ERASURE_DELAY_MS, type ErasureCommand } from './erasure.js'

const now = new Date('2026-12-04T14:03:00.000Z')
const later = new Date(now.getTime() + ERASURE_DELAY_MS)
const dueAt = new Date(now.getTime() + 1)

const contractWith = (changes: Partial<Contract>): Contract => ({
  status: 'signed',
  partyCount: 2,
  signatures: [],
  declined: [],
  readdressed: [],
  cancelsOnDecline: false,
  expiresAt: now,
  isErased: false,
  isHeld: false,
  eraseDueAt: null,
  changedAt: new Date(now.getTime() - 1),
  version: 3,
  ...changes,
})

const STATES = {
  open: contractWith({ status: 'partially_signed' }),
  'open, held': contractWith({ status: 'pending_signature', isHeld: true }),
  final: contractWith({}),
  requested: contractWith({ eraseDueAt: dueAt }),
  held: contractWith({ isHeld: true }),
  erased: contractWith({ isErased: true }),
}
const COMMANDS: readonly ErasureCommand[] = ['request', 'keep', 'hold', 'release']

/** State → the outcome of request, keep, hold and release: a refusal, or whether it is held and when it is erased. */
const EXPECTED: Record<keyof typeof STATES, unknown[]> = {
  open: ['not_final', [false, null], [true, null], [false, null]],
  'open, held': ['held', [true, null], [true, null], [false, null]],
  final: [
    [false, later],
    [false, null],
    [true, null],
    [false, null],
  ],
  requested: [
    [false, dueAt],
    [false, null],
    [true, null],
    [false, dueAt],
  ],
  held: ['held', [true, null], [true, null], [false, null]],
  erased: ['erased', 'erased', 'erased', 'erased'],
}

describe('the erasure that an owner requests [D43, P32]', () => {
  it.each(Object.keys(STATES) as (keyof typeof STATES)[])('decides every command on a contract: %s', (state) => {
    const outcomes = COMMANDS.map((command) => {
      const decision = decideErasure(STATES[state], command, now)
      return 'refusal' in decision ? decision.refusal : [decision.next.isHeld, decision.next.eraseDueAt]
    })
    expect(outcomes).toEqual(EXPECTED[state])
  })

  it.each<ContractStatus>(['signed', 'expired', 'cancelled'])('is carried out from seven days on: %s', (status) => {
    const contract = contractWith({ status, eraseDueAt: later })
    const carryOut = (at: Date) => decide(contract, { type: 'erase', isRequested: true }, at)
    expect(carryOut(new Date(later.getTime() - 1))).toEqual({ refusal: 'not_due' })
    expect(carryOut(later)).toEqual({ events: [{ type: 'erased', at: later, isRequested: true }] })
  })

  it.each([
    ['without a request', contractWith({}), 'not_due'],
    ['while an operator holds the contract', contractWith({ isHeld: true, eraseDueAt: now }), 'held'],
  ])('is not carried out %s', (_, contract, refusal) => {
    expect(decide(contract, { type: 'erase', isRequested: true }, later)).toEqual({ refusal })
  })

  it("a hold also stops the operator's erasure and the retention, which need no request", () => {
    expect(decide(contractWith({ isHeld: true }), { type: 'erase' }, now)).toEqual({ refusal: 'held' })
    expect(decide(contractWith({}), { type: 'erase' }, now)).toMatchObject({ events: [{ isRequested: false }] })
  })
})
