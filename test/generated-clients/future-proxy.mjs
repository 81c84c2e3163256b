// A proxy before the API that answers as a later version might: with fields and an error code that today's document does not have. [D56]
import { createServer } from 'node:http'

export const FUTURE_CODE = 'code_of_the_future'

/** Adds a field to every object of an answer, except to the client's own metadata. */
function extend(value, name = '') {
  if (Array.isArray(value)) return value.map((each) => extend(each))
  if (value === null || typeof value !== 'object' || name === 'metadata') return value
  const members = Object.entries(value).map(([key, member]) => [key, extend(member, key)])
  return { ...Object.fromEntries(members), fromTheFuture: { any: [1] } }
}

/** The headers of a call and of an answer that the proxy passes on. */
const SENT = ['x-api-key', 'content-type', 'idempotency-key', 'if-none-match', 'prefer']
const ANSWERED = ['content-type', 'etag', 'paraph-request-id']

/** @param origin of the API @returns the address of the proxy, and a function that stops it */
export async function startFutureProxy(origin) {
  async function pass(request) {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = SENT.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : []))
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks)
    const answer = await fetch(`${origin}${request.url}`, { method: request.method, headers, body })
    const text = await answer.text()
    const json = text === '' ? undefined : extend(JSON.parse(text))
    if (answer.status === 404) json.code = FUTURE_CODE
    const kept = ANSWERED.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name)]] : []))
    return { status: answer.status, headers: Object.fromEntries(kept), body: json && JSON.stringify(json) }
  }
  const server = createServer((request, response) => {
    pass(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error) => response.writeHead(502).end(String(error)),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() }
}
