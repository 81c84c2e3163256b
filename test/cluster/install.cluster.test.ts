// Runs the commands of docs/how-to/operators/install-kubernetes.md as the page has them, from an empty Postgres to the uninstall. Only names
// differ: of hosts, of the namespace, of the chart, which comes from a registry as a release publishes it, and of the image, which a container
// engine would run. Run: `npm run test:release -- cluster`; requires KUBECONFIG, psql, crane, and the image on the nodes of the cluster.
// [H15, H18, H26, H32]
// Each test continues with the state that the previous test left.
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openProcessLog } from '@paraph/local/process-log'
import { preparePostgres } from '@paraph/local/postgres'
import { supervise } from '@paraph/local/supervisor'
import { makePassword } from '@paraph/paraph/installation/secrets'
import { claimPort } from '@paraph/paraph/installation/ports'
import { startSmtpServer } from '@paraph/notification/test/smtp-fixture'
import { VERSION } from '@paraph/protocol/version'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { release, startRegistry } from '../chart/registry.js'
import { makeDataFolder } from '../harness/stack/local-stack.js'
import { until } from '../harness/until.js'
import { IMAGE, outsideAddress, SMALL, SMALL_SIGNING, splitImage } from './cluster-rig.js'
import { inNamespace, run } from './kube.js'
import { leadFrom } from './line.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Of no image: the chart names the image by its tag. */
const DIGEST = `sha256:${'0'.repeat(64)}`
const PAGE = join(ROOT, 'docs/how-to/operators/install-kubernetes.md')

const cluster = inNamespace(`paraph-install-${process.pid}`)
const undo: (() => Promise<unknown>)[] = []
let section: (heading: string) => string
let shell: (commands: string) => Promise<string>

beforeAll(async () => {
  const folder = await makeDataFolder()
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const [address, port, password] = [await outsideAddress(cluster), await claimPort(), makePassword()]
  const admin = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const log = openProcessLog({ path: join(folder, 'postgres.log'), service: 'postgres', show: () => undefined })
  const spec = await preparePostgres({ folder: join(folder, 'postgres'), port, password, url: admin })
  const postgres = supervise(spec, { log, announce: () => undefined, onReplaced: () => undefined, restartMsMax: 100 })
  await postgres.start()
  undo.push(postgres.stop)
  const smtp = await startSmtpServer(await claimPort(), { offersLogin: true })
  undo.push(smtp.stop)
  for (const each of [port, smtp.port])
    undo.push(await leadFrom({ host: address, port: each }, () => Promise.resolve({ host: '127.0.0.1', port: each })))

  const [repository, tag] = splitImage(IMAGE)
  const values = {
    image: { tag },
    publicUrl: 'https://sign.example.com',
    allowInsecureTransport: true,
    defaults: { resources: SMALL },
    migrations: { resources: SMALL },
    components: {
      signing: { resources: SMALL_SIGNING },
      notification: { settings: { MAIL_FROM_ADDRESS: 'sign@mail.example.com', MAIL_DOMAIN: 'mail.example.com' } },
    },
  }
  await writeFile(join(folder, 'my-values.yaml'), JSON.stringify(values))
  for (const name of ['deploy', 'tools', 'package.json', 'node_modules'])
    await symlink(join(ROOT, name), join(folder, name))
  const registry = await startRegistry()
  undo.push(() => Promise.resolve(registry.stop()))
  const charts = `oci://${registry.address}/charts`
  await release(
    folder,
    'package-charts.sh',
    VERSION,
    `${repository}@${DIGEST}`,
    'https://git.test/example/paraph',
    join(folder, 'packaged'),
  )
  await release(folder, 'push-charts.sh', join(folder, 'packaged'), charts, '--plain-http')

  const page = await readFile(PAGE, 'utf8')
  section = (heading) => {
    const text = page.split(/^## /m).find((each) => each.startsWith(heading))
    return [...text!.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join('')
  }
  const ours: [string | RegExp, string][] = [
    [/docker run --rm \S+ /g, 'node '],
    [/'postgres:\/\/db\.example\.com.*?'/g, `'postgres://${address}:${port}/'`],
    [/'postgres:\/\/admin@.*?'/g, `'${admin}'`],
    [/'smtps:.*?'/g, `'smtp://${address}:${smtp.port}?tls=off'`],
    [/ charts\/paraph /g, ` ${charts}/paraph --version ${VERSION} --plain-http `],
    [/((?:namespace|-n) )paraph\b/g, `$1${cluster.namespace}`],
  ]
  shell = async (commands) => {
    const text = ours.reduce((left, [from, to]) => left.replaceAll(from, to), commands)
    const { code, stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', `cd ${folder}; ${text}`])
    if (code !== 0) throw new Error(`${text}\nended with ${code}:\n${stdout}${stderr}`)
    return stdout
  }
}, 120_000)
afterAll(async () => {
  await run('kubectl', ['delete', 'namespace', cluster.namespace, '--wait=true', '--timeout=120s'])
  for (const step of undo.reverse()) await step().catch(() => undefined)
}, 180_000)

it('six commands lead from an empty Postgres to an installation that passes its own test [H15, H18, H26]', async () => {
  const commands = ['1.', '2.', '3.', '4.'].map((step) => section(step))
  expect(commands.join('').replaceAll('\\\n', '').trim().split('\n')).toHaveLength(6)
  const startedAt = performance.now()
  // One shell, because a command uses the environment of the one before it.
  expect(await shell(commands.join(''))).toMatch(/Phase:\s+Succeeded/)
  process.stdout.write(`install: ${JSON.stringify({ seconds: Math.round((performance.now() - startedAt) / 1000) })}\n`)
})

it('the command line reaches the internal ports as the page says [D45]', async () => {
  // Repeats the last command, because the ports are forwarded in the background a moment later.
  const commands = section('The command line').replace(
    /^npm run.*$/m,
    'for t in {1..30}; do $& && break; sleep 1; done',
  )
  expect(await shell(`trap 'kill $(jobs -p)' EXIT\n${commands}`)).toMatch(/account/i)
})

it('the commands of the uninstall leave only the Secrets [H32]', async () => {
  await shell(section('Uninstall'))
  await until('the deletion of the pods', async () => ((await cluster.pods()).length === 0 ? true : undefined), 120_000)
  const kinds = 'all,configmaps,serviceaccounts,networkpolicies,poddisruptionbudgets,jobs,cronjobs'
  const left = await cluster.kubectl(['get', kinds, '-o', 'name'])
  expect(left.trim().split('\n').sort()).toEqual(['configmap/kube-root-ca.crt', 'serviceaccount/default'])
})
