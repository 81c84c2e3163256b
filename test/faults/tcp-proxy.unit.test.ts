import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { until } from '../harness/until.js'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

let proxy: TcpProxy
let close: () => void
beforeEach(async () => {
  // An echo server.
  const server = createServer((socket) => void socket.on('error', () => undefined).pipe(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy = await startTcpProxy((server.address() as AddressInfo).port)
  close = () => server.close()
})
afterEach(async () => {
  await proxy.close()
  close()
})

/** A connection, the bytes it received, and how it ended. */
async function open() {
  const socket: Socket = connect(proxy.port, '127.0.0.1')
  let [received, end] = ['', undefined as string | undefined]
  socket.on('data', (chunk: Buffer) => void (received += chunk.toString()))
  socket.on('error', (error: NodeJS.ErrnoException) => void (end ??= error.code))
  socket.on('close', () => void (end ??= 'closed'))
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined)
  return {
    send: (text: string) => socket.write(text),
    received: () => received,
    end: () => end,
    close: () => socket.destroy(),
  }
}

const untilReceived = (line: Awaited<ReturnType<typeof open>>, text: string) =>
  until(`"${text}"`, () => (line.received() === text ? true : undefined), 5_000)

it('the proxy forwards everything in order, even if the delay changes meanwhile', async () => {
  const line = await open()
  line.send('a')
  await untilReceived(line, 'a')
  proxy.delayBy(40)
  line.send('b')
  await until('b in progress', async () => (await new Promise((resolve) => setTimeout(resolve, 10)), true))
  proxy.delayBy(0)
  line.send('c')
  await untilReceived(line, 'abc')
  line.close()
})

it('the refusing proxy resets open connections and stops listening, and later forwards again on the same port', async () => {
  const line = await open()
  await proxy.become('refuse')
  await until('the reset', () => line.end())
  expect((await open()).end()).toBe('ECONNREFUSED')
  await proxy.become('pass')
  const again = await open()
  again.send('back')
  await untilReceived(again, 'back')
  again.close()
})

it('the silent proxy keeps connections open and forwards nothing until its state is `pass` again', async () => {
  await proxy.become('silent')
  const line = await open()
  line.send('later')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([line.received(), line.end()]).toEqual(['', undefined])
  await proxy.become('pass')
  await untilReceived(line, 'later')
  line.close()
})

it('the proxy cuts one connection before its answer arrives, and no other', async () => {
  const [line, other] = [await open(), await open()]
  const cut = proxy.cutAt('insert', Buffer.from('COMMIT'))
  other.send('COMMIT')
  await untilReceived(other, 'COMMIT')
  line.send('insert')
  await untilReceived(line, 'insert')
  line.send(' COMMIT')
  await cut
  await until('the cut', () => line.end())
  expect(line.received()).toBe('insert')
  other.send('.')
  await untilReceived(other, 'COMMIT.')
  other.close()
})

it('the proxy knows a statement that the client prepared earlier and now only names', async () => {
  const line = await open()
  line.send('P paraph_7_0\0insert into signature\0')
  await until('the echo', () => (line.received().includes('signature') ? true : undefined))
  const seen = new Promise<void>((resolve) => proxy.whenSent('insert into signature', resolve))
  line.send('B \0paraph_7_0\0\0\0')
  await seen
  line.close()
})
