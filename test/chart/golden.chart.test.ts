// Every values file of ci/ must pass the schemas of Kubernetes and two linters, and render its file in golden/. `npm run update -- chart`
// rewrites golden/; the diff shows the effect of a changed template. golden/ omits alerts and dashboards, which are files already.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { runTool, validate } from './chart-tools.js'
import { CHART, CI_VALUES, renderText } from './rendered.js'

const GOLDEN = join(CHART, 'golden')
const WHOLE_FILES = /^# Source: paraph\/templates\/(prometheusrule|dashboards)\.yaml$/m

/** Findings of kube-score that we accept, with the reason. */
const INTENDED: Readonly<Record<string, string>> = {
  'container-image-pull-policy':
    'a version tag is never pushed twice, and a node must start pods while the registry is unavailable',
  'container-ephemeral-storage-request-and-limit': 'logs count towards it: a limit would evict pods that log much',
  'container-resources': 'CPU has no limit (H22); another test covers memory',
  'deployment-has-host-podantiaffinity': 'topologySpreadConstraints replace it (H21)',
}

const rules = (only: readonly string[]) => only.flatMap((rule) => ['--ignore-test', rule])

const validations = validate(Object.fromEntries(CI_VALUES.map((ci) => [ci, renderText(ci)])))

describe.each(CI_VALUES)('%s', (ci) => {
  it('conforms to the schemas of Kubernetes and of the custom resources [H27]', () => {
    const own = validations.filter(({ file }) => file === ci)
    expect(own.filter(({ status }) => status !== 'statusValid')).toEqual([])
    expect(own.length).toBeGreaterThan(20)
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
