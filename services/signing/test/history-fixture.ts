// Records the answers of concurrent calls, and checks them against the final state. For tests. [I3, I5, I6, F13-F15]
import type { SignOutcome } from '../src/signature/sign.js'
import type { Aftermath } from './aftermath-fixture.js'

export type Answer =
  | { of: 'sign'; partyIndex: number; attemptId: string; outcome: SignOutcome }
  | { of: 'end'; status: string }
  | { of: 'decline'; partyIndex: number; outcome: string }
  | { of: 'readdress'; partyIndex: number; outcome: string }
  | { of: 'read'; status: string; signed: number }

/** One call: its caller, its start and end by the wall clock, and its answer. */
export interface Call {
  who: string
  began: number
  ended: number
  answer: Answer
}

/** Records calls as they run. */
export function createHistory() {
  const calls: Call[] = []
  const now = (): number => performance.timeOrigin + performance.now()
  return {
    calls,
    async record<A extends Answer>(who: string, work: () => Promise<A>): Promise<A> {
      const began = now()
      const answer = await work()
      calls.push({ who, began, ended: now(), answer })
      return answer
    },
  }
}

export type History = ReturnType<typeof createHistory>

/** A sentence for each answer that contradicts the final state or a later answer. */
export function falseAnswers(calls: readonly Call[], { status, signatures, events, readdressed }: Aftermath): string[] {
  const contradictions: string[] = []
  const claim = (isTrue: boolean, what: string): void => void (isTrue || contradictions.push(what))
  for (const { who, began, answer } of calls) {
    // A sweep of expired contracts that runs before expiresAt gets `not_due`.
    if (answer.of === 'end' && answer.status !== 'not_due')
      claim(answer.status === status, `${who} got ${answer.status}, but the contract is ${status}`)
    if (answer.of === 'decline') {
      const { partyIndex, outcome } = answer
      const hasSigned = signatures.some((signature) => signature.partyIndex === partyIndex)
      const hasDeclined = events.some(
        ({ type, data }) => type === 'party_declined' && data['partyIndex'] === partyIndex,
      )
      if (outcome === 'declined') claim(hasDeclined, `${who} got declined, but the party has not declined [D57]`)
      else if (outcome === 'already_signed') claim(hasSigned, `${who} got already_signed, but the party has not signed`)
      else claim(status === outcome, `${who} got ${outcome}, but the contract is ${status}`)
    }
    if (answer.of === 'readdress') {
      const { partyIndex, outcome } = answer
      const ours = signatures.find((signature) => signature.partyIndex === partyIndex)
      if (outcome === 'corrected') claim(readdressed.includes(partyIndex), `${who} got corrected, but nothing changed`)
      else if (outcome === 'already_signed' || outcome === 'signed')
        claim(ours !== undefined, `${who} got ${outcome}, but the party has not signed [D61]`)
      else claim(readdressed.length > 0, `${who} got ${outcome}, but nobody corrected an address`)
    }
    if (answer.of !== 'sign') continue
    const { partyIndex, attemptId, outcome } = answer
    const mine = signatures.find((signature) => signature.attemptId === attemptId)
    const ours = signatures.find((signature) => signature.partyIndex === partyIndex)
    switch (outcome.kind) {
      case 'accepted':
      case 'recorded_only':
        claim(mine?.signedAt === outcome.signedAt.toISOString(), `${who} got accepted, but no signature exists [I5]`)
        break
      case 'refused':
        claim(mine === undefined, `${who} got ${outcome.reason}, but the signature is recorded [I5]`)
        if (outcome.reason === 'already_signed')
          claim(ours !== undefined, `${who} got already_signed, but the party has not signed`)
        if (outcome.reason === 'expired' || outcome.reason === 'cancelled') {
          claim(ours === undefined, `${who} got ${outcome.reason}, but the party has signed [I5]`)
          claim(status === outcome.reason, `${who} got ${outcome.reason}, but the contract is ${status}`)
        }
        if (outcome.reason === 'readdressed')
          claim(readdressed.includes(partyIndex), `${who} got readdressed, but the address is the same [D61]`)
        // Another browser may sign after this answer; a signature from before the call contradicts it.
        if (outcome.reason === 'given_up')
          claim(!ours || Date.parse(ours.signedAt) >= Math.floor(began), `${who} got given_up, but had signed`)
        break
      case 'no_such_attempt':
        claim(mine === undefined, `${who} got no_such_attempt, but the signature is recorded`)
        break
      case 'unknown':
        break
      default:
        outcome satisfies never
    }
  }
  const reads = calls.flatMap(({ began, ended, answer }) => (answer.of === 'read' ? [{ began, ended, ...answer }] : []))
  for (const [index, later] of reads.entries()) {
    for (const earlier of reads.slice(0, index)) {
      if (earlier.ended > later.began) continue
      claim(earlier.signed <= later.signed, `progress went from ${earlier.signed} to ${later.signed} [I6]`)
      const wasFinal = ['signed', 'expired', 'cancelled'].includes(earlier.status)
      claim(!wasFinal || earlier.status === later.status, `${earlier.status} became ${later.status} [I3]`)
    }
  }
  return contradictions
}

/** The calls in the order of their start, as readable lines. */
export function describeHistory(calls: readonly Call[]): string {
  const start = Math.min(...calls.map(({ began }) => began))
  return calls
    .toSorted((left, right) => left.began - right.began)
    .map(({ who, began, ended, answer }) =>
      [(began - start).toFixed(2), (ended - start).toFixed(2), who, JSON.stringify(answer)].join('  '),
    )
    .join('\n')
}
