import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createAddressWindow } from '../rate-limit/address-limit.js'
import { answerRawErrors } from './raw-errors.js'

let close: () => void = () => undefined
afterEach(() => close())

const BODY_MISSING = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\na'

/** The response to a client that never completes its request, from a server with a short time limit. */
async function unfinished(listener: RequestListener, bytes = BODY_MISSING): Promise<string> {
  const server = createServer({ connectionsCheckingInterval: 20 }, listener)
  answerRawErrors(server, createAddressWindow())
  server.headersTimeout = server.requestTimeout = 100
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => server.close()
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
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
