// Sends raw bytes as a request, because no HTTP client sends such requests: no Host, headers of 17 KiB, a body that never arrives.
import { connect } from 'node:net'
import { checkAnswer } from './answer-check.js'

export interface RawAnswer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** Sends `bytes` to `origin`, reads one answer, checks it against docs/openapi.json, and closes the socket. */
export function callRaw(origin: string, bytes: string): Promise<RawAnswer> {
  const [, method = '', target = ''] = /^(\S+) (\S+) HTTP/.exec(bytes) ?? []
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    const finish = () => {
      const [head = '', text = ''] = received.split(/\r\n\r\n(.*)/s)
      const [line = '', ...fields] = head.split('\r\n')
      const headers = new Headers(fields.map((field) => field.split(/: ?(.*)/s).slice(0, 2) as [string, string]))
      if (Buffer.byteLength(text) < Number(headers.get('content-length') ?? Infinity)) return
      socket.destroy()
      const status = Number(line.split(' ')[1])
      try {
        checkAnswer({ method, url: target, status, headers, text })
        resolve({ status, headers, body: JSON.parse(text) as RawAnswer['body'] })
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      received += chunk
      finish()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`The answer is incomplete: ${received}`)))
    socket.write(bytes)
  })
}
