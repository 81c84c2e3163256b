// Scenario for both buses: services start before their dependencies, stay alive, log which dependencies are unavailable, and recover.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { expect } from '@jest/globals'
import type { BusName } from '../../faults/fault-bus.js'
import { startFaultStack, type FaultStack } from '../../faults/fault-stack.js'
import { createWorkload } from '../../faults/workload.js'
import { until } from '../../harness/until.js'

/** Why a dependency is unavailable: `closed`, nothing listens at its address; `nameless`, its name does not resolve. */
type Why = 'closed' | 'nameless'
const NO_DATABASE = { closed: 'ECONNREFUSED', nameless: 'getaddrinfo' } as const
const NO_BROKER = {
  closed: 'No broker of KAFKA_BROKERS answers',
  nameless: 'The name of a broker does not resolve',
} as const

/** The lines that each service logs, with the reason, while its dependencies are unavailable. */
function waitsFor(busName: BusName, why: Why): Readonly<Record<ServiceName, readonly RegExp[]>> {
  const database = (sentence: string): RegExp => new RegExp(`${sentence}.*: .*${NO_DATABASE[why]}`)
  const every = [database('clock'), database('outbox relay failed')]
  const bus = busName === 'kafka' ? new RegExp(`could not join.*: ${NO_BROKER[why]}`) : database('bus unavailable')
  return {
    gateway: every,
    contract: every,
    signing: [...every, bus],
    notification: [...every, bus, database('could not read the mail queue')],
  }
}
/** The highest allowed count of the same line. A loop that logs at every retry would write about a hundred lines. */
const REPEATS_MAX = 2

/** @param isNamed the dependencies have host names that the test can make unresolvable (names.ts) */
export function createColdStart(busName: BusName, { isNamed }: { isNamed: boolean }) {
  let stack: FaultStack
  const pids = new Map<ServiceName, number | undefined>()
  const linesBefore = new Map<ServiceName, number>()
  let starts = 0
  let why: Why = 'closed'

  async function linesOf(service: ServiceName): Promise<string[]> {
    const text = await readFile(join(stack.folder, 'logs', `${service}.log`), 'utf8')
    return text.split('\n').filter((line) => line !== '')
  }

  /** The warnings and errors of a service since its last start, each with its reason after a colon. */
  async function warningsOf(service: ServiceName): Promise<string[]> {
    const lines = (await linesOf(service)).slice(linesBefore.get(service))
    return lines.flatMap((line) => {
      const { level, msg, err } = JSON.parse(line) as { level: string; msg: string; err?: { message: string } }
      return level === 'info' ? [] : [`${msg}: ${err?.message ?? ''}`]
    })
  }

  const untilLogged = (service: ServiceName, sentence: RegExp): Promise<true> =>
    until(`${service}: ${String(sentence)}`, async () =>
      (await warningsOf(service)).some((line) => sentence.test(line)) ? true : undefined,
    )

  /** Stops all services, calls `takeAway`, and starts the services one after another, each until it has booted. */
  async function startAfter(takeAway: () => Promise<void>): Promise<void> {
    for (const service of SERVICES) await stack.pause(service)
    await takeAway()
    for (const service of SERVICES) {
      linesBefore.set(service, (await linesOf(service)).length)
      // The service boots, although the services that it calls start later and all other dependencies are unavailable. It is ready once it
      // has seen that its database is migrated. [H6, H8]
      await stack.boot(service)
      pids.set(service, stack.pids()[service])
    }
  }

  /** Creates a contract and signs for both parties. @param meanwhile is awaited after the creation */
  async function signOne(meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
    await stack.untilOperational()
    starts += 1
    const workload = await createWorkload(stack, { seed: starts, tag: `cold-${starts}` })
    const contract = await until('a contract', () => workload.create(2))
    await meanwhile()
    for (const party of [0, 1]) expect(await workload.sign(contract, party)).toBe('signed')
    expect(stack.deaths).toEqual([])
    expect(SERVICES.map((service) => stack.pids()[service])).toEqual(SERVICES.map((service) => pids.get(service)))
  }

  return {
    open: async (): Promise<void> => void (stack = await startFaultStack(busName, { isNamed })),
    close: async (): Promise<void> => stack?.close(),

    /** Restarts the services while Postgres, bus and mail server refuse connections. */
    startWithoutAll: () =>
      startAfter(async () => {
        why = 'closed'
        if (busName === 'kafka') await stack.bus.goAway()
        for (const line of Object.values(stack.lines)) await line.become('refuse')
        await stack.lines.forward.become('pass')
      }),
    async worksWhenAllCome(): Promise<void> {
      if (busName === 'kafka') await stack.bus.comeBack()
      for (const line of Object.values(stack.lines)) await line.become('pass')
      await signOne()
    },

    startWithoutNames: () =>
      startAfter(() => {
        why = 'nameless'
        return stack.names!.forget('databases', 'brokers', 'mail')
      }),
    async worksWhenNamesCome(): Promise<void> {
      await stack.names!.learn('databases', 'brokers')
      await signOne(async () => {
        await untilLogged('notification', /SMTP server unavailable/)
        await stack.names!.learn('mail')
      })
    },

    async logsWhatItWaitsFor(service: ServiceName): Promise<void> {
      const sentences = waitsFor(busName, why)[service]
      for (const sentence of sentences) await untilLogged(service, sentence)
      const warnings = await warningsOf(service)
      for (const sentence of sentences)
        expect(warnings.filter((line) => sentence.test(line)).length).toBeLessThanOrEqual(REPEATS_MAX)
    },
    async staysAlive(): Promise<void> {
      expect(await stack.notLive()).toEqual([])
      const headers = { 'x-api-key': stack.stack.liveKey, 'content-type': 'application/json' }
      const answer = await fetch(`${stack.stack.apiUrl}/contracts`, { method: 'POST', headers, body: '{}' })
      expect([answer.status, typeof ((await answer.json()) as { error: unknown }).error]).toEqual([503, 'string'])
      const page = await fetch(`${stack.stack.shareUrl}/contract/${'a'.repeat(43)}`)
      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    },
  }
}
