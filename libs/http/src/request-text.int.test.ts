import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { afterEach, expect, it } from '@jest/globals'
import { requestText } from './request-text.js'

const closing: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function poolTo(answer: RequestListener, options: Pool.Options = {}): Promise<Pool> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options)
  closing.push(() => pool.destroy())
  return pool
}

const get = { method: 'GET', path: '/' } as const

it('requestText reads a whole answer, including characters that are split across two chunks', async () => {
  const bytes = Buffer.from('{"name":"Zoë €"}')
  const pool = await poolTo((_, res) => {
    res.writeHead(201, { 'Content-Type': 'application/json' })
    res.write(bytes.subarray(0, 12))
    setImmediate(() => res.end(bytes.subarray(12)))
  })
  const { statusCode, headers, text } = await requestText(pool, get)
  expect({ statusCode, type: headers['content-type'], text }).toEqual({
    statusCode: 201,
    type: 'application/json',
    text: bytes.toString(),
  })
})

it('requestText reads an answer without a body, and the final answer after an informational one', async () => {
  const pool = await poolTo((_, res) => {
    res.writeEarlyHints({ link: '</a>; rel=preload' })
    res.writeHead(304, { ETag: '"1"' }).end()
  })
  expect(await requestText(pool, get)).toMatchObject({ statusCode: 304, headers: { etag: '"1"' }, text: '' })
})

it('requestText rejects if the connection breaks before or within the answer, or if the answer is too large', async () => {
  const cut = await poolTo((req) => void req.socket.destroy())
  await expect(requestText(cut, get)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
  const half = await poolTo((req, res) => {
    res.writeHead(200, { 'Content-Length': '10' }).write('half')
    setImmediate(() => req.socket.destroy())
  })
  await expect(requestText(half, get)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
  const large = await poolTo((_, res) => res.end('x'.repeat(1_000)), { maxResponseSize: 100 })
  await expect(requestText(large, get)).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
})

it('requestText rejects with the reason of the aborted signal, before the call, during it, and in the connection queue', async () => {
  let arrived = 0
  const pool = await poolTo(() => void (arrived += 1), { connections: 1 })
  await expect(requestText(pool, get, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  const [first, second] = [new AbortController(), new AbortController()]
  const underWay = requestText(pool, get, first.signal)
  const queued = requestText(pool, get, second.signal)
  second.abort(new Error('queued'))
  await expect(queued).rejects.toThrow('queued')
  while (arrived === 0) await new Promise((resolve) => setImmediate(resolve))
  first.abort(new Error('under way'))
  await expect(underWay).rejects.toThrow('under way')
  // The pool's slot is free again, and the request that was aborted in the queue was never sent.
  const third = new AbortController()
  const later = requestText(pool, get, third.signal)
  while (arrived === 1) await new Promise((resolve) => setImmediate(resolve))
  third.abort(new Error('end'))
  await expect(later).rejects.toThrow('end')
  expect(arrived).toBe(2)
})
