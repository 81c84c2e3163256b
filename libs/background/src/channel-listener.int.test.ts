import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { waitFor } from '@paraph/testing/wait-for'
import { createChannelListener } from './channel-listener.js'

const LONG = { timeout: 20_000, interval: 10 }
const NAME = 'paraph listener test'

let clone: TestDatabase
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
})
afterAll(() => clone.drop())

const notify = (payload: string) =>
  withClient(clone.url, async (client) => void (await client.query('select pg_notify($1, $2)', ['a_channel', payload])))
const setLimit = (count: number) =>
  withClient(clone.adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query(`alter database "${rows[0]!.name}" connection limit ${count}`)
  })
const endConnection = (name = NAME) =>
  withClient(clone.adminUrl, async (client) => {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
      [name],
    )
  })

it('the listener resumes after a lost connection, reports that notifications may be missing, and logs the loss and the recovery once each [D28, D48]', async () => {
  const [warn, info] = [jest.fn(), jest.fn()]
  const received: string[] = []
  const onMissed = jest.fn()
  const listener = createChannelListener({
    url: clone.url,
    name: NAME,
    channel: 'a_channel',
    consequence: 'the test waits',
    logger: { warn, info },
    onPossibleLoss: onMissed,
    onNotification: (payload) => received.push(payload),
  })
  listener.start()
  await waitFor(() => expect(listener.isListening()).toBe(true), LONG)
  await notify('one')
  await waitFor(() => expect(received).toEqual(['one']), LONG)
  expect([onMissed.mock.calls.length, warn.mock.calls.length]).toEqual([1, 0])

  await setLimit(0)
  await endConnection()
  await waitFor(
    () => expect(warn).toHaveBeenCalledWith(expect.anything(), 'LISTEN connection lost (a_channel); the test waits'),
    LONG,
  )
  expect(listener.isListening()).toBe(false)
  await setLimit(-1)
  await waitFor(() => expect(listener.isListening()).toBe(true), LONG)
  expect([onMissed.mock.calls.length, warn.mock.calls.length, info.mock.calls.length]).toEqual([2, 1, 1])
  await notify('two')
  await waitFor(() => expect(received).toEqual(['one', 'two']), LONG)

  await listener.stop()
  expect(listener.isListening()).toBe(false)
})

it('a notification reaches the other listeners and not its sender, and waits for a lost connection [D48]', async () => {
  const received: Record<string, string[]> = { sender: [], other: [] }
  const open = (who: string) =>
    createChannelListener({
      url: clone.url,
      name: `${NAME} ${who}`,
      channel: 'a_channel',
      consequence: 'notifications wait',
      logger: { warn: jest.fn(), info: jest.fn() },
      onPossibleLoss: () => undefined,
      onNotification: (payload) => received[who]!.push(payload),
    })
  const [sender, other] = [open('sender'), open('other')]
  // Before the connection is there, too.
  sender.notify('early')
  other.start()
  await waitFor(() => expect(other.isListening()).toBe(true), LONG)
  sender.start()
  await waitFor(() => expect(received['other']).toEqual(['early']), LONG)
  for (const payload of ['a', 'b', 'a']) sender.notify(payload)
  await waitFor(() => expect(new Set(received['other'])).toEqual(new Set(['early', 'a', 'b'])), LONG)

  await endConnection(`${NAME} sender`)
  await waitFor(() => expect(sender.isListening()).toBe(false), LONG)
  sender.notify('late')
  await waitFor(() => expect(received['other']).toContain('late'), LONG)
  await notify('from elsewhere')
  await waitFor(() => expect(received['sender']).toEqual(['from elsewhere']), LONG)
  await Promise.all([sender.stop(), other.stop()])
})
