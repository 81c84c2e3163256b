// Checks that docs/reference/settings.md matches the comments in each config.ts. `npm run update -- settings` regenerates the page.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from '@jest/globals'
import { expectGenerated, tableWithNotes, withLinks, withoutCitations } from './generated-page.js'

const pathOf = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url))
const PAGE = 'docs/reference/settings.md'
const SOURCES = {
  'Every service': ['libs/config/src/config.ts', 'libs/messaging/src/bus-settings.ts'],
  gateway: ['services/gateway/src/config.ts'],
  contract: ['services/contract/src/config.ts'],
  signing: ['services/signing/src/config.ts'],
  notification: ['services/notification/src/config.ts'],
  'paraph topics apply': ['libs/messaging/src/kafka/topic-settings.ts'],
}

interface Setting {
  name: string
  says: string
  /** The cell of the column "Default": the default value as code, `none`, or `**required**`. */
  unset: string
}

/** The settings of a file: properties in capitals whose value is a schema, with the comment before each. */
function settingsOf(path: string): Setting[] {
  const source = ts.createSourceFile(path, readFileSync(pathOf(path), 'utf8'), ts.ScriptTarget.Latest, true)
  const found = new Map<string, Setting>()
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && /^[A-Z][A-Z0-9_]+$/.test(node.name.getText())) {
      const name = node.name.getText()
      const says = ts
        .getJSDocCommentsAndTags(node)
        .map(({ comment }) => (typeof comment === 'string' ? comment : ''))
        .join(' ')
        .replace(/\s+/g, ' ')
      // Two schemas with the same name are one setting with two defaults; one of them has the description.
      if (!found.get(name)?.says) found.set(name, { name, says, unset: unsetOf(node.initializer.getText()) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found.values()]
}

function unsetOf(schema: string): string {
  const value = /\.default\(([^)]*)\)/.exec(schema)?.[1]
  if (value === "''" || /\.optional\(\)/.test(schema)) return 'none'
  if (schema === 'postgres') return '`postgres`'
  return value === undefined ? '**required**' : `\`${value.replace(/['_]/g, '')}\``
}

const SETTINGS = Object.entries(SOURCES).map(
  ([title, paths]) => [title, paths.flatMap(settingsOf).filter(({ name }) => name !== 'FAIL_POINT_DIR')] as const,
)

it('the settings page lists what each config.ts reads', async () => {
  const rowOf = ({ name, unset, says }: Setting) => [
    `\`${name}\``,
    unset,
    withLinks(withoutCitations(says), PAGE).replaceAll('|', '\\|'),
  ]
  await expectGenerated(
    PAGE,
    'settings',
    SETTINGS.flatMap(([title, settings]) => [
      `## ${title}`,
      tableWithNotes(['Setting', 'Default', 'Description'], settings.map(rowOf)),
    ]),
  )
})

it.each(SETTINGS.flatMap(([title, settings]) => settings.map(({ name, says }) => [`${title} ${name}`, says])))(
  'the setting %s has a description',
  (_, says) => {
    expect(says).toMatch(/\w{3}/)
  },
)
