// A failing SMTP server for tests: raw TCP in this process. Counts connections; a test can change its behaviour.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * `reset`: resets every connection. `hang`: accepts it and never greets. `421` and `554`: greets with that code. `sender refused`: 550
 * to MAIL FROM. `closing`: 421 to RCPT TO. `recipient hang`: never answers RCPT TO. `data hang`: reads the message and never answers.
 * `data reset`: reads the message and resets. `late`: greets after 6 s. `ok`: accepts mail.
 */
export type Trouble =
  | 'reset'
  | 'hang'
  | '421'
  | '554'
  | 'sender refused'
  | 'closing'
  | 'recipient hang'
  | 'data hang'
  | 'data reset'
  | 'late'
  | 'ok'

/** Starts the server on any free port. */
export async function startFailingSmtpServer(initial: Trouble) {
  let behaviour = initial
  let accepted = 0
  const knocksAtMs: number[] = []
  const sockets = new Set<Socket>()

  const server = createServer((socket) => {
    if (behaviour !== 'sender refused') knocksAtMs.push(performance.now())
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    if (behaviour === 'reset') return void socket.resetAndDestroy()
    if (behaviour === 'hang') return
    if (behaviour === '421' || behaviour === '554') return void socket.end(`${behaviour} not now\r\n`)
    const timer = setTimeout(() => socket.write('220 relay.test ESMTP\r\n'), behaviour === 'late' ? 6_000 : 0)
    socket.on('close', () => clearTimeout(timer))
    talk(socket)
  })

  function talk(socket: Socket): void {
    let inText = false
    let rest = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (inText) {
          if (line !== '.') continue
          inText = false
          if (behaviour === 'data hang') continue
          if (behaviour === 'data reset') return void socket.resetAndDestroy()
          accepted += 1
          socket.write('250 taken\r\n')
        } else if (behaviour !== 'recipient hang' || !line.startsWith('RCPT')) socket.write(answerTo(line))
      }
    })
    function answerTo(line: string): string {
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'MAIL' && behaviour === 'sender refused') {
        knocksAtMs.push(performance.now())
        return '550 who are you\r\n'
      }
      if (command === 'RCPT' && behaviour === 'closing') return '421 closing\r\n'
      if (command === 'DATA') {
        inText = true
        return '354 go on\r\n'
      }
      return command === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n'
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    behave: (next: Trouble) => void (behaviour = next),
    /** Times of the connections, or of each MAIL FROM of a refused sender, on the process's monotonic clock. */
    knocksAtMs,
    accepted: () => accepted,
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
