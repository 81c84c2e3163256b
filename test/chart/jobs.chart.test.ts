// What runs and ends: migrations, topics, the verifier, `helm test`.
import { execFile } from 'node:child_process'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CHART, componentOf, ofKind, podsOf, render, type Manifest } from './rendered.js'

const hookOf = ({ metadata: { annotations = {} } }: Manifest) => annotations['helm.sh/hook']
const weightOf = ({ metadata: { annotations = {} } }: Manifest) => Number(annotations['helm.sh/hook-weight'])
const namesOf = (manifests: readonly Manifest[]) => manifests.map(({ metadata }) => metadata.name)
const programOf = (job: Manifest) => podsOf([job])[0]!.container.args[0]

describe('before an install or upgrade', () => {
  const jobs = ofKind(render('default'), 'Job')

  it('migrates each database by a Job of its own, as its owner, and that of the bus last [H15]', () => {
    const inOrder = jobs.toSorted((a, b) => weightOf(a) - weightOf(b)).map(programOf)
    expect(inOrder.slice(0, 4).sort()).toEqual(
      ['contract', 'gateway', 'notification', 'signing'].map((name) => `services/${name}/dist/migrate.js`),
    )
    expect(inOrder.slice(4)).toEqual(['libs/messaging/dist/bus-migrate.js'])
    expect(new Set(jobs.map(weightOf)), 'the four first, then that of the bus').toEqual(new Set([-10, -9]))
    for (const job of jobs) {
      const { env } = podsOf([job])[0]!.container
      expect(env.flatMap(({ name, valueFrom }) => (valueFrom ? [name] : []))).toEqual([
        programOf(job)!.startsWith('libs/') ? 'BUS_OWNER_URL' : 'DATABASE_OWNER_URL',
      ])
    }
  })

  it('makes the topics where the bus is Kafka, and has no fifth database there [H15, D50]', () => {
    const programs = ofKind(render('kafka'), 'Job').map(programOf)
    expect(programs).toContain('deploy/local/paraph.mjs')
    expect(programs).not.toContain('libs/messaging/dist/bus-migrate.js')
    const byHand = render('kafka', { kafka: { topics: { enabled: false } } })
    expect(ofKind(byHand, 'Job').map(programOf)).not.toContain('deploy/local/paraph.mjs')
    expect(byHand.filter((manifest) => componentOf(manifest) === 'topics')).toEqual([])
  })

  it.each(['default', 'kafka', 'everything-on'])(
    'ends in time or fails the upgrade, and cleans up after itself: %s [H15]',
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
    'needs nothing of the release, which is not there yet on a first install: %s [H15]',
    (ci) => {
      const manifests = render(ci)
      const before = manifests.filter((manifest) => hookOf(manifest) === 'pre-install,pre-upgrade')
      for (const job of ofKind(before, 'Job')) {
        const { spec } = podsOf([job])[0]!
        const account = ofKind(before, 'ServiceAccount').find(
          ({ metadata }) => metadata.name === spec.serviceAccountName,
        )
        expect(account && weightOf(account), 'its account comes first').toBeLessThan(weightOf(job))
        const policy = ofKind(before, 'NetworkPolicy').find((each) => componentOf(each) === componentOf(job))
        expect(policy && weightOf(policy), 'where the namespace denies, its way out comes first').toBeLessThan(
          weightOf(job),
        )
        for (const { configMap } of spec.volumes)
          if (configMap) expect(namesOf(ofKind(manifests, 'ConfigMap'))).not.toContain(configMap.name)
      }
    },
  )

  it('is plain Jobs with the revision in their name for who has no hooks [H15]', () => {
    const manifests = render('plain-jobs')
    const plain = ofKind(manifests, 'Job')
    expect(plain).toHaveLength(5)
    for (const { metadata, spec } of plain) {
      expect(metadata.name).toMatch(/^paraph-(migrate-\w+|topics)-r1$/)
      expect(metadata.annotations).toEqual({ 'argocd.argoproj.io/hook': 'PreSync' })
      expect(spec.ttlSecondsAfterFinished).toBe(86_400)
    }
    const hooked = manifests.filter((manifest) => hookOf(manifest) !== undefined)
    expect(new Set(hooked.map(hookOf)), 'only the test is a hook').toEqual(new Set(['test']))
  })

  it('is left to others where it is turned off [H15, H32]', () => {
    const without = render('default', { migrations: { enabled: false } })
    expect(without.filter((manifest) => componentOf(manifest) === 'migrate')).toEqual([])
  })
})

describe('the verifier', () => {
  it('is off unless asked for, and then never runs twice at once [H32]', () => {
    expect(ofKind(render('default'), 'CronJob')).toEqual([])
    const [job] = ofKind(render('everything-on'), 'CronJob')
    expect(job!.spec).toMatchObject({ schedule: '17 * * * *', concurrencyPolicy: 'Forbid' })
    expect(job!.spec.jobTemplate.spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 3000 })
  })
})

describe('helm test', () => {
  const run = promisify(execFile)

  /** Runs the program of the pod against a server that answers as `answer` says. */
  async function tryOut(
    answer: (path: string, headers: IncomingHttpHeaders) => { status: number; body: unknown },
    apiKey?: string,
  ) {
    const asked: string[] = []
    const server = createServer(({ method, url = '', headers }, response) => {
      asked.push(`${method} ${url}`)
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
      return { asked, said: stdout }
    } finally {
      server.close()
    }
  }
  const asItShouldBe = (path: string, headers: IncomingHttpHeaders) => {
    if (path.startsWith('/api/external/v1')) return { status: 404, body: { error: 'It was removed.' } }
    if (headers['x-api-key'] === 'paraph_test_good') return { status: 200, body: { status: 'operational' } }
    return { status: 401, body: { error: 'The key is not valid.' } }
  }

  it('runs the image’s node on a program of the chart, and nothing in between [H26, H14]', () => {
    const [pod] = ofKind(render('default'), 'Pod')
    expect(hookOf(pod!)).toBe('test')
    expect(podsOf([pod!])[0]!.container.args).toEqual(['/test/gateway.mjs'])
    const hooks = render('default').filter((manifest) => hookOf(manifest) === 'test')
    for (const each of hooks) if (each !== pod) expect(weightOf(each), each.kind).toBeLessThan(weightOf(pod!))
  })

  it('passes where the gateway is what it says, with and without a key, and makes nothing [H26]', async () => {
    const without = await tryOut(asItShouldBe)
    expect(without.said.match(/^ok:/gm)).toHaveLength(2)
    const { said, asked } = await tryOut(asItShouldBe, 'paraph_test_good\n')
    expect(said.match(/^ok:/gm)).toHaveLength(3)
    expect(said).not.toContain('exit')
    expect(asked.every((each) => each.startsWith('GET '))).toBe(true)
    expect(said).not.toContain('paraph_test_good')
  })

  it.each([
    ['an unknown key is let in', () => ({ status: 200, body: { status: 'operational' } })],
    ['an error is no string', () => ({ status: 401, body: { error: { message: 'no' } } })],
    [
      'version 1 lives',
      (path: string, headers: IncomingHttpHeaders) =>
        path.includes('/v1/') ? { status: 200, body: [] } : asItShouldBe(path, headers),
    ],
    [
      'something is degraded',
      (path: string, headers: IncomingHttpHeaders) =>
        headers['x-api-key'] === 'paraph_test_good'
          ? { status: 200, body: { status: 'degraded' } }
          : asItShouldBe(path, headers),
    ],
  ])('fails where %s [H26]', async (_, answer) => {
    const { said } = await tryOut(answer, 'paraph_test_good')
    expect(said).toContain('NOT SO')
    expect(said).toContain('exit 1')
  })
})
