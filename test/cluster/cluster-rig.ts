// Runs the product in a real Kubernetes, with Postgres, Kafka and the mail server on this machine at an address that pods can reach
// (OUTSIDE_ADDRESS). Forwards ports of 127.0.0.1 to the cluster's Services, so that clients and checks of the other fault tests work
// unchanged. [H12-H18, F17]
// Owns: install, upgrade, restart, kill of pods, uninstall. Does not own: clients and checks (../faults, ../rolling/under-load.ts).
import { rm } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { installationSecrets, kubernetesSecrets } from '@paraph/paraph/installation/installation-secrets'
import { makePassword } from '@paraph/paraph/installation/secrets'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { startKafkaBroker } from '@paraph/messaging/test/kafka-broker-fixture'
import { startInfrastructure, openBaseStack, type Undo } from '../faults/base-stack.js'
import { makeDataFolder } from '../harness/stack/local-stack.js'
import { until } from '../harness/until.js'
import { CHART, inNamespace, isReady, PODS_OF_RELEASE, run, type Namespace } from './kube.js'
import { leadFrom } from './line.js'
import { followPodLogs } from './pod-logs.js'

const RELEASE = 'sign'
/** The image of the product on the nodes of the cluster. */
export const IMAGE = process.env['PARAPH_IMAGE'] ?? 'localhost/paraph:dev'
const HTTP_PORT = 8080
const INTERNAL_PORT = 8081
/** A small machine must run eight pods and their successors. The proportions are those of the chart. */
export const SMALL = { requests: { cpu: '20m' } }
export const SMALL_SIGNING = { requests: { cpu: '80m' } }
const WAIT = ['--wait', '--timeout', '8m']

/** The address of this machine that pods can reach: OUTSIDE_ADDRESS, or the address of the node that runs on this machine. */
export async function outsideAddress({ json }: Namespace): Promise<string> {
  const named = process.env['OUTSIDE_ADDRESS']
  if (named) return named
  const { items } = await json<{ items: { status: { addresses: { type: string; address: string }[] } }[] }>([
    'get',
    'nodes',
  ])
  const own = new Set(Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address)))
  const found = items.flatMap(({ status }) => status.addresses).find(({ address }) => own.has(address))
  if (!found)
    throw new Error('No node runs here. Set OUTSIDE_ADDRESS to an address of this machine that pods can reach.')
  return found.address
}

/** @param busName with `kafka`, the rig starts an external broker, and the chart's Job creates the topics */
export async function startClusterRig({ busName }: { busName: 'postgres' | 'kafka' }) {
  const undo: Undo = []
  const close = async (): Promise<void> => {
    for (const step of undo.reverse()) await step().catch(() => undefined)
  }
  try {
    return { ...(await assemble(undo, busName)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function assemble(undo: Undo, busName: 'postgres' | 'kafka') {
  const cluster = inNamespace(`paraph-${process.pid}`)
  const address = await outsideAddress(cluster)
  const folder = await makeDataFolder()
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const infrastructure = await startInfrastructure(undo, {
    folder,
    busName,
    announce: () => undefined,
    onReplaced: () => undefined,
  })
  const { ports, secrets, mailServer } = infrastructure

  /** Makes a port of 127.0.0.1 reachable for pods, at the same port of `address`. @returns a function that stops the forwarding */
  const lead = (port: number): Promise<() => Promise<void>> =>
    leadFrom({ host: address, port }, () => Promise.resolve({ host: '127.0.0.1', port }))
  const expose = async (port: number): Promise<void> => void undo.push(await lead(port))
  let hidePostgres = await lead(ports.postgres)
  undo.push(() => hidePostgres())
  await expose(mailServer.port)
  const kafka =
    busName === 'kafka'
      ? await startKafkaBroker({ advertisedHost: address, proxy: async (port) => (await expose(port), port) })
      : undefined
  if (kafka) undo.push(() => kafka.stop())
  const brokers = kafka?.brokers.map((broker) => Number(broker.split(':')[1])) ?? []

  await run('kubectl', ['create', '-f', '-'], JSON.stringify(restrictedNamespace(cluster.namespace)))
  undo.push(() => run('kubectl', ['delete', 'namespace', cluster.namespace, '--wait=true', '--timeout=120s']))
  const documents = installationSecrets(
    secrets,
    { postgres: `postgres://${address}:${ports.postgres}/`, smtp: `smtp://${address}:${mailServer.port}?tls=off` },
    makePassword(),
  )
  await cluster.kubectl(['create', '-f', '-'], kubernetesSecrets(documents, 'paraph'))

  const [repository, tag] = splitImage(IMAGE)
  const values = {
    image: { repository, tag },
    // The rig's Postgres has no TLS, and its pods reach it by an address of the host.
    allowInsecureTransport: true,
    publicUrl: `http://localhost:${ports.gateway}`,
    eventBus: busName,
    kafka: {
      brokers: brokers.map((port) => `${address}:${port}`).join(','),
      topics: { replicas: 1, inSyncReplicas: 1 },
    },
    defaults: { resources: { ...SMALL, limits: { memory: '400Mi' } } },
    migrations: { resources: SMALL },
    components: {
      gateway: { settings: { TRUSTED_PROXY_HOPS: 1 } },
      signing: { resources: SMALL_SIGNING },
      notification: { settings: { MAIL_FROM_ADDRESS: 'sign@mail.paraph.test', MAIL_DOMAIN: 'mail.paraph.test' } },
    },
  }
  const apply = (verb: 'install' | 'upgrade', changes: object = {}): Promise<string> =>
    cluster.helm([verb, RELEASE, CHART, '--values', '-', ...WAIT], JSON.stringify({ ...values, ...changes }))

  const nameOf = (service: ServiceName): string => `${RELEASE}-paraph-${service}`
  const serviceAddress = async (service: ServiceName): Promise<string> =>
    (await cluster.json<{ spec: { clusterIP: string } }>(['get', 'service', nameOf(service)])).spec.clusterIP
  /** No Service includes the gateway's internal port, so the operator connects to a pod. [D45] */
  const podAddress = async (service: ServiceName): Promise<string> => {
    const pod = (await cluster.pods(service)).find(isReady)
    if (!pod?.status.podIP) throw new Error(`no ${service} is ready`)
    return pod.status.podIP
  }

  /** Installs the chart for the first time, and opens everything that needs running services. */
  async function install() {
    /** Warnings and errors of all pods, formatted for people. */
    const warnings: string[] = []
    const unfollow = followPodLogs(cluster.namespace, infrastructure.paths.logs, (line) => void warnings.push(line))
    undo.push(() => Promise.resolve(unfollow()))
    await apply('install')
    for (const service of SERVICES) {
      const host = await serviceAddress(service)
      undo.push(
        await leadFrom({ host: '127.0.0.1', port: ports[service] }, () => Promise.resolve({ host, port: HTTP_PORT })),
        await leadFrom({ host: '127.0.0.1', port: ports[`${service}Internal`] }, async () => ({
          host: await podAddress(service),
          port: INTERNAL_PORT,
        })),
      )
    }
    const base = await openBaseStack(undo, infrastructure, () => ({
      launcher: process.pid,
      postgres: infrastructure.postgres.pid(),
    }))
    return { ...base, stops: [], warnings }
  }

  const restarts = async (): Promise<number> =>
    (await cluster.pods())
      .flatMap(({ status }) => status.containerStatuses ?? [])
      .reduce((sum, { restartCount }) => sum + restartCount, 0)

  return {
    cluster,
    install,
    restarts,
    /** Makes Postgres unreachable for the pods while `work` runs: open connections close, and new connections are refused. */
    async withoutPostgres(work: () => Promise<void>): Promise<void> {
      await hidePostgres()
      await work().finally(async () => (hidePostgres = await lead(ports.postgres)))
    },
    /** Replaces every pod. */
    upgrade: (to: string): Promise<string> => apply('upgrade', { secretsVersion: to }),
    rollback: (): Promise<string> => cluster.helm(['rollback', RELEASE, ...WAIT]),
    /** Restarts the pods of each Deployment one by one, all Deployments at the same time. */
    async roll(): Promise<void> {
      const names = SERVICES.map((service) => `deployment/${nameOf(service)}`)
      await cluster.kubectl(['rollout', 'restart', ...names])
      for (const name of names) await cluster.kubectl(['rollout', 'status', name, '--timeout=5m'])
    },
    /** Restarts the pods of each Deployment one by one, and one Deployment after the other. */
    async restart(): Promise<void> {
      for (const service of SERVICES) {
        const name = `deployment/${nameOf(service)}`
        await cluster.kubectl(['rollout', 'restart', name])
        await cluster.kubectl(['rollout', 'status', name, '--timeout=5m'])
      }
    },
    /**
     * Evicts every pod, as `kubectl drain` does for one node after the other. Pods of a service are spread over nodes, so a node of two has one
     * of each: they are evicted at the same time, and again each second while a PodDisruptionBudget refuses. The cluster may have one node only,
     * so nothing is cordoned.
     */
    async drain(): Promise<void> {
      const pods = await Promise.all(SERVICES.map((service) => cluster.pods(service)))
      for (const node of [0, 1]) {
        const names = pods.map((ofService) => ofService[node]!.metadata.name)
        await Promise.all(
          names.map((name) => until(`the eviction of ${name}`, () => evict(cluster.namespace, name), 180_000)),
        )
        await whenReady()
      }
    },
    /**
     * Kills one pod of each service; resolves when all are ready again. Kubernetes leaves a killed container about 3 s, in which it works on.
     * @param whileDead runs when the containers of these pods have ended; `killOneOfEach` resolves with its result
     */
    async killOneOfEach<Seen>(whileDead: () => Promise<Seen>): Promise<Seen> {
      const victims = await Promise.all(SERVICES.map(async (service) => (await cluster.pods(service)).find(isReady)!))
      // Not by `--force`, which removes the pods from the API at once: kubectl would return while their containers run. Without it, the
      // kubelet removes a pod when its containers have ended, and kubectl waits for that.
      await cluster.kubectl(['delete', 'pod', '--now', '--wait', ...victims.map(({ metadata }) => metadata.name)])
      const seen = await whileDead()
      await whenReady()
      return seen
    },
    /** Stops all pods at the same time, like the drain of the only node. */
    async stopAll(): Promise<void> {
      await cluster.kubectl(['delete', 'pod', '-l', PODS_OF_RELEASE])
      await whenReady()
    },
    test: (): Promise<string> => cluster.helm(['test', RELEASE, '--timeout', '2m']),
    uninstall: (): Promise<string> => cluster.helm(['uninstall', RELEASE, ...WAIT]),
    whenReady,
  }

  async function whenReady(): Promise<void> {
    await until(
      'all pods to be ready',
      async () => {
        const pods = await cluster.pods()
        return SERVICES.every((service) => {
          const own = pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === service)
          return own.length === 2 && own.every(isReady)
        })
          ? true
          : undefined
      },
      180_000,
    )
  }
}

export type ClusterRig = Awaited<ReturnType<typeof startClusterRig>>

/** Asks for the eviction of a pod. @returns undefined, a second later, if a PodDisruptionBudget refuses */
async function evict(namespace: string, name: string): Promise<true | undefined> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`
  const { code, stderr } = await run('kubectl', ['create', '--raw', path, '-f', '-'], JSON.stringify(eviction))
  if (code === 0) return true
  if (!stderr.includes('disruption budget')) throw new Error(`the eviction of ${name} failed: ${stderr}`)
  await sleep(1_000)
  return undefined
}

/** A namespace that rejects every violation of the Pod Security Standard `restricted`. [H18] */
export const restrictedNamespace = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' },
  },
})

/** Repository and tag of `repository:tag`. */
export function splitImage(image: string): [repository: string, tag: string] {
  const at = image.lastIndexOf(':')
  return [image.slice(0, at), image.slice(at + 1)]
}
