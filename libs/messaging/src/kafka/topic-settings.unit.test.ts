import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { TOPICS } from '@paraph/protocol/events'
import { INBOX_RETENTIONS } from '../retention.js'
import {
  topicErrors,
  planTopics,
  topicSettings,
  topicsToBe,
  type TopicFound,
  type TopicSetting,
} from './topic-settings.js'

const settingsOf = (environment: Record<string, string>) => z.object(topicSettings).parse(environment)
const wantedOf = (environment: Record<string, string> = {}) => topicsToBe(settingsOf(environment))
const [topic] = wantedOf() as [TopicSetting]
const asWanted: TopicFound = { partitions: topic.partitions, replicas: topic.replicas, configs: topic.configs }
const plan = (found: Partial<TopicFound>, wanted = topic) =>
  planTopics([wanted], new Map([[topic.topic, { ...asWanted, ...found }]]))

it('the plan includes every topic of the protocol, with three replicas, two in-sync replicas and 30 days of retention [D50]', () => {
  expect(wantedOf().map((each) => each.topic)).toEqual(Object.keys(TOPICS))
  expect(topic).toMatchObject({ partitions: 8, replicas: 3 })
  expect(topic.configs).toMatchObject({ 'min.insync.replicas': '2', 'retention.ms': '2592000000' })
})

it.each([
  ['1', undefined, '1'],
  ['2', undefined, '1'],
  ['5', undefined, '4'],
  ['3', '1', '1'],
])('with %s replicas and the setting %s, %s in-sync replicas are required', (replicas, inSync, expected) => {
  const environment = {
    KAFKA_TOPIC_REPLICAS: replicas,
    ...(inSync === undefined ? {} : { KAFKA_TOPIC_IN_SYNC_REPLICAS: inSync }),
  }
  expect(wantedOf(environment)[0]?.configs['min.insync.replicas']).toBe(expected)
})

it('the plan keeps no message longer than the inbox remembers its event [F9]', () => {
  expect(z.object(topicSettings).safeParse({ KAFKA_TOPIC_RETENTION_DAYS: '45' }).success).toBe(false)
  const configs = wantedOf({ KAFKA_TOPIC_RETENTION_DAYS: '44' })[0]?.configs
  // Kafka deletes whole segments, each when its newest message is past the retention.
  const livesMs = Number(configs?.['retention.ms']) + Number(configs?.['segment.ms'])
  const known = INBOX_RETENTIONS.find(({ table }) => table === 'inbox')?.keptFor
  expect(known).toMatch(/^\d+ days$/)
  expect(livesMs).toBeLessThan(parseInt(String(known)) * 86_400_000)
})

it('the plan is empty if every topic has its settings', () => {
  expect(plan({})).toEqual([])
})

it('the plan creates missing topics', () => {
  expect(planTopics([topic], new Map())).toEqual([{ kind: 'create', ...topic }])
})

it('the plan changes settings that differ and keeps settings that others added to the topic', () => {
  const configs = { ...topic.configs, 'retention.ms': '1', 'segment.bytes': '1048576' }
  expect(plan({ configs })).toEqual([
    {
      kind: 'configure',
      topic: topic.topic,
      configs: { ...topic.configs, 'segment.bytes': '1048576' },
      changed: ['retention.ms 1 → 2592000000'],
      replicas: 3,
    },
  ])
})

it('the plan never reduces partitions or moves replicas, and reports both', () => {
  expect(plan({ partitions: 12, replicas: 1 })).toMatchObject([
    { kind: 'keep', sentence: expect.stringContaining('12 partitions') },
    { kind: 'keep', sentence: expect.stringContaining('1 copy') },
  ])
})

it('the plan raises partitions only on request, because that breaks the order of a key [D48]', () => {
  const steps = plan({ partitions: 4 })
  expect(steps).toEqual([{ kind: 'raise', topic: topic.topic, from: 4, to: 8 }])
  expect(topicErrors(steps, { brokers: 3, mayRaise: true })).toEqual([])
  expect(topicErrors(steps, { brokers: 3, mayRaise: false })).toEqual([
    expect.stringMatching(/from 4 to 8.*out of order.*--raise-partitions.*KAFKA_TOPIC_PARTITIONS/),
  ])
})

it('the plan refuses more replicas than brokers, and more in-sync replicas than replicas', () => {
  const steps = planTopics([topic], new Map())
  expect(topicErrors(steps, { brokers: 1, mayRaise: false })).toEqual([
    expect.stringMatching(/has 1 broker, and 3 copies.*KAFKA_TOPIC_REPLICAS=1/),
  ])
  const impossible = planTopics(wantedOf({ KAFKA_TOPIC_REPLICAS: '1', KAFKA_TOPIC_IN_SYNC_REPLICAS: '2' }), new Map())
  expect(topicErrors(impossible, { brokers: 3, mayRaise: false })).toEqual([
    expect.stringMatching(/contract\.events\.v1: 2 of 1 copy.*no event could be published/),
  ])
})

it('the plan never requires more in-sync replicas of an existing topic than it has replicas', () => {
  const steps = plan({ replicas: 1, configs: { ...topic.configs, 'min.insync.replicas': '1' } })
  expect(topicErrors(steps, { brokers: 3, mayRaise: false })).toEqual([
    expect.stringMatching(/contract\.events\.v1: 2 of 1 copy.*KAFKA_TOPIC_REPLICAS/),
  ])
})
