// A TCP proxy to the database that a test can cut, slow down, silence and restore.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** @returns a URL that reaches the same database unless the proxy is cut */
export async function openLine(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const answering = new Set<Socket>()
  let isCut = false
  let isSilenced = false
  let delayMs = 0
  const server = createServer((inner) => {
    inner.on('error', () => undefined)
    if (isCut) return void inner.destroy()
    const outer = connect(Number(target.port), target.hostname)
    outer.on('error', () => undefined)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on('close', () => {
        sockets.delete(socket)
        inner.destroy()
        outer.destroy()
      })
    }
    inner.pipe(outer)
    if (!isSilenced) answering.add(outer)
    const forward = (bytes: Buffer) => answering.has(outer) && !inner.destroyed && inner.write(bytes)
    outer.on('data', (bytes) => (delayMs > 0 ? setTimeout(forward, delayMs, bytes) : forward(bytes)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    /** Drops the database's answers, not the client's statements. Open connections stay silent until `cut`, new ones until `restore`. */
    silence(): void {
      isSilenced = true
      answering.clear()
    },
    cut(): void {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    /** Delays the database's answers by `ms`, in order, until `restore`. */
    slow(ms: number): void {
      delayMs = ms
    },
    restore(): void {
      isCut = false
      isSilenced = false
      delayMs = 0
    },
    close: () => void server.close(),
  }
}
