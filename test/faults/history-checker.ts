// Is there ONE order of all that people did to a contract that explains every answer they were given? [I3, I5, I6, F13-F15]
// PURE. The oracle is the contract service's own table (contract.ts); this file only looks for an order: each call takes effect at one
// moment between its start and its end (linearisability; Wing and Gong's search, with memory of what was tried, as Lowe and Knossos).
// A call without an answer has no end, and may never have taken effect. Does not own: how a history is recorded (workload.ts).
import { decide, evolve, isFinal, statusAt, type Contract } from '@paraph/contract/domain/contract'

/** What one call was told. `unknown`: no answer, or one that says so. */
export type Told =
  | { of: 'read'; status: string; signed: readonly number[] }
  | { of: 'page'; partyIndex: number; shows: PageShows }
  | { of: 'sign'; partyIndex: number; attemptId: string; told: SignTold }
  | { of: 'cancel'; told: 'cancelled' | 'already_cancelled' | 'already_signed' | 'already_expired' | 'unknown' }
  /** The moment from which on the contract is expired, by the database's clock. Not a call: it needs no client. [D20] */
  | { of: 'due' }
  /** What the rows say when everything is over. */
  | { of: 'rows'; status: string; signatures: readonly { partyIndex: number; attemptId: string }[] }

/** `given_up`: nothing is signed, and this attempt never will be. `not_signed`: nothing is signed so far. [D41] */
export type SignTold = 'signed' | 'cancelled' | 'expired' | 'given_up' | 'not_signed' | 'unknown'

/**
 * What a page of the link says to a party. `signed`: they have, somebody has not; `completed`: everyone has; `closed`: everyone had,
 * and the link has ended; `address` and `form`: it can be opened, and signed by this party; `absent`: there is no such contract.
 */
export type PageShows = 'signed' | 'completed' | 'closed' | 'cancelled' | 'expired' | 'address' | 'form' | 'absent'

/** One call. Milliseconds of one wall clock; `endedAt` is Infinity where no answer came. */
export interface Call {
  who: string
  startedAt: number
  endedAt: number
  told: Told
}

interface State {
  contract: Contract
  /** Attempts that can no longer land. */
  givenUp: readonly string[]
  isDue: boolean
}

export type Verdict =
  | { legal: true; order: Call[] }
  /** `explained`: the longest beginning that could be put in order; `stuck`: what nothing could follow with. */
  | { legal: false; explained: Call[]; stuck: Call[] }

const NOT_YET = new Date(0)
const DUE = new Date(1)

/** Which calls are in order already: all before `low`, and those of `ahead`. Places are in the order of the calls' beginnings. */
interface Placed {
  low: number
  ahead: ReadonlySet<number>
}

/** Looks for the order. @param partyCount parties of the contract, which begins open and without signatures */
export function explain(calls: readonly Call[], partyCount: number): Verdict {
  const inTime = calls.toSorted((left, right) => left.startedAt - right.startedAt)
  const tried = new Set<string>()
  /** The order so far; cut back where it leads nowhere. */
  const order: number[] = []
  let longest: number[] = []
  let stuck: Call[] = []

  /** What may come next: whoever began after another had ended comes after it. Empty when the rest need not have happened. */
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
    // What is true now and changes nothing can stand here in whatever order there is.
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
      for (const after of step(state, inTime[at]!.told)) {
        // Who got no answer and changed nothing need not have done anything.
        if (mayNeverHappen(inTime[at]!) && keyOf(after) === keyOf(state)) continue
        if (search(after, place(placed, at))) return true
        order.length = length
      }
    }
    return false
  }

  const begin: State = {
    contract: { status: 'pending_signature', partyCount, signatures: [], isErased: false, expiresAt: DUE, version: 1 },
    givenUp: [],
    isDue: false,
  }
  const callsAt = (places: readonly number[]): Call[] => places.map((at) => inTime[at]!)
  return search(begin, { low: 0, ahead: new Set() })
    ? { legal: true, order: callsAt(order) }
    : { legal: false, explained: callsAt(longest), stuck }
}

/** Legal from here, in one way, and that changes nothing. */
function isStill(state: State, call: Call): boolean {
  const [after, ...others] = mayNeverHappen(call) ? [] : step(state, call.told)
  return after !== undefined && others.length === 0 && keyOf(after) === keyOf(state)
}

const mayNeverHappen = ({ told, endedAt }: Call): boolean =>
  endedAt === Infinity && (told.of === 'sign' || told.of === 'cancel') && told.told === 'unknown'

/** The states that `told` may lead to from here; none when it would have been a lie. */
export function step(state: State, told: Told): State[] {
  const { contract, givenUp, isDue } = state
  const now = isDue ? DUE : NOT_YET
  const legal = (is: boolean): State[] => (is ? [state] : [])
  switch (told.of) {
    case 'due':
      return [{ ...state, isDue: true }]
    case 'read':
      return legal(statusAt(contract, now) === told.status && same(contract.signatures.map(partyOf), told.signed))
    case 'page':
      return legal(isTruePage(state, told))
    case 'rows':
      return legal(
        statusAt(contract, now) === told.status && same(contract.signatures.map(nameOf), told.signatures.map(nameOf)),
      )
    case 'cancel': {
      const decision = decide(contract, { type: 'cancel', actor: 'operator' }, now)
      if ('refusal' in decision) return legal(told.told === 'unknown' || told.told === `already_${decision.refusal}`)
      const cancelled = { ...state, contract: decision.events.reduce(evolve, contract) }
      if (told.told === 'unknown') return [cancelled, state]
      return told.told === 'cancelled' ? [cancelled] : []
    }
    case 'sign': {
      const { partyIndex, attemptId } = told
      const hasSigned = contract.signatures.some((signature) => signature.partyIndex === partyIndex)
      const decision = decide(contract, { type: 'sign', partyIndex, attemptId }, now)
      const lands =
        'events' in decision && (decision.events.length === 0 || !givenUp.includes(attemptId))
          ? [{ ...state, contract: decision.events.reduce(evolve, contract) }]
          : []
      switch (told.told) {
        case 'signed':
          return hasSigned ? [state] : lands
        case 'unknown':
          return [...lands, state]
        case 'cancelled':
        case 'expired':
          return legal(!hasSigned && 'refusal' in decision && decision.refusal === told.told)
        case 'not_signed':
          return legal(!hasSigned)
        case 'given_up':
          return hasSigned ? [] : [{ ...state, givenUp: [...givenUp, attemptId].toSorted() }]
        default:
          return told satisfies never
      }
    }
    default:
      return told satisfies never
  }
}

/** By the instant at which its facts were read: the link closes at `expiresAt`, whatever the contract is then. [D20] */
function isTruePage({ contract, isDue }: State, { partyIndex, shows }: Told & { of: 'page' }): boolean {
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

/** The calls in the order they began, to be read by people. */
export function describeCalls(calls: readonly Call[]): string {
  const start = Math.min(...calls.map(({ startedAt }) => startedAt))
  return calls
    .toSorted((left, right) => left.startedAt - right.startedAt)
    .map(({ who, startedAt, endedAt, told }) =>
      [startedAt - start, endedAt - start, who, JSON.stringify(told)].join('  '),
    )
    .join('\n')
}
