// The list of contracts as CSV, page by page, so that memory does not grow with the list. [RFC 4180, D71]
import type { OtherServices } from '../console-context.js'
import type { ListedContract } from './contract-rows.js'

/** Contracts in one page; the contract service gives no more. */
const PAGE = 50

/** Column → its value. The names are those of the API, the same in every language. */
const COLUMNS: Readonly<Record<string, (contract: ListedContract) => string | number | null>> = {
  contractNumber: ({ contractNumber }) => contractNumber,
  id: ({ id }) => id,
  contractType: ({ contractType }) => contractType,
  status: ({ status }) => status,
  senderName: ({ senderName }) => senderName,
  firstParties: ({ partyNames }) => partyNames.join('; '),
  parties: ({ total }) => total,
  signed: ({ signed }) => signed,
  deliveryProblem: ({ deliveryProblem }) => deliveryProblem,
  declined: ({ isDeclined }) => (isDeclined ? 'yes' : 'no'),
  createdAt: ({ createdAt }) => createdAt,
  expiresAt: ({ expiresAt }) => expiresAt,
  endedAt: ({ endedAt }) => endedAt,
}

type ListQuery = OtherServices['contract']['list']['query']

/**
 * Yields the document in chunks, the newest contract first. It begins with a byte order mark, without which Excel misreads accents.
 * @throws the error that interrupts the list, which breaks the download
 */
export async function* csvOf(
  query: ListQuery,
  filter: Omit<Parameters<ListQuery>[0], 'page' | 'limit'>,
): AsyncGenerator<string> {
  yield `\uFEFF${lineOf(Object.keys(COLUMNS))}`
  for (let older: string | undefined; ;) {
    const page = await query({ ...filter, limit: PAGE, ...(older !== undefined && { page: { older } }) })
    const values = Object.values(COLUMNS)
    yield page.contracts.map((contract) => lineOf(values.map((valueOf) => valueOf(contract)))).join('')
    if (page.older === null) return
    older = page.older
  }
}

const lineOf = (values: readonly (string | number | null)[]): string =>
  `${values.map((value) => cellOf(String(value ?? ''))).join(',')}\r\n`

/** Quotes every cell. An apostrophe goes before a sign with which a spreadsheet would begin a formula. [OWASP: CSV injection] */
export function cellOf(value: string): string {
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}
