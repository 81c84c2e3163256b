// The Jobs of the chart: migrations, topics, the verifier and `helm test`.
import { execFile } from 'node:child_process'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { CHART, componentOf, ofKind, podsOf, render, type Manifest } from './rendered.js'

const hookOf = ({ metadata: { annotations = {} } }: Manifest) => annotations['helm.sh/hook']
const weightOf = ({ metadata: { annotations = {} } }: Manifest) => Number(annotations['helm.sh/hook-weight'])
const namesOf = (manifests: readonly Manifest[]) => manifests.map(({ metadata }) => metadata.name)
const programOf = (job: Manifest) => podsOf([job])[0]!.container.args[0]

describe('before an install or upgrade, the chart', () => {
  const jobs = ofKind(render('default'), 'Job')

  it('migrates each database in its own Job, as the owner role, and the bus last [H15]', () => {
    const inOrder = jobs.toSorted((a, b) => weightOf(a) - weightOf(b)).map(programOf)
    expect(inOrder.slice(0, 4).sort()).toEqual(
      ['contract', 'gateway', 'notification', 'signing'].map((name) => `services/${name}/dist/migrate.js`),
    )
    expect(inOrder.slice(4)).toEqual(['libs/messaging/dist/bus-migrate.js'])
    expectWithMessage(new Set(jobs.map(weightOf)), 'the four services first, then the bus').toEqual(new Set([-10, -9]))
    for (const job of jobs) {
      const { env } = podsOf([job])[0]!.container
      expect(env.flatMap(({ name, valueFrom }) => (valueFrom ? [name] : []))).toEqual([
        programOf(job)!.startsWith('libs/') ? 'BUS_OWNER_URL' : 'DATABASE_OWNER_URL',
      ])
    }
  })

  it('creates the topics if the bus is Kafka, and then migrates no bus database [H15, D50]', () => {
    const programs = ofKind(render('kafka'), 'Job').map(programOf)
    expect(programs).toContain('tools/paraph/paraph.mjs')
    expect(programs).not.toContain('libs/messaging/dist/bus-migrate.js')
    const withoutTopics = render('kafka', { kafka: { topics: { enabled: false } } })
    expect(ofKind(withoutTopics, 'Job').map(programOf)).not.toContain('tools/paraph/paraph.mjs')
    expect(withoutTopics.filter((manifest) => componentOf(manifest) === 'topics')).toEqual([])
  })

  it.each(['default', 'kafka', 'everything-on'])(
    'limits the time of each Job and deletes finished hooks: %s [H15]',
    (ci) => {
      for (const job of ofKind(render(ci), 'Job')) {
        expect(hookOf(job)).toBe('pre-install,pre-upgrade')
        expect(job.metadata.annotations!['helm.sh/hook-delete-policy']).toBe('before-hook-creation,hook-succeeded')
        expect(job.spec).toMatchObject({ activeDeadlineSeconds: 600, backoffLimit: 3 })
        expect(job.spec.template.spec.restartPolicy).toBe('Never')
      }
    },
  )

  it.each(['default', 'kafka', 'everything-on'])(
    'runs Jobs that need only hook objects, because the release does not exist before the first install: %s [H15]',
    (ci) => {
      const manifests = render(ci)
      const before = manifests.filter((manifest) => hookOf(manifest) === 'pre-install,pre-upgrade')
      for (const job of ofKind(before, 'Job')) {
        const { spec } = podsOf([job])[0]!
        const account = ofKind(before, 'ServiceAccount').find(
          ({ metadata }) => metadata.name === spec.serviceAccountName,
        )
        expectWithMessage(account && weightOf(account), 'the account is created first').toBeLessThan(weightOf(job))
        const policy = ofKind(before, 'NetworkPolicy').find((each) => componentOf(each) === componentOf(job))
        expectWithMessage(policy && weightOf(policy), 'the policy is created first').toBeLessThan(weightOf(job))
        for (const { configMap } of spec.volumes)
          if (configMap) expect(namesOf(ofKind(manifests, 'ConfigMap'))).not.toContain(configMap.name)
      }
    },
  )

  it('renders plain Jobs, with the revision in their names, if hooks are disabled [H15]', () => {
    const manifests = render('plain-jobs')
    const plain = ofKind(manifests, 'Job')
    expect(plain).toHaveLength(5)
    for (const { metadata, spec } of plain) {
      expect(metadata.name).toMatch(/^paraph-(migrate-\w+|topics)-r1$/)
      expect(metadata.annotations).toEqual({ 'argocd.argoproj.io/hook': 'PreSync' })
      expect(spec.ttlSecondsAfterFinished).toBe(86_400)
    }
    const hooked = manifests.filter((manifest) => hookOf(manifest) !== undefined)
    expectWithMessage(new Set(hooked.map(hookOf)), 'only the test is a hook').toEqual(new Set(['test']))
  })

  it('renders no migration objects when migrations are disabled [H15, H32]', () => {
    const without = render('default', { migrations: { enabled: false } })
    expect(without.filter((manifest) => componentOf(manifest) === 'migrate')).toEqual([])
  })
})

describe('the verifier', () => {
  it('is off by default and never runs concurrently [H32]', () => {
    expect(ofKind(render('default'), 'CronJob')).toEqual([])
    const [job] = ofKind(render('everything-on'), 'CronJob')
    expect(job!.spec).toMatchObject({ schedule: '17 * * * *', concurrencyPolicy: 'Forbid' })
    expect(job!.spec.jobTemplate.spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 3000 })
  })
})

describe('helm test', () => {
  const run = promisify(execFile)

  /** Runs the test program against a server. @param answer gives the server's response */
  async function runAgainst(
    answer: (path: string, headers: IncomingHttpHeaders) => { status: number; body: unknown },
    apiKey?: string,
  ) {
    const requests: string[] = []
    const server = createServer(({ method, url = '', headers }, response) => {
      requests.push(`${method} ${url}`)
      const { status, body } = answer(url, headers)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const GATEWAY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = { ...process.env, GATEWAY_URL, ...(apiKey === undefined ? {} : { API_KEY: apiKey }) }
    try {
      const { stdout } = await run(process.execPath, [join(CHART, 'files/gateway-test.mjs')], { env }).then(
        ({ stdout }) => ({ stdout }),
        (error: { code: number; stdout: string }) => ({ stdout: `${error.stdout}exit ${error.code}` }),
      )
      return { requests, output: stdout }
    } finally {
      server.close()
    }
  }
  const healthyAnswer = (path: string, headers: IncomingHttpHeaders) => {
    if (path.startsWith('/api/external/v1')) return { status: 404, body: { error: 'It was removed.' } }
    if (headers['x-api-key'] === 'paraph_test_good') return { status: 200, body: { status: 'operational' } }
    return { status: 401, body: { error: 'The key is not valid.' } }
  }

  it('runs a program of the chart with the Node of the image, after Helm has created what the pod needs [H26, H14]', () => {
    const [pod] = ofKind(render('default'), 'Pod')
    expect(hookOf(pod!)).toBe('test')
    expect(podsOf([pod!])[0]!.container.args).toEqual(['/test/gateway.mjs'])
    const hooks = render('default').filter((manifest) => hookOf(manifest) === 'test')
    for (const each of hooks)
      if (each !== pod) expectWithMessage(weightOf(each), each.kind).toBeLessThan(weightOf(pod!))
  })

  it('passes for a healthy gateway, with and without a key, and only reads [H26]', async () => {
    const without = await runAgainst(healthyAnswer)
    expect(without.output.match(/^ok:/gm)).toHaveLength(2)
    const { output, requests } = await runAgainst(healthyAnswer, 'paraph_test_good\n')
    expect(output.match(/^ok:/gm)).toHaveLength(3)
    expect(output).not.toContain('exit')
    expect(requests.every((each) => each.startsWith('GET '))).toBe(true)
    expect(output).not.toContain('paraph_test_good')
  })

  it.each([
    ['an unknown key is accepted', () => ({ status: 200, body: { status: 'operational' } })],
    ['an error is not a string', () => ({ status: 401, body: { error: { message: 'no' } } })],
    [
      'version 1 responds',
      (path: string, headers: IncomingHttpHeaders) =>
        path.includes('/v1/') ? { status: 200, body: [] } : healthyAnswer(path, headers),
    ],
    [
      'the status is degraded',
      (path: string, headers: IncomingHttpHeaders) =>
        headers['x-api-key'] === 'paraph_test_good'
          ? { status: 200, body: { status: 'degraded' } }
          : healthyAnswer(path, headers),
    ],
  ])('fails if %s [H26]', async (_, answer) => {
    const { output } = await runAgainst(answer, 'paraph_test_good')
    expect(output).toContain('FAILED')
    expect(output).toContain('exit 1')
  })
})
