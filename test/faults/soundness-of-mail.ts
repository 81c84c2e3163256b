// Checks the mails after a fault: recipients, unwanted mails, and the number of copies. [I7, I8, D24]
// Owns: the mails that a mail server may have received twice, and why. Does not own: the copies that a scenario explains (scenarios/).
import type { ContractRow } from '@paraph/verify/rows/contract-rows'
import { isRightlySkipped } from '@paraph/verify/checks/deliveries'
import type { BaseStack } from './base-stack.js'
import type { Allowance, Findings } from './soundness.js'
import type { Workload } from './workload.js'

/** The most mails that a worker sends concurrently: five, and one more slot for codes (delivery-worker.ts). */
export const MAILS_SENT_CONCURRENTLY = 6
const COPIES_OF_ONE = 3

interface DeliveryRow {
  /** Null for a mail to an owner. */
  contract_id: string | null
  party_index: number | null
  kind: string
  send_number: number
  request_id: string | null
  state: string
  outcome: string | null
}

const deliveriesOf = (stack: BaseStack): Promise<DeliveryRow[]> =>
  stack.query<DeliveryRow>(
    'notification',
    'select contract_id, party_index, kind, send_number, request_id, state, outcome from delivery',
  )

/** The names of the mails that workers have leased and not finished. If a worker dies now, each of its mails may be sent once more. */
export const mailsInProgress = async (stack: BaseStack): Promise<string[]> => [...(await currentLeases(stack)).values()]

/** Lease → name of the mail. A lease belongs to one attempt at one mail. */
export async function currentLeases({ query }: Pick<BaseStack, 'query'>): Promise<Map<string, string>> {
  const rows = await query<DeliveryRow & { claim: string }>(
    'notification',
    `select claim, contract_id, party_index, kind, send_number, request_id, state, outcome from delivery
      where state = 'due' and claimed_until > clock_timestamp()`,
  )
  return new Map(rows.map((row) => [row.claim, nameOf(row)]))
}

/** The name of a mail: its Message-ID before the @. For a mail to an owner only the request id, because the row lacks the exact kind. */
const nameOf = ({ kind, contract_id, party_index, send_number, request_id }: DeliveryRow): string =>
  contract_id === null ? `owner.${request_id}` : [kind, contract_id, party_index, send_number].join('.')

function nameOfMail(messageId: string): string {
  const parts = messageId.replace(/^<|@.*$/g, '').split('.')
  return parts.length === 2 ? `owner.${parts[1]}` : parts.join('.')
}

/** True for the Message-ID of a mail of a contract: no code, and no mail to an owner. */
export const isOfContract = (messageId = ''): boolean => !nameOfMail(messageId).startsWith('owner.')

/** The data that decides whether a mail of a contract is wanted, by contract id. */
async function contractsOf(stack: BaseStack, ids: readonly string[]): Promise<ReadonlyMap<string, MailedContract>> {
  const rows = await stack.query<Omit<MailedContract, 'signatures'> & { id: string; signed: number[] }>(
    'contract',
    `select id, status, expires_at as "expiresAt", erased_at as "erasedAt", clock_timestamp() as now,
            array(select mailbox_digest from verify.party where contract_id = contract.id order by party_index) as mailboxes,
            '{}'::text[] as readdresses,
            array(select party_index::int from signature where contract_id = contract.id) as signed
       from contract where id = any($1)`,
    [ids],
  )
  return new Map(
    rows.map(({ id, signed, ...row }) => [id, { ...row, signatures: signed.map((partyIndex) => ({ partyIndex })) }]),
  )
}

type MailedContract = Pick<ContractRow, 'status' | 'expiresAt' | 'erasedAt' | 'mailboxes' | 'now' | 'readdresses'> & {
  signatures: { partyIndex: number }[]
}

/** Checks that every party is invited, with one Message-ID and no more copies than deaths and lost acknowledgements explain. [I7, I8] */
export async function mailFaults(
  stack: BaseStack,
  { created }: Pick<Workload, 'created'>,
  allowance: Allowance,
  faults: string[],
): Promise<Pick<Findings, 'mails' | 'copies'>> {
  const sent = new Map<string, number>()
  for (const mail of stack.mailServer.accepted()) {
    const id = nameOfMail(mail.parsed.messageId ?? '')
    sent.set(id, (sent.get(id) ?? 0) + 1)
  }
  const deliveries = await deliveriesOf(stack)
  const known = new Map(deliveries.map((row) => [nameOf(row), row]))
  for (const id of sent.keys()) if (!known.has(id)) faults.push(`the mail ${id} was sent without a delivery row [I7]`)
  for (const [id, { state }] of known)
    if (state === 'accepted' && !sent.has(id)) faults.push(`${id} counts as accepted and never arrived [I8]`)
  const contracts = await contractsOf(
    stack,
    created.map(({ id }) => id),
  )
  for (const contract of created) {
    for (let at = 0; at < contract.partyCount; at += 1) {
      const id = `invitation.${contract.id}.${at}.1`
      const row = known.get(id)
      if (!row) faults.push(`${contract.id}: party ${at} has no delivery row of an invitation [I8]`)
      else if (sent.has(id) || allowance.refusedForGood?.includes(contract.emails[at]!)) continue
      else if (!isSkippedRightly(row, at, contracts.get(contract.id)))
        faults.push(`${contract.id}: party ${at} got no invitation: ${row.state} ${row.outcome} [I8]`)
    }
  }
  const ours = new Set(created.map(({ id }) => id))
  const sentOfOurs = new Map([...sent].filter(([id]) => ours.has(id.split('.')[1] ?? '')))
  return { mails: sentOfOurs.size, copies: copyFaults(sentOfOurs, allowance, faults) }
}

const isSkippedRightly = (
  { state, kind, outcome }: DeliveryRow,
  partyIndex: number,
  contract: MailedContract | undefined,
): boolean => state === 'skipped' && contract !== undefined && isRightlySkipped({ kind, partyIndex, outcome }, contract)

/**
 * Reports the mails that were sent more often than the scenario explains.
 * @param sent name of a mail → how often it was sent
 * @returns the number of surplus copies
 */
export function copyFaults(
  sent: ReadonlyMap<string, number>,
  { extraCopies, totalCopies, inProgress }: Pick<Allowance, 'extraCopies' | 'totalCopies' | 'inProgress'>,
  faults: string[],
): number {
  // If the mails in progress at each death are known, each may have one copy per death, and no other bound per mail applies.
  const ofOne = extraCopies ?? (inProgress ? Infinity : Math.min(COPIES_OF_ONE, totalCopies ?? 0))
  const inAll = totalCopies ?? ofOne * MAILS_SENT_CONCURRENTLY
  for (const [id, count] of sent) {
    const leases = inProgress?.filter((each) => each === id).length ?? Infinity
    const explained = Math.min(ofOne, leases)
    if (count - 1 > explained) faults.push(`${id} was sent ${count} times; ${explained} copies are explained [I8]`)
  }
  const copies = [...sent.values()].reduce((sum, count) => sum + count - 1, 0)
  if (copies > inAll) faults.push(`mails went out ${copies} times too often; ${inAll} are explained [I8]`)
  return copies
}
