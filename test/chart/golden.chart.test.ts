// Every values file of ci/ must pass the schemas of Kubernetes and two linters, and render its file in golden/. `npm run update -- chart`
// rewrites golden/; the diff shows the effect of a changed template. golden/ omits alerts and dashboards, which are files already.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { KUBERNETES, runTool, SCHEMA_LOCATION } from './chart-tools.js'
import { CHART, CI_VALUES, renderText } from './rendered.js'

const GOLDEN = join(CHART, 'golden')
const WHOLE_FILES = /^# Source: paraph\/templates\/(prometheusrule|dashboards)\.yaml$/m
/** Kinds of custom resources, which have no schema in Kubernetes itself. */
const FOREIGN = ['HTTPRoute', 'PodMonitor', 'PrometheusRule']

/** Findings of kube-score that we accept, with the reason. */
const INTENDED: Readonly<Record<string, string>> = {
  'container-image-pull-policy':
    'a version tag is never pushed twice, and a node must start pods while the registry is unavailable',
  'container-ephemeral-storage-request-and-limit': 'logs count towards it: a limit would evict pods that log much',
  'container-resources': 'CPU has no limit (H22); another test covers memory',
  'deployment-has-host-podantiaffinity': 'topologySpreadConstraints replace it (H21)',
}

const rules = (only: readonly string[]) => only.flatMap((rule) => ['--ignore-test', rule])

interface Validation {
  filename: string
  kind: string
  name: string
  status: string
  msg: string
}

/** Validates every object of every render with kubeconform, in one run, which reads each schema only once. */
function validateAll(): readonly Validation[] {
  const folder = mkdtempSync(join(tmpdir(), 'paraph-renders-'))
  try {
    for (const ci of CI_VALUES) writeFileSync(join(folder, `${ci}.yaml`), renderText(ci))
    const options = ['-strict', '-verbose', '-output', 'json', '-kubernetes-version', KUBERNETES]
    const location = ['-schema-location', SCHEMA_LOCATION, '-skip', FOREIGN.join()]
    const { stdout } = runTool('kubeconform', [...options, ...location, folder])
    return (JSON.parse(stdout) as { resources: Validation[] }).resources
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const validations = validateAll()

describe.each(CI_VALUES)('%s', (ci) => {
  it('conforms to the schemas of Kubernetes [H27]', () => {
    const own = validations.filter(({ filename }) => basename(filename) === `${ci}.yaml`)
    const [foreign, ours] = [true, false].map((is) => own.filter(({ kind }) => FOREIGN.includes(kind) === is))
    expect(ours!.filter(({ status }) => status !== 'statusValid')).toEqual([])
    expect(foreign!.filter(({ status }) => status !== 'statusSkipped')).toEqual([])
    expect(ours!.length).toBeGreaterThan(20)
  })

  it('passes helm lint without a warning [H27]', () => {
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

  it('renders the golden file [H28]', () => {
    const file = join(GOLDEN, `${ci}.yaml`)
    const documents = renderText(ci).split(/^---$/m)
    const text = documents.filter((document) => !WHOLE_FILES.test(document)).join('---')
    if (process.env['UPDATE_CHART'] !== undefined) writeFileSync(file, text)
    expectWithMessage(
      existsSync(file) ? readFileSync(file, 'utf8') : '',
      'Run `npm run update -- chart`, and read the diff.',
    ).toBe(text)
  })
})

it('every values file has a golden file, and every golden file a values file [H28]', () => {
  expect(readdirSync(GOLDEN).sort()).toEqual(CI_VALUES.map((ci) => `${ci}.yaml`).sort())
})

it.each(['default', 'everything-on', 'kafka'])(
  'kube-score finds nothing except the intended findings: %s [H18, H20]',
  (ci) => {
    const options = ['--output-format', 'ci', '--kubernetes-version', 'v1.34', ...rules(Object.keys(INTENDED))]
    const { stdout } = runTool('kube-score', ['score', ...options, '-'], renderText(ci))
    const lines = stdout.split('\n')
    expect(lines.filter((line) => /^\[(CRITICAL|WARNING)\]/.test(line))).toEqual([])
    expect(lines.filter((line) => line.startsWith('[OK]')).length).toBeGreaterThan(20)
  },
)
