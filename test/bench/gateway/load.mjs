// A load generator that costs little: one request's bytes, sent again and again over kept connections, each answer read to its end.
// An HTTP client library costs more CPU than the servers that are compared here, on the same two cores.
import { connect } from 'node:net'

/**
 * Sends `count` requests over `concurrency` connections; each sends its next when its answer has come.
 * @returns milliseconds that each request took
 * @throws Error when an answer is not 200 or a connection ends
 */
export async function load({ port, path, headers, count, concurrency }) {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const took = new Float64Array(count)
  let sent = 0

  const client = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let answer = ''
      let startedAt = 0
      let number = 0
      const next = () => {
        if (sent === count) return void socket.end()
        number = sent++
        startedAt = performance.now()
        socket.write(request)
      }
      socket.setEncoding('latin1')
      socket.once('connect', next)
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
        took[number] = performance.now() - startedAt
        answer = ''
        next()
      })
      socket.once('error', reject)
      socket.once('close', () => resolve())
    })

  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, client))
  return took
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
