// A visitor of the console without a browser: keeps cookies, fills forms, reads the codes that notification would mail.
import { request } from 'undici'
import { createAuthenticator } from '@paraph/testing/test/authenticator-fixture'
import type { TestGateway } from './gateway-fixture.js'
import { until } from './gateway-fixture.js'

export interface Answer {
  status: number
  location: string | undefined
  headers: Record<string, string | string[] | undefined>
  body: string
}

let clients = 0

/** `BASE_URL` of the test gateway. */
export const ORIGIN = 'http://sign.test'
/** Gateway and mailbox → the device of a person, which every visitor with that mailbox holds. */
const devices = new WeakMap<TestGateway, ReturnType<typeof createAuthenticator>>()

/** A visitor of the console with a client address of its own. */
export function createConsoleVisitor(gateway: TestGateway) {
  const jar = new Map<string, string>()
  clients += 1
  const clientAddress = `198.51.${Math.floor(clients / 250)}.${(clients % 250) + 1}`

  async function send(
    method: 'GET' | 'POST',
    path: string,
    body?: string | Buffer,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await request(gateway.url + path, {
      method,
      headers: {
        'x-forwarded-for': clientAddress,
        'user-agent': 'test browser',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(typeof body === 'string' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...more,
      },
      body: body ?? null,
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const { location } = answer.headers
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: await answer.body.text(),
      location: typeof location === 'string' ? location : undefined,
    }
  }

  const get = (path: string, headers?: Record<string, string>): Promise<Answer> => send('GET', path, undefined, headers)

  /** Sends a form without adding a token. */
  const post = (path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer> =>
    send('POST', path, new URLSearchParams(fields).toString(), headers)

  const tokenOn = async (path: string): Promise<string> =>
    /name="formToken" value="([^"]+)"/.exec((await get(path)).body)?.[1] ?? ''

  /** Sends a form with the session's token. */
  const submit = async (path: string, fields: Record<string, string> = {}): Promise<Answer> =>
    post(path, { formToken: await tokenOn('/console/sign-out'), ...fields })

  /** Sends a form with a file, with the session's token. */
  async function submitFile(
    path: string,
    fields: Record<string, string>,
    name: string,
    file: Uint8Array,
  ): Promise<Answer> {
    const form = new FormData()
    form.set('formToken', await tokenOn('/console/sign-out'))
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    form.set(name, new Blob([Uint8Array.from(file)]), 'picture.png')
    const encoded = new Response(form)
    const body = Buffer.from(await encoded.arrayBuffer())
    return send('POST', path, body, { 'content-type': encoded.headers.get('content-type')! })
  }

  /** The device of the persons of this gateway. */
  const device = devices.get(gateway) ?? createAuthenticator(ORIGIN)
  devices.set(gateway, device)

  /** Answers the page of the second factor: makes the first passkey, or uses it. */
  async function proveSecondFactor(next?: string): Promise<Answer> {
    const path = `/console/second-factor${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`
    const { body } = await get(path)
    const { kind, options } = device.optionsOn(body)!
    const fields = { formToken: /name="formToken" value="([^"]+)"/.exec(body)?.[1] ?? '', next: next ?? '/console' }
    return kind === 'create'
      ? post('/console/second-factor/first', { ...fields, name: 'Test device', answer: device.create(options) })
      : post('/console/second-factor/passkey', { ...fields, answer: device.get(options) })
  }

  /** Signs in by code, and by passkey where the mailbox needs one. @returns the response to the code */
  async function signIn(mailbox: string, next?: string): Promise<Answer> {
    const answer = await enterCode(mailbox, next)
    if ((await get('/console')).location?.startsWith('/console/second-factor')) await proveSecondFactor(next)
    return answer
  }

  /** Signs in by code alone. @returns the response to the code */
  async function enterCode(mailbox: string, next?: string): Promise<Answer> {
    const page = `/console/sign-in${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`
    const formToken = await tokenOn(page)
    // Moves earlier codes into the past, so that the limit of codes an hour does not apply. [D16]
    await gateway.sql(
      "update code_send set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour' where mailbox = $1",
      [mailbox],
    )
    const sentBefore = codesFor(gateway, mailbox).length
    const asked = await post('/console/sign-in', { email: mailbox, formToken, ...(next === undefined ? {} : { next }) })
    const code = await codeFor(gateway, mailbox, sentBefore)
    const challenge = (asked.location ?? '').split('?')[0]!
    return post(challenge, { code, formToken: await tokenOn(challenge), ...(next === undefined ? {} : { next }) })
  }

  return { get, post, submit, submitFile, tokenOn, signIn, enterCode, proveSecondFactor, device, jar, clientAddress }
}

export type ConsoleVisitor = ReturnType<typeof createConsoleVisitor>

const codesFor = (gateway: TestGateway, mailbox: string) =>
  gateway.toOwners.filter(({ procedure, input }) => procedure === 'owner.code' && input?.['to'] === mailbox)

/** Waits until more than `sentBefore` codes were sent to `mailbox`, and returns the newest code. */
export async function codeFor(gateway: TestGateway, mailbox: string, sentBefore = 0): Promise<string> {
  await until(() => codesFor(gateway, mailbox).length > sentBefore)
  return codesFor(gateway, mailbox).at(-1)!.input!['code'] as string
}

/** Valid fields of the application form. */
export const APPLICATION = {
  company: 'Nordic Foods Ltd.',
  website: 'nordicfoods.example',
  volume: '200-1000',
  terms: 'yes',
  purpose: 'Our order system creates a non-disclosure agreement for each new supplier.',
  'contractTypes-nda': 'yes',
  otherParties: 'Suppliers and carriers in Canada and Norway',
}
