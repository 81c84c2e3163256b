// Measures the trial on a real Kubernetes: from the install into an empty namespace that enforces `restricted` to the first sealed contract,
// with the commands of NOTES.txt; then the uninstall. Run: `npm run test:release -- cluster`; requires KUBECONFIG, and on the nodes the
// images PARAPH_IMAGE and POSTGRES_IMAGE (deploy/stand-in/postgres.sh builds one without a registry). [H15, H18, H32]
// Each test continues with the state that the previous test left.
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { claimPort } from '@paraph/paraph/installation/ports'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { TRIAL } from '../chart/trial/trial.js'
import { createMailbox } from '../harness/clients/api-client.js'
import { createSignable, signAll, untilSealed } from '../harness/clients/sealed-contract.js'
import { until } from '../harness/until.js'
import { IMAGE, restrictedNamespace, splitImage } from './cluster-rig.js'
import { environment, inNamespace, run } from './kube.js'

const RELEASE = 'trial'
const PARTIES = ['ada', 'mary'].map((name) => ({ role: 'Party', legalName: 'Ada Byron', email: `${name}@trial.test` }))
/** What a cluster creates in every namespace. */
const OF_EVERY_NAMESPACE = ['ConfigMap kube-root-ca.crt', 'ServiceAccount default']

const cluster = inNamespace(`paraph-trial-${process.pid}`)
const forwards: { kill: () => unknown }[] = []

beforeAll(async () => {
  await run('kubectl', ['create', '-f', '-'], JSON.stringify(restrictedNamespace(cluster.namespace)))
})
afterAll(async () => {
  for (const each of forwards) each.kill()
  await run('kubectl', ['delete', 'namespace', cluster.namespace, '--wait=true', '--timeout=120s'])
}, 180_000)

/** Forwards a port of this machine to a Deployment, until the end of the test. @returns the URL */
async function forward(component: string, ports: string): Promise<string> {
  const args = ['--namespace', cluster.namespace, 'port-forward', `deployment/${RELEASE}-paraph-${component}`, ports]
  forwards.push(spawn('kubectl', args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] }))
  const url = `http://localhost:${ports.split(':')[0]}`
  await until(`an answer from ${component}`, () =>
    fetch(url).then(
      async (answer) => (await answer.body?.cancel(), true),
      () => undefined,
    ),
  )
  return url
}

it('one install leads to a sealed contract whose PDF is in the mailbox [H15, H18]', async () => {
  const [port, mailboxPort] = [await claimPort(), await claimPort()]
  const [repository, tag] = splitImage(IMAGE)
  const postgres = process.env['POSTGRES_IMAGE']
  const values = {
    ...(postgres === undefined ? {} : { postgres: { image: postgres } }),
    paraph: { image: { repository, tag }, publicUrl: `http://localhost:${port}` },
  }
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10
  await cluster.helm(['install', RELEASE, TRIAL, '--values', '-'], JSON.stringify(values))
  await cluster.kubectl(['rollout', 'status', `deployment/${RELEASE}-paraph-mailbox`, '--timeout=10m'])
  const ready = seconds()

  const template = '{{.data.SANDBOX_KEY | base64decode}}'
  const key = await cluster.kubectl(['get', 'secret', 'paraph-sandbox-key', '-o', `go-template=${template}`])
  const shareUrl = await forward('gateway', `${port}:8080`)
  const mailboxUrl = await forward('mailbox', `${mailboxPort}:8025`)
  expect(await (await fetch(mailboxUrl)).text()).toContain(key)
  const running = { stack: { apiUrl: `${shareUrl}/api/external/v2`, shareUrl, mailboxUrl } } as Parameters<
    typeof createSignable
  >[0]
  const contract = await createSignable(running, key, { content: 'We agree.', parties: PARTIES })
  const visitors = await signAll(running, contract.shareUrl, PARTIES)
  await untilSealed([...visitors.values()][0]!, contract.shareUrl, 60_000)
  const sealed = seconds()
  for (const visitor of visitors.values()) visitor.close()
  const mailbox = createMailbox(mailboxUrl)
  for (const { email } of PARTIES)
    await until(`the sealed PDF for ${email}`, async () => {
      const mails = await Promise.all((await mailbox.listTo(email)).map(({ ID }) => mailbox.read(ID)))
      return mails.some(({ Attachments }) => Attachments.some(({ FileName }) => FileName.endsWith('.pdf'))) || undefined
    })
  process.stdout.write(`trial: ${JSON.stringify({ readySeconds: ready, sealedSeconds: sealed })}\n`)
})

it('no container restarted and no Job failed on the way, because nothing started before what it needs', async () => {
  const pods = await cluster.pods()
  expect(pods.length).toBeGreaterThan(10)
  for (const { metadata, status } of pods) {
    expectWithMessage(status.phase, metadata.name).not.toBe('Failed')
    for (const { restartCount } of status.containerStatuses ?? [])
      expectWithMessage(restartCount, metadata.name).toBe(0)
  }
})

it('an uninstall leaves no object behind, not even a Secret [H32]', async () => {
  await cluster.helm(['uninstall', RELEASE, '--wait', '--timeout', '5m'])
  const kinds = 'all,secrets,configmaps,serviceaccounts,roles,rolebindings,persistentvolumeclaims,networkpolicies'
  const left = async () => {
    const { items } = await cluster.json<{ items: { kind: string; metadata: { name: string } }[] }>(['get', kinds])
    const names = items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    return names.filter((name) => !OF_EVERY_NAMESPACE.includes(name))
  }
  await until('the deletion of every object', async () => ((await left()).length === 0 ? true : undefined), 120_000)
})
