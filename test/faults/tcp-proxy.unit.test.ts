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
  let [heard, end] = ['', undefined as string | undefined]
  socket.on('data', (chunk: Buffer) => void (heard += chunk.toString()))
  socket.on('error', (error: NodeJS.ErrnoException) => void (end ??= error.code))
  socket.on('close', () => void (end ??= 'closed'))
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined)
  return {
    say: (text: string) => socket.write(text),
    heard: () => heard,
    end: () => end,
    close: () => socket.destroy(),
  }
}

const hears = (line: Awaited<ReturnType<typeof open>>, text: string) =>
  until(`"${text}"`, () => (line.heard() === text ? true : undefined), 5_000)

it('the proxy forwards everything in order, even if the delay changes meanwhile', async () => {
  const line = await open()
  line.say('a')
  await hears(line, 'a')
  proxy.delayBy(40)
  line.say('b')
  await until('b in progress', async () => (await new Promise((resolve) => setTimeout(resolve, 10)), true))
  proxy.delayBy(0)
  line.say('c')
  await hears(line, 'abc')
  line.close()
})

it('the refusing proxy resets open connections and stops listening; it forwards again, on the same port', async () => {
  const line = await open()
  await proxy.become('refuse')
  await until('the reset', () => line.end())
  expect((await open()).end()).toBe('ECONNREFUSED')
  await proxy.become('pass')
  const again = await open()
  again.say('back')
  await hears(again, 'back')
  again.close()
})

it('the silent proxy keeps connections open and forwards nothing until it is reset', async () => {
  await proxy.become('silent')
  const line = await open()
  line.say('later')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([line.heard(), line.end()]).toEqual(['', undefined])
  await proxy.become('pass')
  await hears(line, 'later')
  line.close()
})

it('the proxy cuts one connection before its answer arrives, and no other', async () => {
  const [line, other] = [await open(), await open()]
  const cut = proxy.cutAt('insert', Buffer.from('COMMIT'))
  other.say('COMMIT')
  await hears(other, 'COMMIT')
  line.say('insert')
  await hears(line, 'insert')
  line.say(' COMMIT')
  await cut
  await until('the cut', () => line.end())
  expect(line.heard()).toBe('insert')
  other.say('.')
  await hears(other, 'COMMIT.')
  other.close()
})
