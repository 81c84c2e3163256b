import { once } from 'node:events'
import { Agent, request, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { createLogger } from '@paraph/telemetry/logger'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { processSettings } from '@paraph/config/config'
import { VERSION } from '@paraph/protocol/version'
import { waitFor } from '@paraph/testing/wait-for'
import { IDLE_MS_MAX } from './idle-connections.js'
import { runService, type Service } from './run.js'

const SIGNALS = ['SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection'] as const
const listenersOf = (signal: (typeof SIGNALS)[number]) => process.listeners(signal as 'SIGTERM')
const before = new Map(SIGNALS.map((signal) => [signal, listenersOf(signal)]))

let exit: jest.SpiedFunction<typeof process.exit>
/** Keeps one connection open. */
let agent: Agent
let servers: Server[]
beforeEach(() => {
  exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never)
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  servers = []
})
afterEach(() => {
  agent.destroy()
  for (const server of servers) server.closeAllConnections()
  jest.useRealTimers()
  jest.restoreAllMocks()
  for (const signal of SIGNALS)
    for (const listener of listenersOf(signal))
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener)
})

/** Runs a service whose parts do nothing unless `parts` overrides them; `port` is its public port. */
async function run(parts: Partial<Service>, { lingerSeconds = 0, logger = createLogger('gateway', 'silent') } = {}) {
  await runService(
    {
      HOST: '127.0.0.1',
      PORT: 0,
      INTERNAL_PORT: 0,
      LINGER_SECONDS: lingerSeconds,
      DRAIN_SECONDS: 1,
      EVENT_BUS: 'postgres',
    },
    logger,
    {
      publicMiddleware: [],
      internalMiddleware: [],
      start: () => undefined,
      stop: () => Promise.resolve(),
      configureServer: (server) => void servers.push(server),
      ...parts,
    },
  )
  return { port: (servers[0]!.address() as AddressInfo).port }
}

const terminate = () => listenersOf('SIGTERM').at(-1)?.('SIGTERM')

/** @returns the status, the Connection header, and whether the call reused a connection */
async function ask(port: number, own?: Agent) {
  const call = request({ port, host: '127.0.0.1', path: '/', agent: own ?? agent }).end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return { status: answer.statusCode, connection: answer.headers.connection, isKept: call.reusedSocket }
}

const hello: Service['publicMiddleware'][number] = (ctx) => {
  ctx.body = 'hello'
}

it('a process that is ready logs what runs: version, Node, bus and schema', async () => {
  const logger = createLogger('gateway', 'silent')
  const info = jest.spyOn(logger, 'info')
  await run({ schema: '0002_things' }, { logger })
  const what = { version: VERSION, node: process.version, bus: 'postgres', schema: '0002_things' }
  expect(info).toHaveBeenCalledWith(expect.objectContaining(what), 'ready')
})

it('a stopping process ends background work and exits with 0, even if the request of a disconnected client never finishes [H13, D40]', async () => {
  let isAsked = false
  const stop = jest.fn(() => Promise.resolve())
  const never = () => {
    isAsked = true
    return new Promise<void>(() => undefined)
  }
  const { port } = await run({ publicMiddleware: [never], stop })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await waitFor(() => expect(isAsked).toBe(true))
  socket.destroy()
  await once(socket, 'close')

  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'clearImmediate',
      'clearInterval',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setInterval',
    ],
  })
  terminate()
  for (let round = 0; round < 1_000 && exit.mock.calls.length === 0; round += 1) {
    await jest.advanceTimersByTimeAsync(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect([stop.mock.calls.length, exit.mock.calls]).toEqual([1, [[0]]])
})

it('a lingering process still answers on idle and new connections, closes each after its answer, and then accepts none [H12, H13]', async () => {
  const stop = jest.fn(() => Promise.resolve())
  const { port } = await run({ publicMiddleware: [hello], stop }, { lingerSeconds: 5 })
  expect(await ask(port)).toEqual({ status: 200, connection: 'keep-alive', isKept: false })

  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'clearImmediate',
      'clearInterval',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setInterval',
    ],
  })
  terminate()
  await jest.advanceTimersByTimeAsync(4_900)
  expect(await ask(port)).toEqual({ status: 200, connection: 'close', isKept: true })
  expect(await ask(port)).toEqual({ status: 200, connection: 'close', isKept: false })
  expect(stop).not.toHaveBeenCalled()

  await jest.advanceTimersByTimeAsync(200)
  jest.useRealTimers()
  await waitFor(() => expect(exit.mock.calls.length > 0).toBe(true))
  expect([stop.mock.calls.length, exit.mock.calls]).toEqual([1, [[0]]])
  await expect(ask(port)).rejects.toThrow('ECONNREFUSED')
})

it('a stopping process closes the connections of suspended and slow requests after their answers [H13, D22]', async () => {
  let [asked, giveHeld, giveLong] = [0, (): void => undefined, (): void => undefined]
  const { port } = await run({
    publicMiddleware: [
      async (ctx) => {
        asked += 1
        await new Promise<void>((resolve) => (asked === 1 ? (giveHeld = resolve) : (giveLong = resolve)))
        ctx.body = 'at last'
      },
    ],
    beginStop: () => giveHeld(),
  })
  const other = new Agent({ keepAlive: true })
  const held = ask(port)
  await waitFor(() => expect(asked === 1).toBe(true))
  const long = ask(port, other)
  await waitFor(() => expect(asked === 2).toBe(true))
  terminate()
  expect(await held).toMatchObject({ status: 200, connection: 'close' })
  expect(exit).not.toHaveBeenCalled()
  giveLong()
  expect(await long).toMatchObject({ status: 200, connection: 'close' })
  await waitFor(() => expect(exit.mock.calls.length > 0).toBe(true))
  expect(exit.mock.calls).toEqual([[0]])
  other.destroy()
})

it('the linger is longer than the time for which callers keep idle connections, plus a second for late timers [H13]', () => {
  expect(processSettings.LINGER_SECONDS.parse(undefined) * 1_000).toBeGreaterThan(IDLE_MS_MAX + 1_000)
})
