// The guarantees of every EventBus as tests, which run once per implementation. [D50]
// Owns: order per key, at least once, replay, one member per partition. Does not own: dead letters (consumer.int.test.ts).
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { waitFor } from '@paraph/testing/wait-for'
import type { BusMessage, EventBus, ReceivedMessage, Subscription } from '../src/event-bus.js'

interface BusUnderTest {
  /** Opens another member: a further EventBus over the same log. */
  openMember(): EventBus
  /** Cuts every connection to the bus; new connections are accepted. */
  cutConnections(): Promise<void>
  /** Simulates the death of the process of `member`; handlers in progress continue. */
  kill(member: EventBus): Promise<void>
  /** An existing, empty topic. */
  topic: string
  close(): Promise<void>
}

const WAIT = { timeout: 20_000, interval: 10 }

/** @param open is called for each test */
export function describeEventBus(name: string, open: () => Promise<BusUnderTest>): void {
  describe(`${name} bus`, () => {
    let bus: BusUnderTest
    let member: EventBus
    const members: EventBus[] = []
    const subscriptions: Subscription[] = []

    beforeEach(async () => {
      bus = await open()
      member = openMember()
    })

    afterEach(async () => {
      await Promise.all(subscriptions.splice(0).map((subscription) => subscription.stop()))
      await Promise.all(members.splice(0).map((each) => each.close()))
      await bus.close()
    })

    function openMember(): EventBus {
      const opened = bus.openMember()
      members.push(opened)
      return opened
    }

    function subscribe(
      on: EventBus,
      group: string,
      handle: (message: ReceivedMessage) => void | Promise<void>,
    ): Subscription {
      const subscription = on.subscribe({
        group,
        topics: [bus.topic],
        handle: async (messages, signal) => {
          for (const each of messages) {
            if (signal.aborted) throw new Error('The member stops.')
            await handle(each)
          }
        },
      })
      subscriptions.push(subscription)
      return subscription
    }

    const message = (key: string, value: string | null): BusMessage => ({
      topic: bus.topic,
      key,
      headers: { a: '1' },
      value,
    })

    it('delivers every message to every group, with key, headers and value unchanged', async () => {
      const sent = [message('k1', '{"text":"é 漢 \u{1F58B} \\u0000"}'), message('k2', null), message('k3', '')]
      await member.publish(sent)
      const received: Record<string, ReceivedMessage[]> = { one: [], two: [] }
      for (const group of ['one', 'two']) subscribe(member, group, (each) => void received[group]?.push(each))
      for (const group of ['one', 'two']) {
        await waitFor(() => expect(received[group]).toHaveLength(3), WAIT)
        const byKey = (received[group] ?? []).sort((a, b) => a.key.localeCompare(b.key))
        expect(byKey).toMatchObject(sent)
        expect(byKey[0]?.offset).toMatch(/^\d+$/)
        expect(byKey[0]?.publishedAt).toBeInstanceOf(Date)
      }
    })

    it('keeps the order of a key while two members publish concurrently and connections break [D50]', async () => {
      const received = new Map<string, number[]>()
      subscribe(member, 'order', (each) => {
        const [key, number] = [each.key, Number(each.value)]
        received.set(key, [...(received.get(key) ?? []), number])
      })
      const rounds = 40
      async function publishAll(on: EventBus, keys: string[], cutAfter?: number): Promise<void> {
        for (let round = 0; round < rounds; round++) {
          await untilPublished(
            on,
            keys.map((key) => message(key, String(round))),
          )
          if (round === cutAfter) await bus.cutConnections()
        }
      }
      await Promise.all([publishAll(member, ['a', 'b', 'c'], 20), publishAll(openMember(), ['d', 'e', 'f'])])
      const whole = Array.from({ length: rounds }, (_, round) => round)
      await waitFor(
        () => expect(firstCopies(received)).toEqual(Object.fromEntries([...'abcdef'].map((key) => [key, whole]))),
        WAIT,
      )
    })

    it('repeats a message whose handler rejected, before the next one of its partition', async () => {
      const seen: string[] = []
      await member.publish([message('k', '1'), message('k', '2')])
      subscribe(member, 'again', (each) => {
        seen.push(String(each.value))
        if (seen.length < 3) throw new Error('not yet')
      })
      await waitFor(() => expect(seen).toEqual(['1', '1', '1', '2']), WAIT)
    })

    it('delivers the messages in progress of a dead member again, and skips none', async () => {
      const firstMember = openMember()
      const started = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const seen: string[] = []
      await member.publish(['1', '2', '3'].map((value) => message('k', value)))
      subscribe(firstMember, 'crash', async (each) => {
        seen.push(`first ${each.value}`)
        started.resolve()
        await release.promise
        throw new Error('died')
      })
      await started.promise
      await bus.kill(firstMember)
      subscribe(openMember(), 'crash', (each) => void seen.push(`second ${each.value}`))
      await waitFor(() => expect(seen).toEqual(['first 1', 'second 1', 'second 2', 'second 3']), WAIT)
      release.resolve()
    })

    it('reports the backlog of a group, even while no member holds the partitions', async () => {
      const waiting = async (): Promise<number> => {
        const backlog = await member.backlog('backlog', [bus.topic])
        expect(backlog.every(({ topic }) => topic === bus.topic)).toBe(true)
        expect(new Set(backlog.map(({ partition }) => partition)).size).toBe(8)
        return backlog.reduce((sum, each) => sum + each.waiting, 0)
      }
      expect(await waiting()).toBe(0)
      await member.publish(['1', '2', '3'].map((value) => message(value, value)))
      expect(await waiting()).toBe(3)
      const subscription = subscribe(openMember(), 'backlog', () => undefined)
      await waitFor(async () => expect(await waiting()).toBe(0), WAIT)
      await subscription.stop()
      await member.publish([message('1', '4'), message('2', '5')])
      expect(await waiting()).toBe(2)
      expect((await member.backlog('another', [bus.topic])).reduce((sum, each) => sum + each.waiting, 0)).toBe(5)
    })

    it('leaves unhandled messages of a stopped member to the next one', async () => {
      const seen: string[] = []
      await member.publish([message('k', '1'), message('k', '2')])
      const failing = subscribe(member, 'handover', (each) => {
        seen.push(`failed ${each.value}`)
        throw new Error('never')
      })
      await waitFor(() => expect(seen).toContain('failed 1'), WAIT)
      await failing.stop()
      seen.length = 0
      subscribe(member, 'handover', (each) => void seen.push(String(each.value)))
      await waitFor(() => expect(seen).toEqual(['1', '2']), WAIT)
    })

    it('assigns each partition to one member of a group, and to another when that member stops', async () => {
      const second = openMember()
      const working = new Set<number>()
      const clashes: number[] = []
      const by: Record<string, number> = { first: 0, second: 0 }
      const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`)
      const work = (who: string) => async (each: ReceivedMessage) => {
        if (working.has(each.partition)) clashes.push(each.partition)
        working.add(each.partition)
        await new Promise((resolve) => setImmediate(resolve))
        working.delete(each.partition)
        by[who] = (by[who] ?? 0) + 1
      }
      const first = subscribe(member, 'share', work('first'))
      await first.joined
      const standBy = subscribe(second, 'share', work('second'))
      await standBy.joined
      await member.publish(keys.map((key) => message(key, 'before')))
      await waitFor(() => expect((by['first'] ?? 0) + (by['second'] ?? 0)).toBe(30), WAIT)
      await first.stop()
      await member.publish(keys.map((key) => message(key, 'after')))
      await waitFor(() => expect((by['first'] ?? 0) + (by['second'] ?? 0)).toBe(60), WAIT)
      expect(by['second']).toBeGreaterThanOrEqual(30)
      expect(clashes).toEqual([])
    })

    it('continues at the position of the group, and replays everything after a rewind [F9]', async () => {
      const seen: string[] = []
      await member.publish([message('k', '1'), message('k', '2')])
      const before = subscribe(member, 'replay', (each) => void seen.push(String(each.value)))
      await waitFor(() => expect(seen).toEqual(['1', '2']), WAIT)
      await before.stop()
      await member.publish([message('k', '3')])
      const after = subscribe(member, 'replay', (each) => void seen.push(String(each.value)))
      await waitFor(() => expect(seen).toEqual(['1', '2', '3']), WAIT)
      await after.stop()
      await member.rewind('replay', bus.topic)
      subscribe(member, 'replay', (each) => void seen.push(String(each.value)))
      await waitFor(() => expect(seen).toEqual(['1', '2', '3', '1', '2', '3']), WAIT)
    })

    it('reports a partition whose handler hangs as behind without progress, and the others as caught up [H9]', async () => {
      const release = Promise.withResolvers<void>()
      const frozen = subscribe(member, 'frozen', () => release.promise)
      await member.publish([message('k', '1')])
      await waitFor(
        () => expect(frozen.progress().filter((entry) => entry.behind && entry.unmovedMs > 300)).toHaveLength(1),
        WAIT,
      )
      expect(frozen.progress().length).toBeGreaterThan(1)
      release.resolve()
      await waitFor(() => expect(frozen.progress().filter((entry) => entry.behind)).toHaveLength(0), WAIT)
    })
  })
}

/** Repeats the same array until the bus accepts it, like the relay. */
async function untilPublished(bus: EventBus, messages: BusMessage[]): Promise<void> {
  await waitFor(() => bus.publish(messages), WAIT)
}

/** At least once: copies may follow, but the first copies must arrive in order. */
function firstCopies(received: Map<string, number[]>): Record<string, number[]> {
  return Object.fromEntries([...received].map(([key, numbers]) => [key, [...new Set(numbers)]]))
}
