// Lists the test of each page that has shell commands, so that no command of a document is untested without notice.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OPERATORS = 'docs/how-to/operators'

/** Page → the test that runs its commands. */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md': 'test/docs-in-sync/readme.e2e.test.ts',
  'CONTRIBUTING.md': 'test/docs-in-sync/two-commands.mjs',
  'docs/start/first-contract.md': 'test/docs-in-sync/readme.e2e.test.ts',
  'docs/start/local-start.md': 'test/docs-in-sync/two-commands.mjs',
  'docs/reference/cli.md': 'test/docs-in-sync/readme.e2e.test.ts',
  'docs/explanation/evidence.md': 'test/e2e/ceremony/evidence.e2e.test.ts',
  [`${OPERATORS}/first-operator.md`]: 'test/e2e/console/console.e2e.test.ts',
  [`${OPERATORS}/kafka.md`]: 'test/e2e/operations/kafka.e2e.test.ts',
  [`${OPERATORS}/secrets.md`]: 'test/e2e/operations/keys-handbook.e2e.test.ts',
}
/** Page → the test that takes the same steps in another form, because the commands need a server, a cluster or a container engine. */
const PLAYED_BY: Readonly<Record<string, string>> = {
  'charts/paraph/README.md': 'test/cluster/cluster.cluster.test.ts',
  'charts/paraph-trial/README.md': 'test/cluster/trial.cluster.test.ts',
  'docs/start/try-on-a-cluster.md': 'test/cluster/trial.cluster.test.ts',
  [`${OPERATORS}/install-kubernetes.md`]: 'test/cluster/install.cluster.test.ts',
  [`${OPERATORS}/install-compose.md`]: 'test/docs-in-sync/compose.unit.test.ts',
  [`${OPERATORS}/single-sign-on.md`]: 'services/gateway/src/console/issuers/issuers.int.test.ts',
  [`${OPERATORS}/object-store.md`]: 'test/e2e/operations/object-store.e2e.test.ts',
  [`${OPERATORS}/doctor.md`]: 'tools/paraph/src/doctor/source/source.unit.test.ts',
  [`${OPERATORS}/backup-restore.md`]: 'test/e2e/operations/restore-scenario.ts',
}

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'charts/paraph/README.md',
  'charts/paraph-trial/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((page) => page.endsWith('.md') && !/^docs\/(internal|runbooks)\//.test(page))

it('every page for users that has shell commands has a test that runs or plays them', () => {
  const tests = { ...RUN_BY, ...PLAYED_BY }
  const withCommands = PAGES.filter((page) => /^ *```sh$/m.test(readFileSync(join(ROOT, page), 'utf8')))
  expect(withCommands.sort()).toEqual(Object.keys(tests).sort())
  expect(Object.values(tests).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

it('every `npx jest` command of a document names a test', () => {
  const tests = globSync('{test,libs,services,tools,deploy}/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] })
  const commands = globSync('{*.md,docs/**/*.md}', { cwd: ROOT }).flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/npx jest ([\w./-]+)/g)].map(
      ([, pattern]) => `${page}: ${pattern}`,
    ),
  )
  expect(commands.length).toBeGreaterThan(0)
  expect(commands.filter((each) => !tests.some((path) => path.includes(each.split(': ')[1]!)))).toEqual([])
})
