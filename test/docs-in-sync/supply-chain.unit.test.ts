// Checks the CI workflows and the Dockerfile: pinned actions, permissions, and package installs without scripts. [Supply chain]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'))

interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, Job>
}
interface Job {
  permissions?: Record<string, string>
  env?: Record<string, string>
  steps: { uses?: string; run?: string; env?: Record<string, string> }[]
}
const stepsOf = (text: string) => Object.values((parse(text) as Workflow).jobs).flatMap(({ steps }) => steps)

it.each(WORKFLOWS)(
  'the workflow %s pins every action to a commit, names its version, and may only read unless a job declares more [Supply chain]',
  (name) => {
    const text = read(`.github/workflows/${name}`)
    const uses = stepsOf(text).flatMap((step) => step.uses ?? [])
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
    expect(text.match(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm) ?? []).toHaveLength(uses.length)
    expect((parse(text) as Workflow).permissions).toEqual({ contents: 'read' })
  },
)

it('in the release, code from npm runs without rights, the token is in the steps that publish and no other, and image and chart are attested [Supply chain]', () => {
  const { jobs } = parse(read('.github/workflows/release.yaml')) as Workflow
  for (const { permissions, env, steps } of Object.values(jobs)) {
    expect(JSON.stringify(env)).not.toContain('token')
    const hasNpm = steps.some(({ uses = '', run = '' }) => /\bnpm |\.ci\/sbom/.test(run) || uses.includes('setup-node'))
    if (hasNpm) expect(permissions).toEqual({ contents: 'read' })
    const withToken = steps.filter((step) => /github\.token|secrets\./.test(JSON.stringify(step)))
    expect(withToken.filter(({ run = '' }) => !/^(echo "\$\w+" \| docker login|gh release create) /.test(run))).toEqual(
      [],
    )
  }
  const attested = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .filter(({ uses }) => uses?.includes('attest'))
  expect(JSON.stringify(attested)).toMatch(/push-to-registry":true.*\.tgz/)
})

it('the release signs image and charts by digest, and its own scripts run nothing from npm [Supply chain]', () => {
  const runs = stepsOf(read('.github/workflows/release.yaml')).flatMap(({ run }) => run ?? [])
  const signs = runs.find((run) => run.includes('cosign sign')) ?? ''
  expect(signs).toContain('cosign sign --yes "$IMAGE@$DIGEST"')
  expect(signs).toMatch(/cosign sign --yes < .*charts\.txt/)
  expect(signs).toMatch(/cosign attest .*cyclonedx.* "\$IMAGE@\$DIGEST"/)
  const scripts = readdirSync(join(ROOT, '.ci/release')).map((name) => read(`.ci/release/${name}`))
  const commands = scripts.flatMap((script) => script.split('\n').filter((line) => !/^\s*(#|\/\/)/.test(line)))
  expect(commands.filter((line) => /\b(npm|npx)\b|node_modules/.test(line))).toEqual([])
})

it('the workflow for every change runs the whole CI, and installs packages without their scripts [Supply chain]', () => {
  const runs = stepsOf(read('.github/workflows/ci.yaml')).flatMap(({ run }) => run ?? [])
  expect(runs.some((run) => run.includes('.ci/run'))).toBe(true)
  expect(runs.filter((run) => run.includes('npm ci') && !run.includes('--ignore-scripts'))).toEqual([])
})

it('the image is built without install scripts, tests or tools, runs as an unprivileged user, and starts node directly [H14, H18]', () => {
  const lines = read('deploy/Dockerfile').split('\n')
  const installs = lines.filter((line) => line.includes('npm ci'))
  expect(installs).toHaveLength(2)
  expect(installs.filter((line) => !line.includes('--ignore-scripts'))).toEqual([])
  expect(installs[1]).toContain('--omit=dev --omit=optional')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  expect(last).toContain('USER 65532:65532')
  expect(last).toContain('ENTRYPOINT ["/nodejs/bin/node"]')
  expect(last.filter((line) => line.startsWith('RUN '))).toEqual([])
  // Without an emulator, only steps that run nothing can build another platform than the builder's.
  expect(lines).toContain('FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build')
})
