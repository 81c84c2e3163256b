// Every choice of values in ci/: accepted by Kubernetes' own schemas and by two linters, and rendered as it is kept in golden/.
// `npm run chart` writes golden/ anew; whoever changes a template reads in the diff what it does. Alerts and dashboards are not kept
// there: they are whole files of the chart already.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KUBERNETES, runTool, SCHEMA_LOCATION } from './chart-tools.js'
import { CHART, CI_VALUES, renderText } from './rendered.js'

const GOLDEN = join(CHART, 'golden')
const WHOLE_FILES = /^# Source: paraph\/templates\/(prometheusrule|dashboards)\.yaml$/m
/** Kinds of others, whose schemas Kubernetes does not have. */
const FOREIGN = ['HTTPRoute', 'PodMonitor', 'PrometheusRule']

/** What kube-score finds wrong and we do on purpose. */
const ON_PURPOSE: Readonly<Record<string, string>> = {
  'container-image-pull-policy':
    'a tag of a version is never pushed twice, and a node must start pods while the registry is away',
  'container-ephemeral-storage-request-and-limit': 'logs count as well: a limit would end pods that tell much',
  'container-resources': 'CPU has no limit (H22); memory, which it also looks at, has a test of its own',
  'deployment-has-host-podantiaffinity': 'topologySpreadConstraints do that (H21)',
}

const rules = (only: readonly string[]) => only.flatMap((rule) => ['--ignore-test', rule])

interface Looked {
  filename: string
  kind: string
  name: string
  status: string
  msg: string
}

/** What kubeconform says of every object of every render: one run, so that each schema is read once. */
function lookAtAll(): readonly Looked[] {
  const folder = mkdtempSync(join(tmpdir(), 'paraph-renders-'))
  try {
    for (const ci of CI_VALUES) writeFileSync(join(folder, `${ci}.yaml`), renderText(ci))
    const options = ['-strict', '-verbose', '-output', 'json', '-kubernetes-version', KUBERNETES]
    const location = ['-schema-location', SCHEMA_LOCATION, '-skip', FOREIGN.join()]
    const { stdout } = runTool('kubeconform', [...options, ...location, folder])
    return (JSON.parse(stdout) as { resources: Looked[] }).resources
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const looked = lookAtAll()

describe.each(CI_VALUES)('%s', (ci) => {
  it('is valid for Kubernetes to the letter [H27]', () => {
    const own = looked.filter(({ filename }) => basename(filename) === `${ci}.yaml`)
    const [foreign, ours] = [true, false].map((is) => own.filter(({ kind }) => FOREIGN.includes(kind) === is))
    expect(ours!.filter(({ status }) => status !== 'statusValid')).toEqual([])
    expect(foreign!.filter(({ status }) => status !== 'statusSkipped')).toEqual([])
    expect(ours!.length).toBeGreaterThan(20)
  })

  it('has nothing that helm lint warns of [H27]', () => {
    const { code, stdout, stderr } = runTool('helm', [
      'lint',
      '--strict',
      CHART,
      '-f',
      join(CHART, `ci/${ci}-values.yaml`),
    ])
    expect(`${stdout}${stderr}`).toContain('0 chart(s) failed')
    expect(code).toBe(0)
  })

  it('is rendered as it is kept [H28]', () => {
    const file = join(GOLDEN, `${ci}.yaml`)
    const documents = renderText(ci).split(/^---$/m)
    const text = documents.filter((document) => !WHOLE_FILES.test(document)).join('---')
    if (process.env['UPDATE_CHART'] !== undefined) writeFileSync(file, text)
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '', 'Run `npm run chart`, and read the diff.').toBe(text)
  })
})

it('keeps no render of values that are gone [H28]', () => {
  expect(readdirSync(GOLDEN).sort()).toEqual(CI_VALUES.map((ci) => `${ci}.yaml`).sort())
})

it.each(['default', 'everything-on', 'kafka'])(
  'has nothing that kube-score finds, but what is so on purpose: %s [H18, H20]',
  (ci) => {
    const options = ['--output-format', 'ci', '--kubernetes-version', 'v1.34', ...rules(Object.keys(ON_PURPOSE))]
    const { stdout } = runTool('kube-score', ['score', ...options, '-'], renderText(ci))
    const lines = stdout.split('\n')
    expect(lines.filter((line) => /^\[(CRITICAL|WARNING)\]/.test(line))).toEqual([])
    expect(lines.filter((line) => line.startsWith('[OK]')).length).toBeGreaterThan(20)
  },
)
