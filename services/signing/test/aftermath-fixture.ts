// Reads the final rows of one contract in both databases, and finds contradictions between them. For tests. [I2-I4, I7, I10, D30, D41]
// Reads rows, outbox and chain only, without knowledge of the calls that made them.
import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { ContractDatabase } from '@paraph/contract/database'
import type { SigningDatabase } from '../src/database.js'
import { GENESIS } from '../src/chain/entry.js'

/** The final rows of one contract. Instants are ISO 8601. */
export type Aftermath = NonNullable<Awaited<ReturnType<typeof readAftermath>>>

interface Entry {
  at: string
  data: Record<string, string | number>
  prev: string
  seq: number
  type: string
}

/** True when every attempt has an outcome, and the tasks of all events and sent codes are done. */
export async function isFinished(
  contractDatabase: Kysely<ContractDatabase>,
  signingDatabase: Kysely<SigningDatabase>,
  contractId: string,
): Promise<boolean> {
  const outbox = await sql<{ events: number }>`
    select count(*)::int as events from outbox where key = ${contractId}`.execute(contractDatabase)
  const { rows } = await sql<{ done: number; open: number }>`
    select (select count(*)::int from evidence_task where contract_id = ${contractId} and done_at is not null and type like 'contract.%') as done,
           (select count(*)::int from sign_attempt where contract_id = ${contractId} and state = 'submitted')
           + (select count(*)::int from code_send where scope = ${contractId} and finished_at is null)
           + (select count(*)::int from evidence_task where contract_id = ${contractId} and done_at is null) as open`.execute(
    signingDatabase,
  )
  return rows[0]!.done === outbox.rows[0]!.events && rows[0]!.open === 0
}

/** Undefined for an unknown contract. */
export async function readAftermath(
  contractDatabase: Kysely<ContractDatabase>,
  signingDatabase: Kysely<SigningDatabase>,
  contractId: string,
) {
  const contract = await contractDatabase
    .selectFrom('contract')
    .select(['status', 'version', 'expires_at', 'completed_at', 'cancelled_at'])
    .select(sql<number>`(select count(*)::int from party where contract_id = contract.id)`.as('parties'))
    .where('id', '=', contractId)
    .executeTakeFirst()
  if (!contract) return undefined
  const signatures = await contractDatabase
    .selectFrom('signature')
    .selectAll()
    .where('contract_id', '=', contractId)
    .orderBy('signed_at')
    .execute()
  const events = await sql<{ type: string; sequence: number; data: Record<string, string | number> }>`
    select type, sequence, data from outbox where key = ${contractId} order by id`.execute(contractDatabase)
  const declines = await contractDatabase
    .selectFrom('decline')
    .select('party_index')
    .where('contract_id', '=', contractId)
    .execute()
  const readdresses = await contractDatabase
    .selectFrom('readdress')
    .select('party_index')
    .where('contract_id', '=', contractId)
    .execute()
  const tombstones = await contractDatabase
    .selectFrom('sign_tombstone')
    .select('attempt_id')
    .where('contract_id', '=', contractId)
    .execute()
  const attempts = await signingDatabase
    .selectFrom('sign_attempt')
    .selectAll()
    .where('contract_id', '=', contractId)
    .execute()
  const lines = await signingDatabase
    .selectFrom('evidence_entry')
    .select('line')
    .where('contract_id', '=', contractId)
    .orderBy('seq')
    .execute()
  const verifiedCodes = await signingDatabase
    .selectFrom('evidence_opening')
    .select('value')
    .where('contract_id', '=', contractId)
    .where('path', '=', 'codeId')
    .execute()
  const sentCodes = await signingDatabase
    .selectFrom('code_send')
    .select(['id', 'finished_at'])
    .where('scope', '=', contractId)
    .where('outcome', '=', 'pushed')
    .execute()
  return {
    status: contract.status,
    version: contract.version,
    partyCount: contract.parties,
    expiresAt: contract.expires_at.toISOString(),
    completedAt: contract.completed_at?.toISOString(),
    cancelledAt: contract.cancelled_at?.toISOString(),
    signatures: signatures.map(({ party_index, attempt_id, signed_at }) => ({
      partyIndex: party_index,
      attemptId: attempt_id,
      signedAt: signed_at.toISOString(),
    })),
    events: events.rows.map((event) => ({ ...event, type: event.type.replace('contract.', '') })),
    /** The parties that have declined. */
    declined: declines.map(({ party_index }) => party_index),
    /** The party of each corrected address. */
    readdressed: readdresses.map(({ party_index }) => party_index),
    tombstones: tombstones.map(({ attempt_id }) => attempt_id),
    attempts: attempts.map(({ id, party_index, state, signed_at }) => ({
      attemptId: id,
      partyIndex: party_index,
      state,
      signedAt: signed_at?.toISOString(),
    })),
    verifiedCodes: verifiedCodes.map(({ value }) => value),
    lines: lines.map(({ line }) => line),
    sentCodes: sentCodes.map(({ id, finished_at }) => ({ codeId: id, sentAt: finished_at!.toISOString() })),
  }
}

/** A sentence for each contradiction; none when the rows are consistent. */
export function contradictionsIn(aftermath: Aftermath): string[] {
  return [...contradictionsOfState(aftermath), ...contradictionsOfChain(aftermath)]
}

function contradictionsOfState({
  status,
  partyCount,
  signatures,
  attempts,
  tombstones,
  ...contract
}: Aftermath): string[] {
  const contradictions: string[] = []
  const claim = (isTrue: boolean, what: string): void => void (isTrue || contradictions.push(what))
  const { events, version, expiresAt, completedAt, cancelledAt } = contract
  const parties = new Set(signatures.map(({ partyIndex }) => partyIndex))
  claim(parties.size === signatures.length, 'a party has two signatures [I2]')
  const open = signatures.length === 0 ? 'pending_signature' : 'partially_signed'
  if (signatures.length === partyCount) claim(status === 'signed', `everyone signed; status ${status} [I4]`)
  else claim([open, 'expired', 'cancelled'].includes(status), `${signatures.length} signed; status ${status} [I4]`)
  for (const { signedAt } of signatures) {
    claim(signedAt < expiresAt, `signed at ${signedAt}, which is not before ${expiresAt} [I10]`)
    claim(cancelledAt === undefined || signedAt <= cancelledAt, `signed at ${signedAt}, after ${cancelledAt} [I3]`)
  }
  if (status === 'signed')
    claim(completedAt === signatures.at(-1)?.signedAt, 'not completed by the last signature [I3]')

  claim(
    events.every(({ sequence }, index) => sequence === index + 1) && events.length === version,
    'events and version differ [I9]',
  )
  const final = { signed: 'completed', expired: 'expired', cancelled: 'cancelled' }[status as 'signed']
  const ends = events.filter(({ type }) => ['completed', 'expired', 'cancelled'].includes(type))
  // The sweep of expired contracts publishes an expiry later than expiresAt.
  claim(
    ends.length === (final ? 1 : 0) && ends[0]?.type === final,
    `${status} was published as ${JSON.stringify(ends)} [I7]`,
  )
  claim(ends.length === 0 || events.at(-1) === ends[0], 'an event was published after the end [I3]')
  const published = events.filter(({ type }) => type === 'party_signed').map(({ data }) => idOf(data))
  claim(same(published, signatures.map(idOf)), 'signatures and their events differ [I7]')

  const accepted = attempts.filter(({ state }) => state === 'accepted')
  claim(same(accepted.map(idOf), signatures.map(idOf)), 'accepted attempts and signatures differ [D41]')
  claim(
    attempts.every(({ state }) => state !== 'submitted'),
    'an attempt has no outcome [D41]',
  )
  claim(
    signatures.every(({ attemptId }) => !tombstones.includes(attemptId)),
    'a signature has a tombstone [D41]',
  )
  const everDeclined = events.filter(({ type }) => type === 'party_declined').map(({ data }) => data['partyIndex'])
  claim(new Set(everDeclined).size === everDeclined.length, 'a party declined twice [D57]')
  claim(
    everDeclined.toSorted().join() === contract.declined.toSorted().join(),
    'declines and their events differ [D57]',
  )
  return contradictions
}

/** A sentence for each line with a wrong number or link, or with an earlier date than the line before. [D30] */
export function linkErrors(lines: readonly string[]): string[] {
  const errors: string[] = []
  let [prev, at] = [GENESIS, '']
  for (const [index, line] of lines.entries()) {
    const entry = JSON.parse(line) as Entry
    if (entry.seq !== index + 1 || entry.prev !== prev) errors.push(`line ${index + 1} is not linked to the one before`)
    if (entry.at < at) errors.push(`line ${index + 1} is dated before the one before`)
    ;[prev, at] = [createHash('sha256').update(line).digest('hex'), entry.at]
  }
  return errors
}

function contradictionsOfChain({
  lines,
  signatures,
  attempts,
  status,
  sentCodes,
  verifiedCodes,
  ...contract
}: Aftermath): string[] {
  const contradictions = linkErrors(lines)
  const claim = (isTrue: boolean, what: string): void => void (isTrue || contradictions.push(what))
  const entries = lines.map((line) => JSON.parse(line) as Entry)
  const of = (type: string): Entry[] => entries.filter((entry) => entry.type === type)
  claim(
    same(
      of('signature.accepted').map(({ data }) => idOf(data)),
      signatures.map(idOf),
    ),
    'the chain accepts other signatures than the contract service has [D30]',
  )
  claim(
    of('party.readdressed').length === contract.readdressed.length,
    'the chain has other corrected addresses than the contract service [D61]',
  )
  const declineOf = (data: Record<string, unknown>) => [data['partyIndex'], data['declinedAt']].join(' ')
  claim(
    same(
      of('party.declined').map(({ data }) => declineOf(data)),
      contract.events.filter(({ type }) => type === 'party_declined').map(({ data }) => declineOf(data)),
    ),
    'the chain has other declines than the contract service [D57]',
  )
  const seqOf = (type: string, attemptId: string): number[] =>
    of(type)
      .filter(({ data }) => data['attemptId'] === attemptId)
      .map(({ seq }) => seq)
  for (const { attemptId, state } of attempts) {
    const [submitted, accepted, refused] = ['submitted', 'accepted', 'refused'].map((end) =>
      seqOf(`signature.${end}`, attemptId),
    ) as [number[], number[], number[]]
    const ends = [...accepted, ...refused]
    claim(submitted.length <= 1 && ends.length === submitted.length, `attempt ${attemptId} has no single end [D30]`)
    claim(ends.length === 0 || ends[0]! > submitted[0]!, `attempt ${attemptId} ended before it began [D30]`)
    claim(state !== 'accepted' || accepted.length === 1, `attempt ${attemptId} is accepted without evidence [D30]`)
    if (submitted.length > 0)
      claim(entries[submitted[0]! - 2]?.type === 'consent.given', `attempt ${attemptId} has no consent [D30]`)
  }
  claim(
    entries.length === 0 || (entries[0]?.type === 'contract.created' && of('contract.created').length === 1),
    'the chain is not opened once [D30]',
  )
  const ends = entries.filter(({ type }) => /^contract\.(completed|expired|cancelled)$/.test(type))
  const lastEvent = contract.events.at(-1)!.type
  const isOver = ['signed', 'expired', 'cancelled'].includes(status)
  claim(ends.length === (isOver ? 1 : 0), `a contract that is ${status} has ${ends.length} ends in its chain [D30]`)
  claim(
    !isOver || (entries.at(-1) === ends[0] && ends[0]?.type === `contract.${lastEvent}`),
    'the chain has no end [D30]',
  )
  const lastAt = entries.at(-1)?.at ?? ''
  const sent = of('code.sent').map(({ data }) => String(data['codeId']))
  claim(new Set(sent).size === sent.length, 'the chain records a sent code twice [D30]')
  for (const { codeId, sentAt } of sentCodes)
    claim(sent.includes(codeId) || (isOver && sentAt > lastAt), 'a code was sent that the chain does not record [D30]')
  for (const codeId of verifiedCodes)
    claim(sent.includes(codeId), 'a code was verified that the chain does not record as sent [D30]')
  return contradictions
}

/** Identifies a signature in rows, events and entries. */
const idOf = (signature: Record<string, unknown>): string =>
  [signature['partyIndex'], signature['attemptId'], signature['signedAt']].join(' ')

const same = (left: string[], right: string[]): boolean =>
  JSON.stringify(left.toSorted()) === JSON.stringify(right.toSorted())
