// Checks that docs/reference/retention.md matches the services' retention.ts. `npm run update -- retention` regenerates the page.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from '@jest/globals'
import { RETENTION as contract } from '@paraph/contract/retention'
import type { Retention, RetentionPlan } from '@paraph/database/retention'
import { RETENTION as gateway } from '@paraph/gateway/retention'
import { INBOX_RETENTIONS } from '@paraph/messaging/retention'
import { topicSettings } from '@paraph/messaging/kafka/topic-settings'
import { RETENTION as notification } from '@paraph/notification/retention'
import { RETENTION as signing } from '@paraph/signing/retention'
import { expectWithMessage } from '@paraph/testing/expect-with-message'

const PAGE = fileURLToPath(new URL('../../docs/reference/retention.md', import.meta.url))
const MARK = /^<!-- Below this line:.*-->\n/m

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

const going = ({ table: name, clearColumn, by, keptFor, why, personalData }: Retention): string[] => [
  clearColumn === undefined ? `\`${name}\`` : `\`${name}.${clearColumn}\``,
  `${keptFor} after \`${by}\``,
  why,
  personalData ?? 'nothing',
]

const section = ([service, { pruned, kept }]: [string, RetentionPlan]): string[] => [
  `## ${service}`,
  table(['What goes', 'When', 'Why', 'Personal in it'], pruned.map(going)),
  table(
    ['What stays', 'Why', 'Personal in it'],
    kept.map(({ table: name, why, personalData }) => [`\`${name}\``, why, personalData ?? 'nothing']),
  ),
]

it('the retention page lists the retention of every service', async () => {
  const page = readFileSync(PAGE, 'utf8')
  const head = page.slice(0, page.search(MARK)) + MARK.exec(page)![0]
  const sections = Object.entries({ gateway, contract, signing, notification }).flatMap(section)
  const config = await resolveConfig(PAGE)
  const wanted = await format([head, ...sections].join('\n\n'), { ...config, filepath: PAGE })
  if (process.env['UPDATE_RETENTION'] !== undefined) writeFileSync(PAGE, wanted)
  expectWithMessage(readFileSync(PAGE, 'utf8'), 'Run `npm run update -- retention`.').toBe(wanted)
})

it('every inbox keeps its rows for longer than the longest configurable retention of a topic [D49, F9]', () => {
  const [inbox] = INBOX_RETENTIONS
  const [, days] = /^(\d+) days$/.exec(inbox!.keptFor)!
  const setting = topicSettings.KAFKA_TOPIC_RETENTION_DAYS
  expectWithMessage(setting.safeParse(Number(days) - 1).success, 'the longest allowed retention').toBe(true)
  expect(setting.safeParse(Number(days)).success).toBe(false)
})
