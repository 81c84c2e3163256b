// An SMTP server in the process of a benchmark. Accepts every mail immediately, and hands it to the person who waits for it.
import { once } from 'node:events'
import { createServer } from 'node:net'
import PostalMime from 'postal-mime'

/** Longer than any mail takes while the product keeps up. */
const WAIT_MS = 120_000

/** @returns `port`, `accepted()`, `sample(kind)`, `next(kind, address)`, `stop` */
export async function startMailServer(port) {
  const [unread, waiting, samples] = [new Map(), new Map(), new Map()]
  const sockets = new Set()
  let accepted = 0

  async function take(address, raw) {
    accepted += 1
    const { kind, text } = await read(raw)
    if (!samples.has(kind)) samples.set(kind, raw)
    const key = `${kind} ${address}`
    const reader = waiting.get(key)
    if (reader) reader(text)
    else unread.set(key, text)
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let [text, rest, address] = [undefined, '', '']
    socket.write('220 relay.test ESMTP\r\n')
    socket.setEncoding('latin1').on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop()
      for (const line of lines) {
        if (text === undefined) {
          if (/^DATA/i.test(line)) text = []
          address = /^RCPT TO:<(.+?)>/i.exec(line)?.[1] ?? address
          socket.write(text ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
        } else if (line === '.') {
          void take(address, text.join('\r\n'))
          text = undefined
          socket.write('250 taken\r\n')
        } else text.push(line)
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    accepted: () => accepted,
    /** The first mail of its kind, as received. */
    sample: (kind) => Buffer.from(samples.get(kind), 'latin1'),
    /**
     * The text of the next mail of this kind (`invitation`, `code`, `copy`) to `address` that nobody has read; empty for a copy.
     * @throws if it does not come within WAIT_MS
     */
    next(kind, address) {
      const key = `${kind} ${address}`
      const text = unread.get(key)
      if (unread.delete(key)) return Promise.resolve(text)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(key)
          reject(new Error(`no mail of the kind ${kind} came within ${WAIT_MS / 1_000} s`))
        }, WAIT_MS)
        waiting.set(key, (arrived) => {
          clearTimeout(timer)
          waiting.delete(key)
          resolve(arrived)
        })
      })
    },
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Does not decode a copy, whose PDF would cost the benchmark more than the product's part of the mail. */
async function read(raw) {
  if (/^content-type: application\/pdf/im.test(raw)) return { kind: 'copy', text: '' }
  const { subject, text } = await PostalMime.parse(Buffer.from(raw, 'latin1'))
  return { kind: /one-time code/.test(subject) ? 'code' : 'invitation', text }
}
