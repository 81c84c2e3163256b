// `paraph topics …`: the topics of the event bus, applied directly on the brokers with the settings of the services. [D50]
import { describeChange, type TopicChange } from '@paraph/messaging/kafka/topic-settings'
import type { Command } from '../command-line.js'
import { applyTopicsOf } from '../topics.js'

export const topicsCommands: readonly Command[] = [
  {
    name: 'topics apply',
    purpose: 'Creates missing Kafka topics and applies settings that differ. Deletes nothing.',
    options: { 'dry-run': {}, 'raise-partitions': {} },
    runAlone: async (config, { 'dry-run': dry, 'raise-partitions': raise }) => {
      const dryRun = dry !== undefined
      const eventBus = config.broker.EVENT_BUS
      const steps = await applyTopicsOf(config, { dryRun, mayRaise: raise !== undefined })
      const none = 'The embedded event bus (EVENT_BUS is not kafka) has no topics to apply.'
      return { answer: { eventBus, dryRun, steps }, text: eventBus === 'kafka' ? textOf(steps, dryRun) : none }
    },
  },
]

function textOf(steps: readonly TopicChange[], dryRun: boolean): string {
  const kept = steps.filter(({ kind }) => kind === 'keep')
  const taken = steps.filter(({ kind }) => kind !== 'keep')
  const list = (head: string, some: readonly TopicChange[]): string[] =>
    some.length === 0 ? [] : [head, ...some.map((step) => `  ${describeChange(step)}`)]
  const done =
    taken.length === 0
      ? ['There is nothing to do.']
      : list(dryRun ? 'This would be done; nothing was:' : 'Done:', taken)
  return [...done, ...list('Left as it is:', kept)].join('\n')
}
