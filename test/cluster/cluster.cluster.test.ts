// Tests the chart and the image under load on a real Kubernetes, in a namespace that enforces `restricted`, from the first install to the
// uninstall. Run: `npm run test:release -- cluster`; requires KUBECONFIG, and the image on the nodes of the cluster. [H1-H32, F17]
// Each test continues with the state that the previous test left.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient } from '../harness/clients/api-client.js'
import { askForCode, createVisitor, signOn } from '../harness/clients/ceremony-client.js'
import { mailsOfDeadWorkers } from '../faults/dead-leases.js'
import { underLoad } from '../rolling/under-load.js'
import { until } from '../harness/until.js'
import { startClusterRig, restrictedNamespace, type ClusterRig } from './cluster-rig.js'
import { CHART, inNamespace, isReady, run } from './kube.js'

const busName = process.env['EVENT_BUS'] === 'postgres' ? 'postgres' : 'kafka'
const ratePerSecond = Number(process.env['CLUSTER_RATE'] ?? 100)
const ROUNDS = Number(process.env['CLUSTER_ROUNDS'] ?? 3)
/** Longer than the liveness probe may fail before Kubernetes restarts a pod: six probes, ten seconds apart. */
const OUTAGE_MS = 90_000
const PARTIES = ['ada', 'mary'].map((name) => ({
  role: 'Party',
  legalName: 'Ada Byron',
  email: `${name}@cluster.test`,
}))

let rig: ClusterRig
let installed: Awaited<ReturnType<ClusterRig['install']>>
const printFigures = (name: string, figures: object): void =>
  void process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`)
/** Where a pod of each service starts at the same time, on the same cores as everything else. */
const lowRatePerSecond = ratePerSecond / 4
const load = (tag: string, rate: number, act: () => Promise<unknown>) =>
  underLoad(installed, { ratePerSecond: rate, clients: 2, seed: 1, tag }, async () => void (await act()))

beforeAll(async () => {
  rig = await startClusterRig({ busName })
  const { stdout } = await run('kubectl', ['version', '-o', 'json'])
  printFigures('cluster', {
    busName,
    server: (JSON.parse(stdout) as { serverVersion: { gitVersion: string } }).serverVersion.gitVersion,
  })
}, 300_000)
afterAll(() => rig?.close(), 300_000)

it('the Kubernetes API server accepts every set of values in ci/ without a warning [H18, H27]', async () => {
  const dry = inNamespace(`${rig.cluster.namespace}-dry`)
  await run('kubectl', ['create', '-f', '-'], JSON.stringify(restrictedNamespace(dry.namespace)))
  try {
    // Even in a dry run, a pod needs the default service account, which Kubernetes creates a moment after the namespace.
    await until(
      'the default service account',
      async () =>
        (await dry.kubectl(['get', 'serviceaccount', 'default', '-o', 'name', '--ignore-not-found'])) || undefined,
    )
    const { stdout } = await run('kubectl', ['api-versions'])
    const served = new Set(stdout.split('\n'))
    for (const file of await readdir(join(CHART, 'ci'))) {
      const rendered = await dry.helm(['template', 'dry', CHART, '--values', join(CHART, 'ci', file)])
      // Omits objects of CRDs that this cluster lacks.
      const known = rendered
        .split(/^---$/m)
        .filter((document) => served.has(/^apiVersion: (\S+)$/m.exec(document)?.[1] ?? ''))
        .join('---\n')
      const answer = await run(
        'kubectl',
        ['apply', '-n', dry.namespace, '--server-side', '--dry-run=server', '-f', '-'],
        known,
      )
      expectWithMessage(answer.stderr, file).toBe('')
      expectWithMessage(answer.code, file).toBe(0)
    }
  } finally {
    await run('kubectl', ['delete', 'namespace', dry.namespace, '--wait=false'])
  }
})

it('the chart installs into an empty namespace: databases are migrated, and all pods ready without a restart [H6, H15, H18]', async () => {
  installed = await rig.install()
  expect((await rig.cluster.pods()).filter(isReady)).toHaveLength(8)
  expect(await rig.restarts()).toBe(0)
})

it('the helm test of the chart passes [H26]', async () => {
  expect(await rig.test()).toMatch(/Phase:\s+Succeeded/)
})

it('the installation accepts the first contract, mails the invitations, and lets both parties sign through the Services', async () => {
  const { stack, mailServer } = installed
  const { contract } = (
    await createApiClient(stack.apiUrl, stack.liveKey).create({
      contractType: 'nda',
      content: 'We agree.',
      parties: PARTIES,
    })
  ).body
  for (const { email, legalName } of PARTIES) {
    const party = createVisitor()
    const page = await askForCode(party, contract.shareUrl, email)
    const code = await until(`a code to ${email}`, () => mailServer.codesTo(email)[0])
    const review = await party.submit(page, page.url.split('/').at(-1)!, { code })
    await signOn(party, await party.follow(review), legalName)
    party.close()
  }
  await until('the sealed copies', () =>
    mailServer.accepted().filter(({ parsed }) => parsed.attachments.length > 0).length === PARTIES.length
      ? true
      : undefined,
  )
})

it('an upgrade and its rollback under load fail no call and duplicate no mail [F17, H12, H13]', async () => {
  const { faults, figures } = await load('upgrade', ratePerSecond, async () => {
    await rig.upgrade('second')
    await rig.rollback()
  })
  printFigures('upgrade and rollback', figures)
  expect(faults).toEqual([])
})

it.each([
  ['restart of every service at the same time', 'roll', ratePerSecond],
  ['restart of one service after the other', 'restart', ratePerSecond],
  ['drain of one node after the other', 'drain', lowRatePerSecond],
] as const)('a %s under load fails no call and duplicates no mail [F17, H13]', async (_, act, rate) => {
  const { faults, figures } = await load(act, rate, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await rig[act]()
  })
  printFigures(`${act} × ${ROUNDS}`, figures)
  expect(faults).toEqual([])
})

it('no data is lost when a pod of each service is killed, and when all pods are stopped together [F16, F17]', async () => {
  const acts = {
    killed: () => mailsOfDeadWorkers(installed, rig.killOneOfEach),
    // Each process finishes its work in progress.
    'stopped together': async () => (await rig.stopAll(), []),
  }
  // A pod is ready some seconds before every node routes to it.
  const servedAgain = () =>
    until('an operational status through the Services', async () => {
      const pending = fetch(`${installed.stack.apiUrl}/status`, { headers: { 'x-api-key': installed.stack.liveKey } })
      const answer = await pending.catch(() => undefined)
      return ((await answer?.json()) as { status: string } | undefined)?.status === 'operational' ? true : undefined
    })
  for (const [what, act] of Object.entries(acts)) {
    const { faults, figures } = await underLoad(
      installed,
      { ratePerSecond: lowRatePerSecond, clients: 2, seed: 2, tag: what.replaceAll(' ', '-') },
      async () => {
        const inProgress = await act()
        await servedAgain()
        return { refusedUntil: Date.now(), inProgress }
      },
    )
    printFigures(what, figures)
    expectWithMessage(faults, what).toEqual([])
  }
})

it('every pod stays alive while Postgres is down for longer than the liveness limit, and recovers without help [H7, H8]', async () => {
  const before = await rig.restarts()
  await rig.withoutPostgres(async () => {
    const endsAt = performance.now() + OUTAGE_MS
    const answers = new Set<string>()
    while (performance.now() < endsAt) {
      const answer = await fetch(`${installed.stack.apiUrl}/contracts/none`, {
        headers: { 'x-api-key': installed.stack.liveKey },
      })
      const body = (await answer.json()) as { error?: unknown }
      answers.add(`${answer.status} ${typeof body.error}`)
      await sleep(1_000)
    }
    expect([...answers]).toEqual(['503 string'])
    expect((await rig.cluster.pods('gateway')).filter(isReady)).toHaveLength(2)
  })
  await until('a successful call', async () => {
    const answer = await fetch(`${installed.stack.apiUrl}/usage`, { headers: { 'x-api-key': installed.stack.liveKey } })
    await answer.body?.cancel()
    return answer.status === 200 ? true : undefined
  })
  expect(await rig.restarts()).toBe(before)
}, 300_000)

it('an uninstall leaves no object behind [H32]', async () => {
  await rig.uninstall()
  const kinds =
    'all,configmaps,serviceaccounts,networkpolicies,poddisruptionbudgets,horizontalpodautoscalers,ingresses,jobs,cronjobs'
  await until(
    'the deletion of the pods',
    async () => ((await rig.cluster.pods()).length === 0 ? true : undefined),
    120_000,
  )
  const { items } = await rig.cluster.json<{ items: { kind: string; metadata: { name: string } }[] }>(['get', kinds])
  const own = items.filter(({ metadata: { name } }) => name !== 'kube-root-ca.crt' && name !== 'default')
  expect(own.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([])
})
