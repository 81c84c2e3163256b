// Checks whether ONE order of all calls to a contract explains every answer. [I3, I5, I6, F13-F15]
// PURE. Searches an order in which each call takes effect at one moment between its start and its end (linearisability; Wing and Gong's
// search with a memory of tried states, as in Lowe and Knossos). The contract service's own table (contract.ts) defines the effects. A call
// without an answer has no end, and may never have taken effect. Does not own: how a history is recorded (workload.ts).
import { decide, evolve, isFinal, statusAt, type Contract } from '@paraph/contract/domain/contract'

/** The answer to one call. `unknown`: no answer, or one that reports an unknown outcome. */
export type CallAnswer =
  | { of: 'read'; status: string; signed: readonly number[] }
  | { of: 'page'; partyIndex: number; shows: PageShows }
  | { of: 'sign'; partyIndex: number; attemptId: string; outcome: SignOutcome }
  | { of: 'cancel'; outcome: 'cancelled' | 'already_cancelled' | 'already_signed' | 'already_expired' | 'unknown' }
  /** The moment from which the contract is expired, by the database's clock. Not a call of a client. [D20] */
  | { of: 'due' }
  /** The final state of the rows. */
  | { of: 'rows'; status: string; signatures: readonly { partyIndex: number; attemptId: string }[] }

/** `given_up`: nothing is signed, and this attempt will never sign. `not_signed`: nothing is signed so far. [D41] */
export type SignOutcome = 'signed' | 'cancelled' | 'expired' | 'given_up' | 'not_signed' | 'unknown'

/**
 * What a page of the link shows a party. `signed`: this party has signed, others have not; `completed`: everyone has signed; `closed`:
 * everyone has signed and the link has closed; `address`: the form for an address; `form`: the sign form; `absent`: no such contract.
 */
export type PageShows = 'signed' | 'completed' | 'closed' | 'cancelled' | 'expired' | 'address' | 'form' | 'absent'

/** One call. Milliseconds of one wall clock; `endedAt` is Infinity if no answer came. */
export interface Call {
  who: string
  startedAt: number
  endedAt: number
  answer: CallAnswer
}

interface State {
  contract: Contract
  /** Ids of attempts that can no longer be recorded. */
  givenUp: readonly string[]
  isDue: boolean
}

export type Verdict =
  | { legal: true; order: Call[] }
  /** `explained`: the longest legal order that the search found; `stuck`: the possible next calls, none of which is legal there. */
  | { legal: false; explained: Call[]; stuck: Call[] }

const NOT_YET = new Date(0)
const DUE = new Date(1)

/** The calls that the order already contains: all positions below `low`, and those in `ahead`. Positions rank the calls by start. */
interface Placed {
  low: number
  ahead: ReadonlySet<number>
}

/** Searches for such an order. @param partyCount parties of the contract, which begins open and without signatures */
export function explain(calls: readonly Call[], partyCount: number): Verdict {
  const inTime = calls.toSorted((left, right) => left.startedAt - right.startedAt)
  const tried = new Set<string>()
  /** The order so far; the search shortens it when no call can follow. */
  const order: number[] = []
  let longest: number[] = []
  let stuck: Call[] = []

  /** The possible next calls: a call must follow each call that ended before its start. Empty if no remaining call must have happened. */
  function nextOf({ low, ahead }: Placed): number[] {
    const next: number[] = []
    let firstEnd = Infinity
    let isOver = true
    for (let place = low; place < inTime.length; place += 1) {
      const call = inTime[place]!
      if (ahead.has(place)) continue
      if (!mayNeverHappen(call)) isOver = false
      if (call.startedAt > firstEnd) break
      firstEnd = Math.min(firstEnd, call.endedAt)
      next.push(place)
    }
    return isOver ? [] : next.filter((place) => inTime[place]!.startedAt <= firstEnd)
  }

  function place({ low, ahead }: Placed, at: number): Placed {
    order.push(at)
    const taken = new Set(ahead).add(at)
    let first = low
    while (taken.delete(first)) first += 1
    return { low: first, ahead: taken }
  }

  function search(state: State, begun: Placed): boolean {
    let placed = begun
    let next = nextOf(placed)
    // A call that is legal in this state and changes nothing can take effect here, whatever the order of the others.
    for (;;) {
      const at = next.find((each) => isStill(state, inTime[each]!))
      if (at === undefined) break
      placed = place(placed, at)
      next = nextOf(placed)
    }
    if (next.length === 0) return true
    const key = [placed.low, ...[...placed.ahead].toSorted((one, other) => one - other), keyOf(state)].join()
    if (tried.has(key)) return false
    tried.add(key)
    const length = order.length
    if (length >= longest.length) {
      longest = [...order]
      stuck = next.map((at) => inTime[at]!)
    }
    for (const at of next) {
      for (const after of step(state, inTime[at]!.answer)) {
        // A call that got no answer and changed nothing need not have happened.
        if (mayNeverHappen(inTime[at]!) && keyOf(after) === keyOf(state)) continue
        if (search(after, place(placed, at))) return true
        order.length = length
      }
    }
    return false
  }

  const begin: State = {
    contract: {
      status: 'pending_signature',
      partyCount,
      signatures: [],
      declined: [],
      readdressed: [],
      cancelsOnDecline: false,
      isErased: false,
      isHeld: false,
      eraseDueAt: null,
      expiresAt: DUE,
      changedAt: NOT_YET,
      version: 1,
    },
    givenUp: [],
    isDue: false,
  }
  const callsAt = (places: readonly number[]): Call[] => places.map((at) => inTime[at]!)
  return search(begin, { low: 0, ahead: new Set() })
    ? { legal: true, order: callsAt(order) }
    : { legal: false, explained: callsAt(longest), stuck }
}

/** True if the call is legal in `state` in exactly one way, and changes nothing. */
function isStill(state: State, call: Call): boolean {
  const [after, ...others] = mayNeverHappen(call) ? [] : step(state, call.answer)
  return after !== undefined && others.length === 0 && keyOf(after) === keyOf(state)
}

const mayNeverHappen = ({ answer, endedAt }: Call): boolean =>
  endedAt === Infinity && (answer.of === 'sign' || answer.of === 'cancel') && answer.outcome === 'unknown'

/** The states to which a call with this answer may lead from `state`; empty if the answer is illegal in `state`. */
export function step(state: State, answer: CallAnswer): State[] {
  const { contract, givenUp, isDue } = state
  const now = isDue ? DUE : NOT_YET
  const legal = (is: boolean): State[] => (is ? [state] : [])
  switch (answer.of) {
    case 'due':
      return [{ ...state, isDue: true }]
    case 'read':
      return legal(statusAt(contract, now) === answer.status && same(contract.signatures.map(partyOf), answer.signed))
    case 'page':
      return legal(isTruePage(state, answer))
    case 'rows':
      return legal(
        statusAt(contract, now) === answer.status &&
          same(contract.signatures.map(nameOf), answer.signatures.map(nameOf)),
      )
    case 'cancel': {
      const decision = decide(contract, { type: 'cancel', actor: 'operator' }, now)
      if ('refusal' in decision)
        return legal(answer.outcome === 'unknown' || answer.outcome === `already_${decision.refusal}`)
      const cancelled = { ...state, contract: decision.events.reduce(evolve, contract) }
      if (answer.outcome === 'unknown') return [cancelled, state]
      return answer.outcome === 'cancelled' ? [cancelled] : []
    }
    case 'sign': {
      const { partyIndex, attemptId } = answer
      const hasSigned = contract.signatures.some((signature) => signature.partyIndex === partyIndex)
      const decision = decide(contract, { type: 'sign', partyIndex, attemptId }, now)
      const lands =
        'events' in decision && (decision.events.length === 0 || !givenUp.includes(attemptId))
          ? [{ ...state, contract: decision.events.reduce(evolve, contract) }]
          : []
      switch (answer.outcome) {
        case 'signed':
          return hasSigned ? [state] : lands
        case 'unknown':
          return [...lands, state]
        case 'cancelled':
        case 'expired':
          return legal(!hasSigned && 'refusal' in decision && decision.refusal === answer.outcome)
        case 'not_signed':
          return legal(!hasSigned)
        case 'given_up':
          return hasSigned ? [] : [{ ...state, givenUp: [...givenUp, attemptId].toSorted() }]
        default:
          return answer satisfies never
      }
    }
    default:
      return answer satisfies never
  }
}

/** Whether a page is legal in a state. The link closes at `expiresAt`, whatever the status of the contract. [D20] */
function isTruePage({ contract, isDue }: State, { partyIndex, shows }: CallAnswer & { of: 'page' }): boolean {
  const status = statusAt(contract, isDue ? DUE : NOT_YET)
  const hasSigned = contract.signatures.some((signature) => signature.partyIndex === partyIndex)
  switch (shows) {
    case 'signed':
      return status === 'partially_signed' && hasSigned
    case 'completed':
      return status === 'signed' && !isDue
    case 'closed':
      return status === 'signed' && isDue
    case 'cancelled':
    case 'expired':
      return status === shows
    case 'address':
      return status !== 'cancelled' && !isDue
    case 'form':
      return !isFinal(status) && !hasSigned
    case 'absent':
      return false
    default:
      return shows satisfies never
  }
}

const partyOf = ({ partyIndex }: { partyIndex: number }): number => partyIndex
const nameOf = ({ partyIndex, attemptId }: { partyIndex: number; attemptId: string }): string =>
  `${partyIndex} ${attemptId}`
const same = (left: readonly (string | number)[], right: readonly (string | number)[]): boolean =>
  left.length === right.length && left.toSorted().join() === right.toSorted().join()

const keyOf = ({ contract, givenUp, isDue }: State): string =>
  [contract.status, ...contract.signatures.map(nameOf).toSorted(), '/', ...givenUp, isDue].join(' ')

/** The calls in the order of their starts, formatted for people. */
export function describeCalls(calls: readonly Call[]): string {
  const start = Math.min(...calls.map(({ startedAt }) => startedAt))
  return calls
    .toSorted((left, right) => left.startedAt - right.startedAt)
    .map(({ who, startedAt, endedAt, answer }) =>
      [startedAt - start, endedAt - start, who, JSON.stringify(answer)].join('  '),
    )
    .join('\n')
}
