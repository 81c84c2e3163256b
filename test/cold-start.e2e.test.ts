// Services that start before anything that they depend on: they stay, say what they wait for, and work when it comes. [H6, H7, H8, D32]
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SERVICES, type ServiceName } from '@paraph/protocol/caller'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFaultStack, type FaultStack } from './faults/fault-stack.js'
import { createWorkload } from './faults/workload.js'
import { until } from './until.js'

/** What each says once that it waits for, where nothing it depends on is there. */
const WAITS_FOR: Readonly<Record<ServiceName, readonly RegExp[]>> = {
  gateway: [/clock/, /relay cannot reach its outbox/],
  contract: [/clock/, /relay cannot reach its outbox/],
  signing: [/clock/, /relay cannot reach its outbox/, /bus is not reachable/],
  notification: [/clock/, /relay cannot reach its outbox/, /bus is not reachable/, /mail queue cannot be read/],
}
/** A loop that repeats what it said at each try would be a hundred lines by then. */
const SAID_ONCE_MAX = 2

let stack: FaultStack
const pids = new Map<ServiceName, number | undefined>()
const linesBefore = new Map<ServiceName, number>()

async function linesOf(service: ServiceName): Promise<{ level: string; msg: string }[]> {
  const text = await readFile(join(stack.folder, 'logs', `${service}.log`), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.slice(linesBefore.get(service) ?? 0).map((line) => JSON.parse(line) as { level: string; msg: string })
}

beforeAll(async () => {
  stack = await startFaultStack('postgres')
  for (const service of SERVICES) await stack.pause(service)
  for (const line of Object.values(stack.lines)) await line.become('refuse')
  await stack.lines.forward.become('pass')
  for (const service of SERVICES) {
    linesBefore.set(service, (await linesOf(service)).length)
    // Ready, though the services behind it come later and all else is away.
    await stack.resume(service)
    pids.set(service, stack.pids()[service])
  }
})
afterAll(() => stack?.close())

describe('a start with Postgres, bus and mail server away', () => {
  it.each(SERVICES)('%s says in a line each what it waits for, and not again and again [H6]', async (service) => {
    for (const sentence of WAITS_FOR[service])
      await until(`${service}: ${String(sentence)}`, async () =>
        (await linesOf(service)).some(({ level, msg }) => level === 'warn' && sentence.test(msg)) ? true : undefined,
      )
    const said = (await linesOf(service)).map(({ msg }) => msg)
    for (const sentence of WAITS_FOR[service])
      expect(said.filter((msg) => sentence.test(msg)).length).toBeLessThanOrEqual(SAID_ONCE_MAX)
  })

  it('leaves every service alive, and what is called answers 503 with a sentence [H7, H8]', async () => {
    expect(await stack.notLive()).toEqual([])
    const headers = { 'x-api-key': stack.stack.liveKey, 'content-type': 'application/json' }
    const answer = await fetch(`${stack.stack.apiUrl}/contracts`, { method: 'POST', headers, body: '{}' })
    expect([answer.status, typeof ((await answer.json()) as { error: unknown }).error]).toEqual([503, 'string'])
    const page = await fetch(`${stack.stack.shareUrl}/contract/${'a'.repeat(43)}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  })

  it('works by itself when they come, in the same processes [D32]', async () => {
    for (const line of Object.values(stack.lines)) await line.become('pass')
    await stack.untilOperational()
    const workload = await createWorkload(stack, { seed: 1, tag: 'cold' })
    const contract = await until('a contract', () => workload.create(2))
    for (const party of [0, 1]) expect(await workload.sign(contract, party)).toBe('signed')
    expect(stack.deaths).toEqual([])
    expect(SERVICES.map((service) => stack.pids()[service])).toEqual(SERVICES.map((service) => pids.get(service)))
  })
})
