// An HTTP client for the pages of the ceremony: submits forms, follows redirects, keeps cookies, and measures the time of each answer.
// For tests that need no rendered page (races, crashes, timing, secrets); other tests use a real browser.
import { Agent, request } from 'node:http'
import { createMailbox } from './api-client.js'

export interface PageAnswer {
  /** The requested URL. */
  url: string
  status: number
  headers: Headers
  body: string
  /** `body` before its decoding as UTF-8. */
  bytes: Buffer
  /** Milliseconds from the start of the request to the last byte of the answer. */
  ms: number
}

export interface Form {
  action: string
  /** Every input with its current value, except boxes that are not ticked. */
  fields: Record<string, string>
}

/**
 * Creates a visitor, who has one connection and one set of cookies.
 * @param headers sent with every request
 * @param onAnswer called after every request, with the answer (undefined if the request failed) and the start time of the request
 *   (`Date.now()`); a redirect is an answer too
 */
export function createVisitor(
  headers: Record<string, string> = {},
  onAnswer: (answer: PageAnswer | undefined, startedAt: number) => void = () => undefined,
  /** The address that connections come from: on Linux any of 127.0.0.0/8. Default: the system's choice. */
  localAddress?: string,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ...(localAddress === undefined ? {} : { localAddress }) })
  const cookies = new Map<string, string>()

  /** Sends one request, without following redirects. */
  async function send(...request: Parameters<typeof exchange>): Promise<PageAnswer> {
    const startedAt = Date.now()
    const answer = await exchange(...request).catch((error: unknown) => {
      onAnswer(undefined, startedAt)
      throw error
    })
    onAnswer(answer, startedAt)
    return answer
  }

  function exchange(
    method: string,
    url: string,
    fields?: Record<string, string>,
    more: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const body = fields && new URLSearchParams(fields).toString()
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const own = cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    return new Promise((resolve, reject) => {
      const sentAt = performance.now()
      const call = request(
        url,
        { method, agent, headers: { ...headers, ...type, ...length, ...own, ...more } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const ms = performance.now() - sentAt
            const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
              (values ?? []).map((value): [string, string] => [name, value]),
            )
            const received = new Headers(pairs)
            for (const cookie of received.getSetCookie()) keep(cookie)
            const bytes = Buffer.concat(chunks)
            resolve({ url, status: answer.statusCode ?? 0, headers: received, body: bytes.toString('utf8'), bytes, ms })
          })
        },
      )
      call.on('error', reject)
      call.end(body)
    })
  }

  function keep(setCookie: string): void {
    const [pair = '', ...attributes] = setCookie.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(pair.slice(0, at))
    else cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }

  /** Follows redirects until an answer is no redirect. */
  async function follow(answer: PageAnswer): Promise<PageAnswer> {
    let page = answer
    for (let hops = 0; page.status === 303; hops += 1) {
      if (hops === 10) throw new Error(`More than 10 redirects, the last one at ${page.url}`)
      page = await send('GET', locationOf(page))
    }
    return page
  }

  /** Submits the form of `page` whose action matches `actionEnd`. `fields` override its values. Does not follow redirects. */
  function submit(
    page: PageAnswer,
    actionEnd: string | RegExp,
    fields: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const form = formOf(page, actionEnd)
    return send('POST', new URL(form.action, page.url).href, { ...form.fields, ...fields })
  }

  return {
    cookies,
    send,
    follow,
    submit,
    get: (url: string, more?: Record<string, string>) => send('GET', url, undefined, more),
    head: (url: string) => send('HEAD', url),
    post: (url: string, fields: Record<string, string>, more?: Record<string, string>) =>
      send('POST', url, fields, more),
    close: () => agent.destroy(),
  }
}

export type Visitor = ReturnType<typeof createVisitor>

/** The target of a redirect, as a complete URL. */
export const locationOf = (answer: PageAnswer): string => new URL(answer.headers.get('location') ?? '', answer.url).href

/** The forms of a page. */
export function formsOf({ body }: Pick<PageAnswer, 'body'>): Form[] {
  return [...body.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, open = '', inside = '']) => {
    const fields: Record<string, string> = {}
    for (const [, attributes = ''] of inside.matchAll(/<input\b([^>]*)>/g)) {
      const name = attributeOf(attributes, 'name')
      const isUnticked = attributeOf(attributes, 'type') === 'checkbox' && !/\schecked\b/.test(attributes)
      if (name !== undefined && !isUnticked) fields[name] = attributeOf(attributes, 'value') ?? ''
    }
    return { action: attributeOf(open, 'action') ?? '', fields }
  })
}

function formOf(page: PageAnswer, actionEnd: string | RegExp): Form {
  const form = formsOf(page).find(({ action }) =>
    typeof actionEnd === 'string' ? action.endsWith(actionEnd) : actionEnd.test(action),
  )
  if (!form) throw new Error(`There is no matching form on ${page.url}, which returned the status ${page.status}`)
  return form
}

function attributeOf(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]
  return value?.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Opens the share link and requests a code for `address`. @returns the code page */
export async function askForCode(visitor: Visitor, shareUrl: string, address: string): Promise<PageAnswer> {
  return visitor.follow(await visitor.submit(await visitor.get(shareUrl), '/code', { email: address }))
}

/** Opens the share link and enters the code from the mailbox. @returns the review page, or the choice of a role */
export async function proveMailbox(
  visitor: Visitor,
  shareUrl: string,
  address: string,
  mailboxUrl: string,
): Promise<PageAnswer> {
  const mailbox = createMailbox(mailboxUrl)
  const seen = await mailbox.idsTo(address)
  const page = await askForCode(visitor, shareUrl, address)
  return visitor.follow(
    await visitor.submit(page, /\/code\/[^/]+$/, { code: await mailbox.waitForCode(address, seen) }),
  )
}

/** Submits the form of the review page. @returns the redirect after a signature, or the page with the reason of a refusal */
export const signOn = (visitor: Visitor, review: PageAnswer, legalName: string): Promise<PageAnswer> =>
  visitor.submit(review, '/sign', { typedName: legalName, consent: 'yes' })
