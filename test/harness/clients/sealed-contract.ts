// Creates and signs contracts over HTTP, for tests of evidence and sealed copies.
import { createApiClient, type ContractBody } from './api-client.js'
import { createVisitor, proveMailbox, signOn, type PageAnswer, type Visitor } from './ceremony-client.js'
import type { RunningStack } from '../stack/local-stack.js'
import { until } from '../until.js'

export interface SealedParty {
  role: string
  legalName: string
  email: string
}

/** The last two parties share a mailbox. */
export const SEALED_PARTIES: readonly SealedParty[] = [
  { role: 'Discloser', legalName: 'Nordic Foods Ltd.', email: 'nordic@sealed.test' },
  { role: 'Recipient', legalName: 'Jane Roe', email: 'jane@sealed.test' },
  { role: 'Director', legalName: 'Roe Trading Inc.', email: 'Jane@Sealed.Test' },
]
/** None of the fonts of the signed PDF contains the character U+1F600 of this text. */
export const SEALED_CONTENT =
  'NON-DISCLOSURE AGREEMENT\r\n\r\n1. PURPOSE\r\n\r\nKeep it secret: 100 €, “quoted”, \u{1F600}.\r\n'

export const FILES = ['copy.pdf', 'contract.txt', 'evidence.jws', 'openings.txt'] as const

/** Creates a contract with the API key `key`. */
export async function createSignable(
  { stack }: Pick<RunningStack, 'stack'>,
  key: string,
  body: { parties: readonly SealedParty[] } & Record<string, unknown>,
): Promise<ContractBody['contract']> {
  const answer = await createApiClient(stack.apiUrl, key).create({ contractType: 'nda', ...body })
  if (answer.status !== 201) throw new Error(`POST /contracts returned the status ${answer.status}`)
  return answer.body.contract
}

/** Signs for every party in order, with one session per mailbox. @returns the visitors with their sessions, by mailbox */
export async function signAll(
  { stack }: Pick<RunningStack, 'stack'>,
  shareUrl: string,
  parties: readonly SealedParty[],
  headers: Record<string, string> = {},
): Promise<Map<string, Visitor>> {
  const visitors = new Map<string, Visitor>()
  for (const [index, { email, legalName }] of parties.entries()) {
    const mailbox = email.toLowerCase()
    let visitor = visitors.get(mailbox)
    if (!visitor) {
      visitor = createVisitor(headers)
      visitors.set(mailbox, visitor)
      await proveMailbox(visitor, shareUrl, email, stack.mailboxUrl)
    }
    const answer = await signOn(visitor, await visitor.get(`${shareUrl}/review?party=${index}`), legalName)
    if (answer.status !== 303) throw new Error(`${email} could not sign: ${answer.status}`)
  }
  return visitors
}

/** Waits until the status page of a session offers the sealed PDF. */
export const untilSealed = (visitor: Visitor, shareUrl: string, withinMs?: number): Promise<PageAnswer> =>
  until(
    'a sealed PDF',
    async () => {
      const page = await visitor.get(`${shareUrl}/done`)
      return page.body.includes('/copy.pdf"') ? page : undefined
    },
    withinMs,
  )

/** Downloads all FILES with a session. */
export async function download(visitor: Visitor, shareUrl: string): Promise<Record<(typeof FILES)[number], Buffer>> {
  const pairs = await Promise.all(
    FILES.map(async (name) => {
      const { status, bytes } = await visitor.get(`${shareUrl}/${name}`)
      if (status !== 200) throw new Error(`${name} returned the status ${status}`)
      return [name, bytes] as const
    }),
  )
  return Object.fromEntries(pairs) as Record<(typeof FILES)[number], Buffer>
}

/** Fetches a file below `/.well-known/`. */
export async function wellKnown({ stack }: Pick<RunningStack, 'stack'>, name: string): Promise<Response> {
  const answer = await fetch(new URL(`/.well-known/${name}`, stack.shareUrl))
  if (!answer.ok) throw new Error(`${name} returned the status ${answer.status}`)
  return answer
}
