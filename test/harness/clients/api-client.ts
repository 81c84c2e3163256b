// Test clients for the REST interface and for the local mailbox.
// The REST client checks every answer against docs/openapi.json and records its receipt, independently of the assertions of the test.
import { checkResponse } from './answer-check.js'
import { keepReceipt } from '../stack/receipts.js'
import { until } from '../until.js'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

export interface ContractBody {
  success: true
  contract: {
    id: string
    contractNumber: string
    shareUrl: string
    status: string
    expiresAt: string
    parties: {
      role: string
      legalName: string
      email: string
      hasSigned?: boolean
      delivery?: string
      declinedAt?: string | null
    }[]
    signingProgress: { signed: number; total: number; pending: number; percentage: number }
    signatures?: { signerEmail: string; signedAt: string }[]
    completedAt?: string | null
  }
}

/** `fetch` for the external interface: checks the answer against docs/openapi.json and records its receipt. */
export async function fetchChecked(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const { method = 'GET', headers = {} } = init
  const response = await fetch(url, { ...init, method, headers })
  const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-api-key')?.[1]
  if (key !== undefined) keepReceipt(key, response.headers)
  return checkResponse(method, response)
}

/** Creates a client that sends calls below `apiUrl` with the API key `key`. */
export function createApiClient(apiUrl: string, key: string) {
  async function call<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetchChecked(`${apiUrl}${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Body }
  }
  return {
    call,
    create: (body: unknown, headers?: Record<string, string>) =>
      call<ContractBody>('POST', '/contracts', body, headers),
    get: (id: string) => call<ContractBody>('GET', `/contracts/${id}`),
  }
}

export interface Message {
  ID: string
  MessageID: string
  Subject: string
  Created: string
  From: { Name: string; Address: string }
  To: { Name: string; Address: string }[]
}

/** Creates a client of the local mailbox, whose JSON API is compatible with Mailpit. */
export function createMailbox(mailboxUrl: string) {
  const json = async <T>(path: string): Promise<T> => (await (await fetch(`${mailboxUrl}${path}`)).json()) as T

  /** The mails to `address`, newest first. */
  const listTo = async (address: string): Promise<Message[]> =>
    (await json<{ messages: Message[] }>(`/api/v1/search?query=${encodeURIComponent(`to:"${address}"`)}`)).messages

  const read = (id: string) =>
    json<{ Text: string; HTML: string; Attachments: { PartID: string; FileName: string }[] }>(`/api/v1/message/${id}`)

  /** An attachment of a mail, by its file name. */
  async function readAttachment(id: string, fileName: string): Promise<Buffer> {
    const part = (await read(id)).Attachments.find((each) => each.FileName === fileName)
    if (!part) throw new Error(`the mail ${id} has no ${fileName}`)
    return Buffer.from(await (await fetch(`${mailboxUrl}/api/v1/message/${id}/part/${part.PartID}`)).arrayBuffer())
  }

  /** The ids of the mails to `address` so far, for the parameter `seen` of the functions below. */
  const idsTo = async (address: string): Promise<ReadonlySet<string>> =>
    new Set((await listTo(address)).map(({ ID }) => ID))

  /** Waits for a mail to `address` whose subject contains `subject` and whose id is not in `seen`. */
  const waitFor = (address: string, subject: string, seen: ReadonlySet<string> = new Set()): Promise<Message> =>
    until(`a mail "${subject}" to ${address}`, async () =>
      (await listTo(address)).find((message) => message.Subject.includes(subject) && !seen.has(message.ID)),
    )

  /** Waits for a mail with a one-time code to `address` whose id is not in `seen`. @returns the code of the newest such mail */
  async function waitForCode(address: string, seen?: ReadonlySet<string>): Promise<string> {
    const { Text } = await read((await waitFor(address, 'one-time code', seen)).ID)
    return /^(\d{6}|\d{8}|\d{12})\b/m.exec(Text)?.[1] ?? ''
  }

  return { listTo, idsTo, read, readAttachment, waitFor, waitForCode }
}

export type Mailbox = ReturnType<typeof createMailbox>
