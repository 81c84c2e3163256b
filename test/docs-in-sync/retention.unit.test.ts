// Checks that docs/reference/retention.md matches the services' retention.ts. `npm run update -- retention` regenerates the page.
import { expect, it } from '@jest/globals'
import { RETENTION as contract } from '@paraph/contract/retention'
import type { Retention, RetentionPlan } from '@paraph/database/retention'
import { RETENTION as gateway } from '@paraph/gateway/retention'
import { INBOX_RETENTIONS } from '@paraph/messaging/retention'
import { topicSettings } from '@paraph/messaging/kafka/topic-settings'
import { RETENTION as notification } from '@paraph/notification/retention'
import { RETENTION as signing } from '@paraph/signing/retention'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { expectGenerated, tableWithNotes, withoutCitations } from './generated-page.js'

const going = ({ table: name, clearColumn, by, keptFor, why, personalData }: Retention): string[] => [
  clearColumn === undefined ? `\`${name}\`` : `\`${name}.${clearColumn}\``,
  `${keptFor} after \`${by}\``,
  withoutCitations(why),
  personalData ?? 'none',
]

const section = ([service, { pruned, kept }]: [string, RetentionPlan]): string[] => [
  `## ${service}`,
  tableWithNotes(['Deleted', 'When', 'Why', 'Personal data'], pruned.map(going)),
  tableWithNotes(
    ['Kept', 'Why', 'Personal data'],
    kept.map(({ table: name, why, personalData }) => [`\`${name}\``, withoutCitations(why), personalData ?? 'none']),
  ),
]

it('the retention page lists the retention of every service', async () => {
  const sections = Object.entries({ gateway, contract, signing, notification }).flatMap(section)
  await expectGenerated('docs/reference/retention.md', 'retention', sections)
})

it('every inbox keeps its rows for longer than the longest configurable retention of a topic [D49, F9]', () => {
  const [inbox] = INBOX_RETENTIONS
  const [, days] = /^(\d+) days$/.exec(inbox!.keptFor)!
  const setting = topicSettings.KAFKA_TOPIC_RETENTION_DAYS
  expectWithMessage(setting.safeParse(Number(days) - 1).success, 'the longest allowed retention').toBe(true)
  expect(setting.safeParse(Number(days)).success).toBe(false)
})
