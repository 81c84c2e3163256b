import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { createLogger } from '@paraph/telemetry/logger'
import { afterEach, expect, it, vi } from 'vitest'
import { runService } from './run.js'

const SIGNALS = ['SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection'] as const
const listenersOf = (signal: (typeof SIGNALS)[number]) => process.listeners(signal as 'SIGTERM')
const before = new Map(SIGNALS.map((signal) => [signal, listenersOf(signal)]))

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const signal of SIGNALS)
    for (const listener of listenersOf(signal))
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener)
})

it('ends background work and exits with 0 though a request whose client left never comes to its end [H13, D40]', async () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  let server: Server | undefined
  let isAsked = false
  const stop = vi.fn(() => Promise.resolve())
  const never = () => {
    isAsked = true
    return new Promise<void>(() => undefined)
  }
  await runService(
    { HOST: '127.0.0.1', PORT: 0, INTERNAL_PORT: 0, DRAIN_SECONDS: 1 },
    createLogger('gateway', 'silent'),
    {
      ...{ publicMiddleware: [never], internalMiddleware: [], start: () => undefined, stop },
      configureServer: (made) => (server = made),
    },
  )
  const socket = connect((server?.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await vi.waitUntil(() => isAsked)
  socket.destroy()
  await once(socket, 'close')

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  listenersOf('SIGTERM').at(-1)?.('SIGTERM')
  for (let round = 0; round < 1_000 && exit.mock.calls.length === 0; round += 1) {
    await vi.advanceTimersByTimeAsync(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect([stop.mock.calls.length, exit.mock.calls]).toEqual([1, [[0]]])
})
