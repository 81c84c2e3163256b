import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, it } from '@jest/globals'
import { until } from '../harness/until.js'
import { startServiceBalancer } from './service-balancer.js'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts a server that sends `name` to every client, and closes a connection on which it receives anything. */
async function endpoint(name: string): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.write(name)
    socket.on('data', () => socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  undo.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Connects to a balancer. @returns functions that wait for the received bytes and for the end of the connection */
function dial(port: number) {
  const socket = connect(port, '127.0.0.1')
  let [received, end] = ['', undefined as string | undefined]
  socket.on('data', (chunk: Buffer) => void (received += chunk.toString()))
  socket.on('error', (error: NodeJS.ErrnoException) => void (end ??= error.code))
  socket.on('close', () => void (end ??= 'closed'))
  undo.push(() => socket.destroy())
  return {
    receives: () => until('a name', () => (received === '' ? undefined : received)),
    ends: () => until('an end', () => end),
    send: () => socket.write('go'),
    isOpen: () => end === undefined,
  }
}

async function balancer() {
  const started = await startServiceBalancer(0)
  undo.push(started.close)
  return started
}

it('the balancer distributes new connections, keeps old ones, and refuses when it has no endpoint [F17]', async () => {
  const service = await balancer()
  const [a, b] = [await endpoint('a'), await endpoint('b')]
  service.add(a)
  service.add(b)
  const [first, second] = [dial(service.port), dial(service.port)]
  expect([await first.receives(), await second.receives()].toSorted()).toEqual(['a', 'b'])
  service.remove(a)
  expect([await dial(service.port).receives(), await dial(service.port).receives()]).toEqual(['b', 'b'])
  expect([first.isOpen(), second.isOpen()]).toEqual([true, true])
  service.remove(b)
  expect(await dial(service.port).ends()).toMatch(/^(ECONNRESET|closed)$/)
  first.send()
  expect(await first.ends()).toBe('closed')
})

it('the balancer resets a connection whose endpoint does not listen [F17]', async () => {
  const service = await balancer()
  const gone = await startServiceBalancer(0)
  await gone.close()
  service.add(gone.port)
  expect(await dial(service.port).ends()).toMatch(/^(ECONNRESET|closed)$/)
})
