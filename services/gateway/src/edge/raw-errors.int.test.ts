import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { waitFor } from '@paraph/testing/wait-for'
import { createAddressWindow } from '../rate-limit/address-limit.js'
import { answerRawErrors } from './raw-errors.js'

let close: () => void = () => undefined
afterEach(() => close())

const BODY_MISSING = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\na'

/** A server with a short time limit for requests. */
async function listen(listener: RequestListener) {
  const server = createServer({ connectionsCheckingInterval: 20 }, listener)
  answerRawErrors(server, createAddressWindow(), 'http://sign.test/docs/errors')
  server.headersTimeout = server.requestTimeout = 100
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => server.close()
  return { server, port: (server.address() as AddressInfo).port }
}

/** The response to a client that never completes its request. */
async function unfinished(listener: RequestListener, bytes = BODY_MISSING): Promise<string> {
  const { port } = await listen(listener)
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.write(bytes)
  await once(socket, 'close')
  return answer
}

describe('a request that is not complete in time [D6, D9]', () => {
  it.each([
    ['its body', BODY_MISSING],
    ['its head', 'GET /api/external/v2/status HTTP/1.1\r\nHost: a\r\nx-api-'],
    ['its first line', 'GET /api/ext'],
  ])('gets a 408 with a body and the three RateLimit headers: %s is missing', async (_, bytes) => {
    const answer = await unfinished(() => undefined, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toContain('"code":"request_timeout"')
    expect(answer).toContain('RateLimit-Limit: 60')
  })

  it('gets no 408 if it was answered before', async () => {
    const answer = await unfinished((_, response) => void response.writeHead(401, { 'Content-Length': 2 }).end('no'))
    expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[^]*\r\n\r\nno$/)
  })
})

describe('a client that keeps its connection open after a refusal', () => {
  const clients: Socket[] = []
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy()
  })

  it.each([
    ['sends nothing', '', 408],
    ['leaves its head incomplete', 'GET /api/external/v2/status HTTP/1.1\r\nHost: a\r\nx-api-', 408],
    ['leaves its body incomplete', BODY_MISSING, 408],
    ['takes the server for a proxy', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ])('gets the whole answer and holds no connection of the gateway: it %s [D6, D9]', async (_, bytes, status) => {
    const { server, port } = await listen(() => undefined)
    let answer = ''
    // Unlike a usual client, this one does not end its side when the server ends its own.
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    clients.push(client)
    client.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    client.write(bytes)
    await once(client, 'end')
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\\}$`))
    expect(client.writable).toBe(true)
    const connections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
    await waitFor(async () => expect(await connections()).toBe(0))
  })
})
