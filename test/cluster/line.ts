// Forwards TCP connections unchanged from one address to another, between a cluster and its external parts on this machine.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * @param to resolves with the target of each connection; if it rejects, the connection is reset
 * @returns a function that stops the forwarding and closes all connections
 */
export async function leadFrom(
  from: { host: string; port: number },
  to: () => Promise<{ host: string; port: number }>,
): Promise<() => Promise<void>> {
  const open = new Set<{ destroy: () => unknown }>()
  const server = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    open.add(client)
    client.on('close', () => open.delete(client))
    client.on('error', () => undefined)
    to().then(
      (place) => {
        const target = connect({ ...place, noDelay: true, allowHalfOpen: true })
        open.add(target)
        client.pipe(target)
        target.pipe(client)
        client.resume()
        for (const [own, other] of [
          [client, target],
          [target, client],
        ] as const) {
          own.on('error', () => other.resetAndDestroy())
          own.on('close', () => {
            open.delete(own)
            if (!own.readableEnded) other.destroy()
          })
        }
      },
      () => client.resetAndDestroy(),
    )
  })
  server.listen(from.port, from.host)
  await once(server, 'listening')
  return async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}
