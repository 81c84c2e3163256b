// I5: the evidence matches the events: each line is bound to the one before it, accepted entries and signatures correspond, and the
// chain is closed with the contract, not earlier. [D30, D41]
// Recomputes the hashes from the lines alone. Hashes disclosures in the database, so that text of a person stays there.
// Reads signing before contracts.
import { createHash } from 'node:crypto'
import type { ContractBatch, ContractCheck, Violation } from '../check.js'
import { FINAL_STATUSES, type ContractRow } from '../rows/contract-rows.js'

export interface ChainRow {
  contractId: string
  seq: number
  hash: string
  closedAt: Date | null
}
export interface EntryRow {
  contractId: string
  seq: number
  type: string
  line: string
}
interface OpeningRow {
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
/** Type of the last entry → the status of the contract. */
const ENDS: Readonly<Record<string, string>> = {
  'contract.completed': 'signed',
  'contract.expired': 'expired',
  'contract.cancelled': 'cancelled',
}

export const evidenceTells: ContractCheck = {
  invariants: ['I5'],
  compares:
    'the lines of each evidence chain with their hashes, disclosures and numbers, and their content with the contract',
  async look({ looks, range: { from, to }, contracts, scope: { withinSeconds } }: ContractBatch) {
    const ofRange = [from, to]
    const chains = await looks.signing.query<ChainRow>(
      `select contract_id as "contractId", seq, hash, closed_at as "closedAt" from evidence_chain
        where contract_id between $1 and $2`,
      ofRange,
    )
    const entries = await looks.signing.query<EntryRow>(
      `select contract_id as "contractId", seq, type, line from evidence_entry where contract_id between $1 and $2 order by contract_id, seq`,
      ofRange,
    )
    const openings = await looks.signing.query<OpeningRow>(
      `select contract_id as "contractId", seq, path, encode(sha256(convert_to(salt || ':' || value, 'UTF8')), 'hex') as commitment
         from evidence_opening where contract_id between $1 and $2`,
      ofRange,
    )
    const sealed = await looks.signing.query<{ contractId: string }>(
      `select contract_id as "contractId" from sealed_evidence where contract_id between $1 and $2`,
      ofRange,
    )
    const kept = await looks.signing.query<{ contractId: string }>(
      `select contract_id as "contractId" from erasure e where contract_id between $1 and $2
          and (exists (select from evidence_opening o where o.contract_id = e.contract_id)
            or exists (select from sealed_copy c where c.contract_id = e.contract_id))`,
      ofRange,
    )
    const isSealed = new Set(sealed.map(({ contractId }) => contractId))
    const isKept = new Set(kept.map(({ contractId }) => contractId))
    const known = await contracts()
    const chainOf = new Map(chains.map((chain) => [chain.contractId, chain]))
    const entriesOf = Map.groupBy(entries, ({ contractId }) => contractId)
    const openingsOf = Map.groupBy(openings, ({ contractId }) => contractId)
    const ids = new Set([...known.keys(), ...chainOf.keys(), ...entriesOf.keys()])
    return {
      looked: { chains: chains.length, entries: entries.length, openings: openings.length },
      violations: [...ids].flatMap((id): Violation[] => {
        const [chain, lines] = [chainOf.get(id), entriesOf.get(id) ?? []]
        const contract = known.get(id)
        const say = (kind: Violation['kind']) => (fault: string) =>
          ({ invariant: 'I5', kind, subject: id, fault }) as const
        return [
          ...chainViolations(chain, lines, openingsOf.get(id) ?? []).map(say('broken')),
          ...(isKept.has(id) ? ['was erased but still has disclosures or a sealed copy'].map(say('broken')) : []),
          ...(contract ? taleViolations(chain, lines, contract).map(say('broken')) : []),
          ...(contract && ageSeconds(contract) > withinSeconds
            ? lacking(chain, lines, contract, isSealed.has(id)).map(say('late'))
            : []),
        ]
      }),
    }
  },
}

/** Inconsistencies within a chain. Pure. */
export function chainViolations(
  chain: ChainRow | undefined,
  entries: readonly EntryRow[],
  openings: readonly OpeningRow[],
): string[] {
  // A new contract has neither yet; `lacking` reports it when it is late.
  if (!chain) return entries.length + openings.length > 0 ? ['has evidence without a chain'] : []
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
  if (openings.some(({ seq, path, commitment }) => valueAt(lines.get(seq)?.data, path) !== commitment))
    faults.add('has a disclosure that does not match its commitment')
  return [...faults]
}

/** What a chain tells that the contract does not bear out. Pure. */
export function taleViolations(
  chain: ChainRow | undefined,
  entries: readonly EntryRow[],
  contract: ContractRow,
): string[] {
  const faults = new Set<string>()
  const told = { submitted: new Set<unknown>(), accepted: new Set<unknown>(), refused: new Set<unknown>() }
  for (const { type, line } of entries) {
    const data = readLine(line)?.data ?? {}
    const attemptId = data['attemptId']
    if (type === 'contract.created') {
      if (data['contentSha256'] !== contract.contentSha256 || data['contractNumber'] !== contract.contractNumber)
        faults.add('has evidence of a different text or number')
    } else if (type === 'signature.submitted') told.submitted.add(attemptId)
    else if (type === 'signature.refused') told.refused.add(attemptId)
    else if (type === 'signature.accepted') {
      if (told.accepted.has(attemptId)) faults.add('has a signature accepted twice in its evidence')
      if (!told.submitted.has(attemptId)) faults.add('has a signature accepted but never submitted in its evidence')
      told.accepted.add(attemptId)
      const signature = contract.signatures.find((each) => each.attemptId === attemptId)
      if (!signature) faults.add('has a signature in its evidence that does not exist')
      else if (signature.partyIndex !== data['partyIndex'] || signature.signedAt.toISOString() !== data['signedAt'])
        faults.add('has a signature in its evidence with a different party or time')
    }
  }
  if ([...told.accepted].some((id) => told.refused.has(id)))
    faults.add('has a signature both accepted and refused in its evidence')
  if (chain?.closedAt) {
    if (ENDS[entries.at(-1)?.type ?? ''] !== contract.status)
      faults.add('has evidence whose final entry contradicts its status')
    if (told.accepted.size !== contract.signatures.length)
      faults.add('has closed evidence without all of its signatures')
  }
  return [...faults]
}

/** What the evidence of a contract at rest lacks. Pure. */
export function lacking(
  chain: ChainRow | undefined,
  entries: readonly EntryRow[],
  contract: ContractRow,
  isSealed: boolean,
): string[] {
  if (!chain) return ['has no evidence chain']
  const accepted = new Set(
    entries.filter(({ type }) => type === 'signature.accepted').map(({ line }) => readLine(line)?.data['attemptId']),
  )
  const isUntold = contract.signatures.some(({ attemptId }) => !accepted.has(attemptId))
  return [
    ...(isUntold ? ['has a signature missing from its evidence'] : []),
    ...(FINAL_STATUSES.includes(contract.status) && !chain.closedAt ? ['is final but its evidence is not closed'] : []),
    ...(contract.status === 'signed' && !isSealed ? ['is signed but its evidence is not sealed'] : []),
  ]
}

/** Since the last change. An expiry is a change at `expiresAt`, however late it was stored. */
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
