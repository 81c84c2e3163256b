// A Kubernetes Service as kube-proxy implements it: a new connection goes to one of the endpoints in turn, and stays with it until a side
// closes the connection, even if the endpoint is removed. Without endpoints, it is reset. For tests of stops and starts. [F17]
// Owns: the endpoint of each connection. Does not own: the list of endpoints, and the time of its updates (rig.ts).
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Listens on 127.0.0.1. @param port 0: any free port */
export async function startServiceBalancer(port: number) {
  const endpoints = new Set<number>()
  const pairs = new Set<Socket>()
  let turn = 0
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const chosen = [...endpoints][turn++ % Math.max(1, endpoints.size)]
    if (chosen === undefined) return client.resetAndDestroy()
    const target = connect({ port: chosen, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    // Closes each direction separately: a side that has closed its direction still receives data from the other side.
    client.pipe(target)
    target.pipe(client)
    for (const [own, other] of [
      [client, target],
      [target, client],
    ] as const) {
      pairs.add(own)
      own.on('error', () => other.resetAndDestroy())
      own.on('close', () => {
        pairs.delete(own)
        if (!own.readableEnded) other.destroy()
      })
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    add: (endpoint: number): void => void endpoints.add(endpoint),
    remove: (endpoint: number): void => void endpoints.delete(endpoint),
    close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of pairs) socket.destroy()
      return closed
    },
  }
}

export type ServiceBalancer = Awaited<ReturnType<typeof startServiceBalancer>>
