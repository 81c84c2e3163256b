// Checks I5: the evidence matches the events. Each line contains the hash of the previous line, accepted entries and signatures
// correspond, and the chain is closed when the contract ends, not earlier. [D30, D41]
// Recomputes the hashes from the lines alone. The database hashes the disclosures, so that personal data stay there.
// Reads the signing service before the contracts.
import { createHash } from 'node:crypto'
import { violationsOf, type ContractCheck, type Violation } from '../check.js'
import { FINAL_STATUSES, type ContractRow } from '../rows/contract-rows.js'

interface ChainRow {
  contractId: string
  seq: number
  hash: string
  closedAt: Date | null
  isSealed: boolean
}
interface EntryRow {
  contractId: string
  seq: number
  type: string
  line: string
}
/** A disclosure. The table and `openings.txt` use the older name. */
interface DisclosureRow {
  contractId: string
  seq: number
  path: string
  commitment: string
}
interface Line {
  at: string
  data: Record<string, unknown>
  prev: string
  seq: number
  type: string
}

const GENESIS = '0'.repeat(64)
/** Type of the last entry of a chain → the status of its contract. */
const ENDS: Readonly<Record<string, string>> = {
  'contract.completed': 'signed',
  'contract.expired': 'expired',
  'contract.cancelled': 'cancelled',
}

export const evidenceMatchesContracts: ContractCheck = {
  invariants: ['I5'],
  compares:
    'the lines of each evidence chain with their hashes, disclosures and numbers, and their content with the contract',
  async check({ sessions, range: { from, to }, contracts, scope: { withinSeconds } }) {
    const read = <Row extends object>(statement: string) =>
      sessions.signing.query<Row & Record<string, unknown>>(statement, [from, to])
    const chains = await read<ChainRow>(
      `select contract_id as "contractId", seq, hash, closed_at as "closedAt",
              exists (select from sealed_evidence s where s.contract_id = c.contract_id) as "isSealed"
         from evidence_chain c where contract_id between $1 and $2`,
    )
    const entries = await read<EntryRow>(
      `select contract_id as "contractId", seq, type, line from evidence_entry where contract_id between $1 and $2
        order by contract_id, seq`,
    )
    const disclosures = await read<DisclosureRow>(
      `select contract_id as "contractId", seq, path, commitment
         from evidence_opening where contract_id between $1 and $2`,
    )
    const undeleted = await read<{ contractId: string }>(
      `select contract_id as "contractId" from erasure e where contract_id between $1 and $2
          and (exists (select from evidence_opening o where o.contract_id = e.contract_id)
            or exists (select from sealed_copy c where c.contract_id = e.contract_id))`,
    )
    const isUndeleted = new Set(undeleted.map(({ contractId }) => contractId))
    const known = await contracts()
    const chainOf = new Map(chains.map((chain) => [chain.contractId, chain]))
    const entriesOf = Map.groupBy(entries, ({ contractId }) => contractId)
    const disclosuresOf = Map.groupBy(disclosures, ({ contractId }) => contractId)
    const ids = new Set([...known.keys(), ...chainOf.keys(), ...entriesOf.keys()])
    return {
      counts: { chains: chains.length, entries: entries.length, disclosures: disclosures.length },
      violations: [...ids].flatMap((id): Violation[] => {
        const [chain, lines, contract] = [chainOf.get(id), entriesOf.get(id) ?? [], known.get(id)]
        const isLate = contract !== undefined && ageSeconds(contract) > withinSeconds
        const wrong = [
          ...chainViolations(chain, lines, disclosuresOf.get(id) ?? []),
          ...(isUndeleted.has(id) ? ['was erased but still has disclosures or a sealed copy'] : []),
          ...(contract ? contentViolations(chain, lines, contract) : []),
        ]
        return violationsOf(id, [
          ...wrong.map((fault) => [true, 'I5', 'broken', fault] as const),
          ...(isLate ? lacking(chain, lines, contract) : []).map((fault) => [true, 'I5', 'late', fault] as const),
        ])
      }),
    }
  },
}

/** Inconsistencies within a chain. Pure. */
export function chainViolations(
  chain: ChainRow | undefined,
  entries: readonly EntryRow[],
  disclosures: readonly DisclosureRow[],
): string[] {
  // A new contract has no chain and no entries yet; `lacking` reports a chain that is late.
  if (!chain) return entries.length + disclosures.length > 0 ? ['has evidence without a chain'] : []
  const faults = new Set<string>()
  let prev = GENESIS
  let newestAt = ''
  for (const [index, { seq, type, line }] of entries.entries()) {
    const read = readLine(line)
    if (seq !== index + 1 || read?.seq !== seq) faults.add('has evidence with a gap')
    if (read?.prev !== prev) faults.add('has an evidence line with a wrong hash of the previous line')
    if (read?.type !== type) faults.add('has an evidence line whose type differs from its row')
    if (read && read.at < newestAt) faults.add('has an evidence line dated before the previous line')
    if (type in ENDS !== (chain.closedAt !== null && index === entries.length - 1))
      faults.add('has evidence closed without a final entry, or entries after it')
    prev = hashOf(line)
    newestAt = read?.at ?? newestAt
  }
  if (chain.seq !== entries.length || chain.hash !== prev)
    faults.add('has a chain whose newest hash or number differs from its last line')
  const lines = new Map(entries.map(({ seq, line }) => [seq, readLine(line)]))
  if (disclosures.some(({ seq, path, commitment }) => valueAt(lines.get(seq)?.data, path) !== commitment))
    faults.add('has a disclosure that does not match its commitment')
  return [...faults]
}

/** Contradictions between the content of a chain and the contract. Pure. */
function contentViolations(chain: ChainRow | undefined, entries: readonly EntryRow[], contract: ContractRow): string[] {
  const faults = new Set<string>()
  const seen = { submitted: new Set<unknown>(), accepted: new Set<unknown>(), refused: new Set<unknown>() }
  for (const { type, line } of entries) {
    const data = readLine(line)?.data ?? {}
    const attemptId = data['attemptId']
    if (type === 'contract.created') {
      if (data['contentSha256'] !== contract.contentSha256 || data['contractNumber'] !== contract.contractNumber)
        faults.add('has evidence of a different text or number')
    } else if (type === 'signature.submitted') seen.submitted.add(attemptId)
    else if (type === 'signature.refused') seen.refused.add(attemptId)
    else if (type === 'signature.accepted') {
      if (seen.accepted.has(attemptId)) faults.add('has a signature accepted twice in its evidence')
      if (!seen.submitted.has(attemptId)) faults.add('has a signature accepted but never submitted in its evidence')
      seen.accepted.add(attemptId)
      const signature = contract.signatures.find((each) => each.attemptId === attemptId)
      if (!signature) faults.add('has a signature in its evidence that does not exist')
      else if (signature.partyIndex !== data['partyIndex'] || signature.signedAt.toISOString() !== data['signedAt'])
        faults.add('has a signature in its evidence with a different party or time')
    } else if (type === 'party.declined') {
      const isStored = contract.declines.some(
        ({ partyIndex, declinedAt }) => partyIndex === data['partyIndex'] && declinedAt === data['declinedAt'],
      )
      if (!isStored) faults.add('has a decline in its evidence that does not exist')
    } else if (type === 'party.readdressed') {
      const isStored = contract.readdresses.some(
        ({ partyIndex, readdressedAt }) => partyIndex === data['partyIndex'] && readdressedAt === data['readdressedAt'],
      )
      if (!isStored) faults.add('has a corrected address in its evidence that does not exist')
    }
  }
  if ([...seen.accepted].some((id) => seen.refused.has(id)))
    faults.add('has a signature both accepted and refused in its evidence')
  if (chain?.closedAt) {
    if (ENDS[entries.at(-1)?.type ?? ''] !== contract.status)
      faults.add('has evidence whose final entry contradicts its status')
    if (seen.accepted.size !== contract.signatures.length)
      faults.add('has closed evidence without all of its signatures')
  }
  return [...faults]
}

/** What is missing in the evidence of a contract that has not changed recently. Pure. */
export function lacking(
  chain: ChainRow | undefined,
  entries: readonly EntryRow[],
  {
    signatures,
    declines,
    readdresses,
    status,
  }: Pick<ContractRow, 'signatures' | 'declines' | 'readdresses' | 'status'>,
): string[] {
  if (!chain) return ['has no evidence chain']
  const accepted = new Set(
    entries.filter(({ type }) => type === 'signature.accepted').map(({ line }) => readLine(line)?.data['attemptId']),
  )
  const isMissing = signatures.some(({ attemptId }) => !accepted.has(attemptId))
  const countOf = (name: string): number => entries.filter(({ type }) => type === name).length
  const isOpen = FINAL_STATUSES.includes(status) && !chain.closedAt
  return [
    ...(isMissing ? ['has a signature missing from its evidence'] : []),
    ...(countOf('party.declined') < declines.length ? ['has a decline missing from its evidence'] : []),
    ...(countOf('party.readdressed') < readdresses.length ? ['has a corrected address missing from its evidence'] : []),
    ...(isOpen ? ['is final but its evidence is not closed'] : []),
    ...(status === 'signed' && !chain.isSealed ? ['is signed but its evidence is not sealed'] : []),
  ]
}

/** Seconds since the last change. An expiry counts as a change at `expiresAt`, even if it was stored later. */
const ageSeconds = ({ changedAt, now }: ContractRow): number => (now.getTime() - changedAt.getTime()) / 1_000

const hashOf = (line: string): string => createHash('sha256').update(line, 'utf8').digest('hex')

function readLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}

function valueAt(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key]
  return value
}
