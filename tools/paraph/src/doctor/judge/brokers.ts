// Judges Kafka: brokers that answer, topics that exist with enough copies, and users with their rights. Pure.
import type { BrokerFacts } from '../facts.js'
import { broken, look, ok, type Finding } from '../finding.js'

export function judgeBrokers(brokers: readonly BrokerFacts[]): Finding[] {
  const findings = brokers.flatMap(judgeUser)
  if (brokers.length === 0 || findings.length > 0) return findings
  const counts = new Set(brokers.flatMap(({ result }) => ('failure' in result ? [] : result.topics.map(partitionsOf))))
  return [ok('kafka', `${brokers.length} users with their rights, ${[...counts].join(' and ')} partitions a topic`)]
}

const partitionsOf = ({ partitions }: { partitions: number }): number => partitions

function judgeUser({ service, topics, result }: BrokerFacts): Finding[] {
  const subject = `kafka ${service}`
  if ('failure' in result)
    return [broken(subject, 'no answer from the brokers', { remedy: result.failure, page: 'brokers' })]
  const seen = new Map(result.topics.map((each) => [each.topic as string, each]))
  const missing = topics.filter((topic) => !seen.has(topic))
  const late = result.topics.filter(({ copies, inSync }) => inSync < copies)
  const single = result.topics.filter(({ copies }) => copies === 1)
  return [
    ...missing.map((topic) =>
      broken(subject, `${topic} is missing, or this user may not see it`, {
        remedy: 'Run paraph topics apply, or give the user of this service its rights.',
        page: 'topics',
      }),
    ),
    ...result.lacking.map((sentence) => broken(subject, 'a right is missing', { remedy: sentence, page: 'rights' })),
    ...late.map(({ topic, copies, inSync }) =>
      look(subject, `${topic} has ${inSync} of ${copies} copies in sync`, {
        remedy: 'Check that all brokers run: with too few copies in sync no event can be published.',
        page: 'brokers',
      }),
    ),
    ...single.map(({ topic }) =>
      look(subject, `${topic} has one copy, which is lost with its broker`, {
        remedy: 'Give the topic three copies, or one for each broker.',
        page: 'topics',
      }),
    ),
  ]
}
