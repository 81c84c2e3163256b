// A TCP proxy that fault tests can break, between a service and its database, broker or mail server. [F1-F3, F5, F6]
// Owns: delaying and stopping bytes, cutting connections. Does not own: the place of each proxy (fault-stack.ts), the purpose of a fault.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { waitFor } from '@paraph/testing/wait-for'

/**
 * `pass` forwards everything. `refuse`: nothing listens, and open connections are reset. `silent`: connections open and stay open, but no
 * byte passes until the next `pass`, as in a frozen network; a short `refuse` in between resembles a network that lost its state.
 */
export type LineState = 'pass' | 'refuse' | 'silent'

/** A planned cut of one connection: after the client sent `sent`, when the server answers `answered`. The client never gets the answer. */
interface Cut {
  sent: string
  answered: Buffer
  done: () => void
}

/** Postgres's answer to a committed transaction: the bytes of a lost acknowledgement. [F5] */
export const COMMIT_COMPLETE = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

const READY_AND_IDLE = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** Listens on 127.0.0.1 and forwards everything to `targetPort` there. @param port 0: any free port */
export async function startTcpProxy(targetPort: number, port = 0) {
  const pairs = new Set<{ client: Socket; target: Socket }>()
  let state: LineState = 'pass'
  let latencyMs = 0
  const flushes = new Set<() => void>()
  const watches = new Set<{ sent: string; act: () => void }>()
  let cuts: Cut[] = []
  let opened = 0
  let requests = 0
  const server = createServer({ noDelay: true }, accept)
  await listen(port)
  const { port: own } = server.address() as AddressInfo

  function listen(at: number): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(at, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  }

  function accept(client: Socket): void {
    opened += 1
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    const pair = { client, target }
    pairs.add(pair)
    const [up, down] = [createDirection(target), createDirection(client)]
    let sentByClient = ''
    const textOf = createStatementReader()
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      target.destroy()
    }
    for (const socket of [client, target]) socket.on('error', end).on('close', end)
    client.on('data', (chunk: Buffer) => {
      requests += countOf(chunk, REQUEST_LINE_END)
      const text = textOf(chunk)
      for (const watch of [...watches]) if (text.includes(watch.sent)) watch.act()
      if (cuts.length > 0) sentByClient = (sentByClient + text).slice(-65_536)
      up(chunk)
    })
    target.on('data', (chunk: Buffer) => {
      const cut = cuts.find(({ sent, answered }) => sentByClient.includes(sent) && chunk.includes(answered))
      // No transaction is open, and the server waits for the next statement. So the earlier bytes belong to no later statement.
      if (chunk.includes(READY_AND_IDLE)) sentByClient = ''
      if (cut) {
        cuts = cuts.filter((other) => other !== cut)
        client.resetAndDestroy()
        end()
        cut.done()
      } else down(chunk)
    })
  }

  /** One direction of one connection: chunks keep their order, whatever the state of the proxy. */
  function createDirection(to: Socket): (chunk: Buffer) => void {
    const queue: { chunk: Buffer; dueAtMs: number }[] = []
    const flush = (): void => {
      const nowMs = performance.now()
      while (state !== 'silent' && queue[0] && queue[0].dueAtMs <= nowMs) {
        const { chunk } = queue.shift()!
        if (!to.destroyed) to.write(chunk)
      }
      if (state !== 'silent' && queue[0]) setTimeout(flush, queue[0].dueAtMs - nowMs)
    }
    flushes.add(flush)
    to.once('close', () => flushes.delete(flush))
    return (chunk) => {
      queue.push({ chunk, dueAtMs: performance.now() + latencyMs })
      if (queue.length === 1) flush()
    }
  }

  /** Resets every connection that is open now. */
  function cutAll(): void {
    for (const { client, target } of [...pairs]) {
      client.resetAndDestroy()
      target.resetAndDestroy()
    }
  }

  return {
    port: own,
    /** The number of connections opened so far. */
    opened: () => opened,
    /** The number of forwarded HTTP requests so far. */
    requests: () => requests,
    /** Changes the state for open and new connections. */
    async become(next: LineState): Promise<void> {
      const before = state
      state = next
      if (next === 'refuse' && before !== 'refuse') {
        server.close()
        cutAll()
      } else if (next !== 'refuse' && before === 'refuse') {
        // Retries, because the system may have assigned the port to another process meanwhile.
        await waitFor(() => listen(own))
      }
      for (const flush of flushes) flush()
    },
    /** Delays every chunk by `ms`, in each direction. */
    delayBy: (ms: number): void => void (latencyMs = ms),
    /**
     * Cuts the next connection that sends `sent` and is answered `answered`, before that answer arrives.
     * @returns a promise that resolves after the cut
     */
    cutAt(sent: string, answered: Buffer = COMMIT_COMPLETE): Promise<void> {
      return new Promise((done) => cuts.push({ sent, answered, done }))
    },
    /** Resets every connection that is open now. A chunk that has not been forwarded is lost. */
    cut: cutAll,
    /** Calls `act` for every chunk that a client sends, before the proxy forwards the chunk. @returns a function that ends the calls */
    onStatement(act: () => void): () => void {
      const watch = { sent: '', act }
      watches.add(watch)
      return () => void watches.delete(watch)
    },
    /** Calls `act` once, when a client sends `sent`, before the proxy forwards it. */
    whenSent(sent: string, act: () => void): void {
      const watch = {
        sent,
        act: () => {
          watches.delete(watch)
          act()
        },
      }
      watches.add(watch)
    },
    async close(): Promise<void> {
      cutAll()
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

/** @returns a reader of one connection's chunks, which adds the text of a prepared statement to each chunk that only names it [P45] */
function createStatementReader(): (chunk: Buffer) => string {
  const statements = new Map<string, string>()
  return (chunk) => {
    const sent = chunk.toString('latin1')
    for (const [, name = '', text = ''] of sent.matchAll(/(paraph_\d+_\d+)\0([^\0]{12,})\0/g))
      statements.set(name, text)
    const named = [...sent.matchAll(/paraph_\d+_\d+/g)].map(([name]) => statements.get(name) ?? '')
    return [sent, ...named].join('\n')
  }
}

const REQUEST_LINE_END = Buffer.from(' HTTP/1.1\r\n')

/** The number of occurrences of `part` in `bytes`. */
function countOf(bytes: Buffer, part: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length)) count += 1
  return count
}

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>
