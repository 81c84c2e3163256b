// Share links as mail programs and tools send them, and the text that a party can read again. Over HTTP. [ceremony: URLs]
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient } from '../../harness/clients/api-client.js'
import { createVisitor, proveMailbox, signOn } from '../../harness/clients/ceremony-client.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'

const TEXT = 'SECRECY\n\nThe parties keep <secrets> secret.\n'

let running: SharedStack
beforeAll(async () => {
  running = await joinStack()
})
afterAll(() => running?.close())

async function createContract(tag: string) {
  const parties = ['anna', 'bert'].map((name) => ({
    role: 'Party',
    legalName: name,
    email: `${name}.${tag}@example.test`,
  }))
  const api = createApiClient(running.stack.apiUrl, running.stack.liveKey)
  return (await api.create({ contractType: 'nda', content: TEXT, parties })).body.contract
}

const send = (url: string, method = 'GET') => fetch(url, { method, redirect: 'manual' })

describe('a share link [ceremony 12]', () => {
  it('opens with a slash or a punctuation mark behind it, as mail programs and sentences add them', async () => {
    const { shareUrl } = await createContract('behind')
    const { pathname } = new URL(shareUrl)
    for (const behind of ['/', '.', ',', ')', ').', '%3E,', '%29', ']']) {
      const answer = await send(`${shareUrl}${behind}?lang=fr`)
      expectWithMessage([answer.status, answer.headers.get('location')], behind).toEqual([308, `${pathname}?lang=fr`])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('is redirected whether it exists or not, and stays unknown with letters behind it', async () => {
    const { shareUrl } = await createContract('unknown')
    const unknown = `${shareUrl.slice(0, -43)}${'A'.repeat(43)}`
    expect((await send(`${unknown}.`)).status).toBe(308)
    for (const other of [unknown, `${shareUrl}x`, `${shareUrl}/review.`])
      expectWithMessage((await send(other)).status, other).toBe(404)
  })
})

it.each([
  ['POST', '', 'GET, HEAD'],
  ['PUT', '', 'GET, HEAD'],
  ['DELETE', '/review', 'GET, HEAD'],
  ['OPTIONS', '/code', 'POST, GET, HEAD'],
  ['PUT', '/sign', 'GET, HEAD, POST'],
])('%s of the path "%s" of a share link is answered 405 with the allowed methods [RFC 9110]', async (...row) => {
  const [method, path, allowed] = row
  const { shareUrl } = await createContract(`${method}${path.slice(1)}`.toLowerCase())
  const answer = await send(`${shareUrl}${path}`, method)
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
})

it('the help page and a path that does not exist have a status of their own for POST', async () => {
  const { shareUrl } = await createContract('help')
  expect((await send(new URL('/help', shareUrl).href, 'POST')).status).toBe(405)
  expect((await send(`${shareUrl}/nothing`, 'POST')).status).toBe(404)
})

it('a party who has signed can read the signed text again, and nobody else can [ceremony 7]', async () => {
  const { shareUrl } = await createContract('signed')
  const [anna, bert] = [createVisitor(), createVisitor()]
  const { mailboxUrl } = running.stack
  const review = await proveMailbox(anna, shareUrl, 'anna.signed@example.test', mailboxUrl)
  await proveMailbox(bert, shareUrl, 'bert.signed@example.test', mailboxUrl)
  const signed = `${shareUrl}/signed`
  const locationOf = async (visitor: typeof anna) => (await visitor.get(signed)).headers.get('location')
  const { pathname } = new URL(shareUrl)
  expect(await locationOf(anna)).toBe(`${pathname}/review`)
  await signOn(anna, review, 'anna')
  const page = await anna.get(signed)
  expect(page.status).toBe(200)
  expect(page.body).toMatch(/You signed this text as .*anna.* on <time[^>]*>\d/)
  expect(page.body).toContain('The parties keep &lt;secrets> secret.')
  expect(page.body).not.toContain('<form')
  expect(await locationOf(bert)).toBe(`${pathname}/review`)
  expect(await locationOf(createVisitor())).toBe(pathname)
  for (const visitor of [anna, bert]) visitor.close()
})
