// A load generator with low overhead: it sends the bytes of one request repeatedly over persistent connections and reads each answer.
// An HTTP client library would use more CPU than the compared servers, on the same two cores.
import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends `count` requests over `concurrency` connections.
 * @param perSecond requests per second, in batches each millisecond; if undefined, a connection sends its next request after an answer
 * @returns the duration of each request in milliseconds
 * @throws Error if an answer is not 200 or a connection fails
 */
export async function load({ port, path, headers, count, concurrency, perSecond }) {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const took = new Float64Array(count)
  const startedAt = performance.now()
  let sent = 0
  const isDue = () => perSecond === undefined || sent < ((performance.now() - startedAt) * perSecond) / 1_000
  /** For each idle connection, the function that sends its next request. */
  const idle = []

  async function client() {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let answer = ''
    let number = 0
    let sentAt = 0
    const send = () => {
      if (sent === count) return void socket.end()
      if (!isDue()) return void idle.push(send)
      number = sent++
      sentAt = performance.now()
      socket.write(request)
    }
    socket.setEncoding('latin1')
    socket.once('connect', send)
    socket.on('data', (chunk) => {
      answer += chunk
      const headEnd = answer.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1]
      if (!answer.startsWith('HTTP/1.1 200') || length === undefined) {
        socket.destroy(new Error(`an answer was not as expected: ${answer.slice(0, 200)}`))
        return
      }
      if (answer.length < headEnd + 4 + Number(length)) return
      took[number] = performance.now() - sentAt
      answer = ''
      send()
    })
    await once(socket, 'close')
  }

  const ticks = setInterval(() => {
    for (const send of idle.splice(0)) send()
  }, 1)
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, client)).finally(() => clearInterval(ticks))
  return took
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
