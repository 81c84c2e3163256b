// The Jobs of the chart: migrations, topics, the verifier and `helm test`.
import { execFile } from 'node:child_process'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { CHART, componentOf, ofKind, podsOf, render, type Manifest, type Values } from './rendered.js'

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

  it('renders plain Jobs if hooks are disabled, with the annotations of another tool on all that they need [H15]', () => {
    const manifests = render('plain-jobs')
    const plain = ofKind(manifests, 'Job')
    expect(plain).toHaveLength(5)
    for (const { metadata, spec } of plain) {
      expect(metadata.name).toMatch(/^paraph-(migrate-\w+|topics)-[0-9a-f]{10}$/)
      expect(metadata.annotations).toEqual({ 'argocd.argoproj.io/hook': 'PreSync' })
      expect(spec.ttlSecondsAfterFinished).toBe(86_400)
      const account = ofKind(manifests, 'ServiceAccount').find(
        (each) => each.metadata.name === spec.template.spec.serviceAccountName,
      )
      expect(account?.metadata.annotations).toEqual(metadata.annotations)
    }
    const hooked = manifests.filter((manifest) => hookOf(manifest) !== undefined)
    expectWithMessage(new Set(hooked.map(hookOf)), 'only the test is a hook').toEqual(new Set(['test']))
  })

  it('renders no migration objects when migrations are disabled [H15, H32]', () => {
    const without = render('default', { migrations: { enabled: false } })
    expect(without.filter((manifest) => componentOf(manifest) === 'migrate')).toEqual([])
  })
})

describe('plain Jobs of two versions, applied one after the other', () => {
  const plain = (values: Values = {}) => ofKind(render('plain-jobs', values), 'Job')

  /** Applies Jobs as the API server does: it creates an unknown name, and refuses another pod template under a known one. */
  function createCluster() {
    const known = new Map<string, Manifest>()
    return (jobs: readonly Manifest[]): string[] =>
      jobs.flatMap((job) => {
        const { name } = job.metadata
        const before = known.get(name)
        if (before && !isDeepStrictEqual(before.spec.template, job.spec.template))
          throw new Error(`Job ${name}: spec.template: field is immutable`)
        known.set(name, job)
        return before ? [] : [name]
      })
  }

  it.each<[string, Values]>([
    ['another tag', { image: { tag: '2.0.1' } }],
    ['another digest', { image: { digest: `sha256:${'a'.repeat(64)}` } }],
    ['another resource request', { migrations: { resources: { requests: { cpu: '200m' } } } }],
    ['another Secret', { migrations: { existingSecret: 'owners' }, kafka: { topics: { partitions: 9 } } }],
    ['another label', { commonLabels: { team: 'contracts' } }],
  ])('run again after a change to %s, and never meet an immutable field [H15]', (_, values) => {
    const apply = createCluster()
    expect(apply(plain())).toHaveLength(5)
    expect(apply(plain(values))).toHaveLength(5)
  })

  it('do not run again if nothing changed that a Job cannot change [H15]', () => {
    const apply = createCluster()
    apply(plain())
    expect(apply(plain({ secretsVersion: '2', migrations: { activeDeadlineSeconds: 900 } }))).toEqual([])
  })

  it('have names that fit into a label, also for the longest name of a release [H3, H15]', () => {
    const names = plain({ fullnameOverride: 'a'.repeat(40) }).map(({ metadata }) => metadata.name)
    expect(new Set(names).size).toBe(5)
    for (const name of names) expect(name.length).toBeLessThanOrEqual(63)
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
  type Answer = (path: string, headers: IncomingHttpHeaders) => { status: number; body: unknown }
  const SERVICES = ['contract', 'signing', 'notification'] as const

  /** Runs the test program. @param answer of the gateway @param unavailable the services without a pod */
  async function runAgainst(answer: Answer, unavailable: readonly string[] = []) {
    const requests: string[] = []
    const servers: Server[] = []
    const serve = async (respond: Answer): Promise<string> => {
      const server = createServer(({ method, url = '', headers }, response) => {
        requests.push(`${method} ${url}`)
        const { status, body } = respond(url, headers)
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const env: Record<string, string> = { GATEWAY_URL: await serve(answer) }
    for (const service of SERVICES) {
      const isAway = unavailable.includes(service)
      // Nothing listens on port 1 of this machine.
      const url = isAway ? 'http://127.0.0.1:1' : await serve(() => ({ status: 200, body: { status: 'ok' } }))
      env[`${service.toUpperCase()}_INTERNAL_URL`] = url
    }
    try {
      const program = join(CHART, 'files/release-test.mjs')
      const { stdout } = await run(process.execPath, [program], { env }).then(
        ({ stdout }) => ({ stdout }),
        (error: { code: number; stdout: string }) => ({ stdout: `${error.stdout}exit ${error.code}` }),
      )
      return { requests, output: stdout }
    } finally {
      for (const server of servers) server.close()
    }
  }
  const healthyAnswer: Answer = (path) => {
    if (path.startsWith('/api/external/v1')) return { status: 404, body: { error: 'It was removed.' } }
    if (path === '/openapi.json') return { status: 200, body: { paths: { '/contracts': {}, '/status': {} } } }
    if (path.startsWith('/contract/')) return { status: 404, body: '' }
    return { status: 401, body: { error: 'The key is not valid.' } }
  }
  const except =
    (start: string, status: number, body: unknown = {}): Answer =>
    (path, headers) =>
      path.startsWith(start) ? { status, body } : healthyAnswer(path, headers)

  it('runs a program of the chart with the Node of the image, after Helm has created what the pod needs [H26, H14]', () => {
    const [pod] = ofKind(render('default'), 'Pod')
    expect(hookOf(pod!)).toBe('test')
    expect(podsOf([pod!])[0]!.container.args).toEqual(['/test/release.mjs'])
    const hooks = render('default').filter((manifest) => hookOf(manifest) === 'test')
    for (const each of hooks)
      if (each !== pod) expectWithMessage(weightOf(each), each.kind).toBeLessThan(weightOf(pod!))
  })

  it('passes for a healthy release without a key, and only reads [H26]', async () => {
    const { output, requests } = await runAgainst(healthyAnswer)
    expect(output.match(/^ok:/gm)).toHaveLength(7)
    expect(output).not.toContain('exit')
    expect(requests.every((each) => each.startsWith('GET '))).toBe(true)
  })

  it.each(SERVICES)('fails if %s has no pod, whatever the gateway answers alone [H26]', async (service) => {
    const { output } = await runAgainst(healthyAnswer, [service])
    expect(output).toContain(`FAILED: ${service} is ready (no answer (`)
    expect(output).toContain('exit 1')
  })

  it.each([
    ['an unknown key is accepted', except('/api/external/v2', 200, { status: 'operational' })],
    ['an error is not a string', except('/api/external/v2', 401, { error: { message: 'no' } })],
    ['version 1 responds', except('/api/external/v1', 200, [])],
    ['the document lacks the endpoints of the contract service', except('/openapi.json', 200, { paths: {} })],
    ['the document is unavailable', except('/openapi.json', 503)],
    ['the signing pages are unavailable', except('/contract/', 503)],
  ])('fails if %s [H26]', async (_, answer) => {
    const { output } = await runAgainst(answer)
    expect(output).toContain('FAILED')
    expect(output).toContain('exit 1')
  })
})
