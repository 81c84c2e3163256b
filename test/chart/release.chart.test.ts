// The steps of .github/workflows/release.yaml that need no service of others: its syntax, and the way of the charts from the checkout through
// a registry to an installation. docs/how-to/maintainers/release.md says which steps no test runs. [Supply chain]
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { VERSION } from '@paraph/protocol/version'
import { parse, parseAllDocuments } from 'yaml'
import { pathOf, runTool } from './chart-tools.js'
import { release, startRegistry } from './registry.js'
import { CHART } from './rendered.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const REPOSITORY = 'images.test/example/paraph'
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`
const SOURCE = 'https://git.test/example/paraph'
const VALUES = [
  'publicUrl=https://sign.example.com',
  'components.notification.settings.MAIL_DOMAIN=mail.example.com',
  'components.notification.settings.MAIL_FROM_ADDRESS=sign@mail.example.com',
].flatMap((value) => ['--set', value])

let folder: string
let registry: Awaited<ReturnType<typeof startRegistry>>
let address: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paraph-release-'))
  registry = await startRegistry()
  address = registry.address
})
afterAll(() => {
  registry?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const packaged = (out: string) =>
  release(folder, 'package-charts.sh', VERSION, `${REPOSITORY}@${DIGEST}`, SOURCE, out).then(() => readdirSync(out))
const helm = (...args: string[]) => {
  const { code, stdout, stderr } = runTool('helm', args)
  if (code !== 0) throw new Error(stderr)
  return stdout
}
const imagesIn = (rendered: string): string[] =>
  parseAllDocuments(rendered)
    .map((each) => each.toJS() as { kind: string; spec: { template?: { spec: { containers: { image: string }[] } } } })
    .flatMap((each) => each?.spec?.template?.spec.containers.map(({ image }) => image) ?? [])
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

it('the workflows are valid: names, contexts, expressions and permissions', () => {
  const workflows = readdirSync(join(ROOT, '.github/workflows')).map((name) => join(ROOT, '.github/workflows', name))
  // Without the checkers of other languages, which not every machine has.
  expect(runTool('actionlint', ['-shellcheck=', '-pyflakes=', ...workflows])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
})

it('a packaged chart has the version of the tag, its image, and what Artifact Hub shows; the checkout stays as it is', async () => {
  const before = readFileSync(join(CHART, 'values.yaml'), 'utf8')
  const out = join(folder, 'packaged')
  expect(await packaged(out)).toContain(`paraph-${VERSION}.tgz`)
  const chart = parse(helm('show', 'chart', join(out, `paraph-${VERSION}.tgz`))) as Record<string, unknown> & {
    annotations: Record<string, string>
  }
  expect(chart).toMatchObject({
    version: VERSION,
    appVersion: VERSION,
    home: SOURCE,
    sources: [SOURCE],
    icon: `${SOURCE}/raw/v${VERSION}/libs/web/src/icon.svg`,
    maintainers: [{ url: SOURCE }],
  })
  expect(chart.annotations['artifacthub.io/license']).toBe('Apache-2.0')
  expect(parse(chart.annotations['artifacthub.io/images']!)).toEqual([
    { name: 'paraph', image: `${REPOSITORY}:${VERSION}@${DIGEST}`, platforms: ['linux/amd64', 'linux/arm64'] },
  ])
  for (const { url } of parse(chart.annotations['artifacthub.io/links']!) as { url: string }[])
    expect(readFileSync(join(ROOT, url.replace(`${SOURCE}/blob/v${VERSION}/`, '')), 'utf8')).not.toBe('')
  const values = parse(helm('show', 'values', join(out, `paraph-${VERSION}.tgz`))) as { image: object }
  expect(values.image).toMatchObject({ repository: REPOSITORY, tag: VERSION })
  expect(readFileSync(join(CHART, 'values.yaml'), 'utf8')).toBe(before)
})

it('a chart that was pushed is signed by its digest, pulled back unchanged, and renders without naming an image', async () => {
  const out = join(folder, 'pushed')
  const names = await packaged(out)
  const target = `oci://${address}/example/paraph/charts`
  const printed = await release(folder, 'push-charts.sh', out, target, '--plain-http')
  const lines = printed.trim().split('\n')
  expect(lines).toHaveLength(names.length)
  const [line] = lines.filter((each) => each.includes('/charts/paraph@'))
  expect(line).toMatch(new RegExp(`^${address}/example/paraph/charts/paraph@sha256:[0-9a-f]{64}$`))
  // cosign signs what this name resolves to.
  const { stdout: digest } = runTool('crane', ['digest', '--insecure', line!])
  expect(line).toBe(`${address}/example/paraph/charts/paraph@${digest.trim()}`)
  mkdirSync(join(folder, 'pulled'))
  helm('pull', `${target}/paraph`, '--version', VERSION, '--plain-http', '--destination', join(folder, 'pulled'))
  const file = `paraph-${VERSION}.tgz`
  expect(sha256(join(folder, 'pulled', file))).toBe(sha256(join(out, file)))
  const rendered = helm('template', 'paraph', join(folder, 'pulled', file), '--namespace', 'paraph', ...VALUES)
  const images = imagesIn(rendered)
  expect(images.length).toBeGreaterThan(4)
  expect(new Set(images)).toEqual(new Set([`${REPOSITORY}:${VERSION}`]))
})

it('the packaged trial contains the packaged chart paraph, and renders without naming an image', async () => {
  const out = join(folder, 'trial')
  const names = await packaged(out)
  expect(names.sort()).toEqual([`paraph-${VERSION}.tgz`, `paraph-trial-${VERSION}.tgz`])
  const images = imagesIn(helm('template', 'trial', join(out, `paraph-trial-${VERSION}.tgz`)))
  const { postgres } = parse(readFileSync(join(CHART, '../paraph-trial/values.yaml'), 'utf8')) as {
    postgres: { image: string }
  }
  expect(new Set(images)).toEqual(new Set([`${REPOSITORY}:${VERSION}`, postgres.image]))
})

const tar = process.env['PARAPH_IMAGE_TAR']
;(tar ? it : it.skip)(
  'the image is pushed to a registry and pulled back with the same digest',
  async () => {
    const name = `${address}/example/paraph:${VERSION}`
    const { stdout } = await run(pathOf('crane')!, ['push', '--insecure', tar!, name])
    const { stdout: digest } = await run(pathOf('crane')!, ['digest', '--insecure', name])
    expect(stdout.trim()).toBe(`${address}/example/paraph@${digest.trim()}`)
    await run(pathOf('crane')!, ['pull', '--insecure', stdout.trim(), join(folder, 'image.tar')])
    const { stdout: again } = await run(pathOf('crane')!, ['digest', '--tarball', join(folder, 'image.tar')])
    expect(again).toBe(digest)
  },
  300_000,
)
