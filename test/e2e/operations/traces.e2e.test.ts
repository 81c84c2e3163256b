// The tests of traces on the Postgres bus, and the traces of old events that are replayed. [D51, I13]
import { expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { databaseUrlOf, makeDataFolder, startStack } from '../../harness/stack/local-stack.js'
import { describeTraces } from './trace-scenarios.js'
import { until } from '../../harness/until.js'

const { named, stack } = describeTraces(async (environment) => startStack(await makeDataFolder(), environment))

it('events replayed after an hour get new traces that link to the original traces, and cause no mail [D51, F9]', async () => {
  const created = named('create contract.created')[0]!
  const before = new Set(named('process contract.events.v1').map(({ spanId }) => spanId))
  const mails = named('SMTP send').length
  await withClient(databaseUrlOf(stack().stack, 'bus'), async (owner) => {
    await owner.query("update bus.message set published_at = published_at - interval '61 minutes'")
    await owner.query("select bus.rewind('notification', 'contract.events.v1')")
  })
  // Restarts the service, which reads the position of its consumer group only at its start.
  process.kill((await stack().read())!.pids.notification, 'SIGTERM')
  const replayed = await until('the replayed event', () =>
    named('process contract.events.v1').find(
      ({ spanId, links }) => !before.has(spanId) && links.some((link) => link.spanId === created.spanId),
    ),
  )
  expect(replayed.parentSpanId).toBe('')
  expect(replayed.traceId).not.toBe(created.traceId)
  await until('the end of the replay', () =>
    withClient(databaseUrlOf(stack().stack, 'bus'), async (owner) => {
      const { rows } = await owner.query(
        `select 1 from bus.partition p left join bus.group_position g
           on (g.group_name, g.topic, g.partition) = ('notification', p.topic, p.partition)
          where p.topic = 'contract.events.v1' and g.next_offset is distinct from p.end_offset`,
      )
      return rows.length === 0 ? true : undefined
    }),
  )
  expect(named('SMTP send')).toHaveLength(mails)
})
