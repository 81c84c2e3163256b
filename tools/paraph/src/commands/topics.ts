// `paraph topics …`: the topics of the event bus. Talks to the brokers, with the settings that the services have. [D50]
import { describeStep, type TopicStep } from '@paraph/messaging/topic-settings'
import type { Command } from '../command-line.js'
import { applyTopicsOf } from '../topics.js'

export const topicsCommands: readonly Command[] = [
  {
    name: 'topics apply',
    purpose: 'Makes the Kafka topics that are missing, and sets what differs from the settings. Deletes nothing.',
    options: { 'dry-run': { required: false }, 'raise-partitions': { required: false } },
    runAlone: async (config, values) => {
      const dryRun = values['dry-run'] !== undefined
      if (config.broker.EVENT_BUS !== 'kafka')
        return {
          answer: { eventBus: config.broker.EVENT_BUS, dryRun, steps: [] },
          text: 'The event bus is the embedded one (EVENT_BUS is not kafka): there is nothing to do.',
        }
      const steps = await applyTopicsOf(config, { dryRun, mayRaise: values['raise-partitions'] !== undefined })
      return { answer: { eventBus: config.broker.EVENT_BUS, dryRun, steps }, text: textOf(steps, dryRun) }
    },
  },
]

function textOf(steps: readonly TopicStep[], dryRun: boolean): string {
  const kept = steps.filter(({ kind }) => kind === 'keep')
  const taken = steps.filter(({ kind }) => kind !== 'keep')
  const list = (head: string, some: readonly TopicStep[]): string[] =>
    some.length === 0 ? [] : [head, ...some.map((step) => `  ${describeStep(step)}`)]
  const done =
    taken.length === 0
      ? ['There is nothing to do.']
      : list(dryRun ? 'This would be done; nothing was:' : 'Done:', taken)
  return [...done, ...list('Left as it is:', kept)].join('\n')
}
