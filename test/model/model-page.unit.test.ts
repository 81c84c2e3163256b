// Checks that the model, its configurations and its page match.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/internal/model/${file}`, import.meta.url)), 'utf8')
const configsIn = (folder: string): string[] =>
  readdirSync(fileURLToPath(new URL(`../../docs/internal/model/${folder}`, import.meta.url))).filter((file) =>
    file.endsWith('.cfg'),
  )

const page = read('README.md')
const model = read('Paraph.tla')

it('each property of the model is refuted by a variant that omits a rule', () => {
  const checked = ['', 'deep/'].flatMap((folder) =>
    configsIn(folder).flatMap((file) =>
      [...read(folder + file).matchAll(/^(?:INVARIANTS|PROPERTIES) (.+)$/gm)].flatMap(([, names]) => names!.split(' ')),
    ),
  )
  const refuted = configsIn('broken').map((file) => /-(\w+)\.cfg$/.exec(file)![1]!)
  expect(new Set(checked)).toEqual(new Set(refuted))
})

it('the model page explains every action, property and variant', () => {
  const parts = /^Progress ==$(.+)^Next ==/ms.exec(model)![1]!
  const actions = [...parts.matchAll(/(?:\\\/|:) ([A-Z]\w+)/g)].map(([, name]) => name!)
  const variants = [...configsIn('broken'), ...configsIn('redundant')].flatMap((file) =>
    file.replace('.cfg', '').split('-'),
  )
  const onlyInVariants = ['TellPost', 'JobLooks', 'JobCompletes', 'ClaimEnds', 'TimeIsOver', 'NoInbox', 'NoKey']
  const unexplained = [...actions, ...variants].filter(
    (name) => !page.includes(`\`${name}\``) && !onlyInVariants.includes(name),
  )
  expect(actions.length).toBeGreaterThan(25)
  expect(unexplained).toEqual([])
})
