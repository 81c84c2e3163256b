// Starts a real Apache Kafka (one KRaft node from Maven's jars, no Docker) for tests and benchmarks. [D50]
// `const kafka = await startKafkaBroker()` returns `kafka.brokers`, `kafka.createTopics(...)` and ways to disturb the broker. Call `await
// kafka.stop()` at the end.
// Every broker has two listeners: PLAINTEXT (`brokers`), and SASL_SSL under a test CA (`secure`: PLAIN and both SCRAMs).
// Needs Java 17, and Maven once: jars and formatted data are cached in ~/.cache/kafka-test. Skip the test if `kafkaIsThere()` is false.
// Imports only Node and kafkajs, so that a plain `node` 24 script can import this file. Call it from the main thread:
// the broker dies with the thread that started it.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { access, cp, mkdir, mkdtemp, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Kafka, logLevel, type Admin, type ITopicConfig } from 'kafkajs'

const VERSION = '4.3.1'
const CACHE = join(homedir(), '.cache', 'kafka-test', VERSION)
const COMPLETE = join(CACHE, 'complete')
const CLUSTER_ID = 'MkU3OEVBNTcwNTJENDM2Qg'
const STORE_PASSWORD = 'test-keystore'
const DATA_PREFIX = 'kafka-test-'
/** Half the start time and memory of the defaults: 2.5-4.6 s, 150 MB. */
const JVM = [
  '-Xms64m',
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
]
/** A request of ApiVersions v0. The broker serves clients once it answers this request without an error. */
const API_VERSIONS = Buffer.from('0000000e0012000000000007000470696e67', 'hex')

const run = promisify(execFile)

// Repeats the patch of kafka/client.ts, which a plain `node` cannot import. Without it every run shows Node's warning of a negative
// timeout.
type Queue = { pending: unknown[]; scheduleCheckPendingRequests: () => void }
const queue = (createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as { prototype: Queue })
  .prototype
const check = queue.scheduleCheckPendingRequests
queue.scheduleCheckPendingRequests = function () {
  if (this.pending.length > 0) check.call(this)
}

/** The only user of the secure listener of every test broker. */
export const KAFKA_TEST_USER = { username: 'paraph-test', password: 'test-password' }

/** True if a broker can start here: Java 17 or newer, and a filled cache or Maven to fill it. */
export async function kafkaIsThere(): Promise<boolean> {
  try {
    const { stderr } = await run('java', ['-version'])
    if (Number(/version "(\d+)/.exec(stderr)?.[1]) < 17) return false
    await access(COMPLETE).catch(() => run('mvn', ['-version']))
    return true
  } catch {
    return false
  }
}

/**
 * Fills an empty cache: the jars (44 MB, about 15 s), formatted data with the test user, two test CAs.
 * @throws Error with the output of the failed command
 */
export async function prepareKafka(): Promise<void> {
  if (await isThere(COMPLETE)) return
  await mkdir(join(CACHE, '..'), { recursive: true })
  const folder = await mkdtemp(`${CACHE}.`)
  try {
    await writeFile(join(folder, 'pom.xml'), POM)
    const copyJars = ['-DincludeScope=runtime', `-DoutputDirectory=${join(folder, 'lib')}`]
    await run('mvn', ['-q', '-B', '-f', join(folder, 'pom.xml'), 'dependency:copy-dependencies', ...copyJars], {
      timeout: 240_000,
    })
    await makeCertificates(folder)
    const properties = join(folder, 'format.properties')
    await writeFile(properties, serverProperties(join(folder, 'data'), [1, 2, 3], ''))
    const { username, password } = KAFKA_TEST_USER
    const scram = ['256', '512'].flatMap((bits) => [
      '--add-scram',
      `SCRAM-SHA-${bits}=[name=${username},password=${password}]`,
    ])
    const format = ['format', '--config', properties, '--cluster-id', CLUSTER_ID, ...scram]
    await run('java', ['-cp', join(folder, 'lib', '*'), 'kafka.tools.StorageTool', ...format])
    await writeFile(join(folder, 'complete'), '')
    // The first rename wins; the copy of another process is equally good.
    await rename(folder, CACHE).catch(async (error: unknown) => {
      if (!(await isThere(COMPLETE))) throw error
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Starts a broker with its own data and waits until it serves clients: 3-8 s with a filled cache.
 * @param properties additional lines of server.properties, such as `{ 'log.segment.bytes': '1048576' }`
 * @param proxy receives the broker's port before the start, and returns the port to advertise instead
 * @param advertisedHost the advertised host; the caller routes it to the same port of 127.0.0.1
 */
export async function startKafkaBroker({
  properties = {},
  proxy = async (port) => port,
  advertisedHost = '127.0.0.1',
}: { properties?: Record<string, string>; proxy?: (port: number) => Promise<number>; advertisedHost?: string } = {}) {
  await prepareKafka()
  await sweepData()
  const folder = await mkdtemp(join(tmpdir(), `${DATA_PREFIX}${process.pid}-`))
  const data = join(folder, 'data')
  await cp(join(CACHE, 'data'), data, { recursive: true })
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const advertised = await proxy(ports[0])
  const extra = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`)
  const config = join(folder, 'server.properties')
  await writeFile(config, serverProperties(data, ports, extra.join(''), advertised, advertisedHost))
  const brokers = [`127.0.0.1:${advertised}`]
  const admin = new Kafka({ clientId: 'test-admin', brokers, logLevel: logLevel.NOTHING }).admin()
  const node = createNode(folder, config, ports[0])
  const others: Node[] = []

  await node.start()
  await admin.connect()
  await warmUp(brokers)

  return {
    /** The setting `brokers` of a client: PLAINTEXT, no user. */
    brokers,
    /** SASL_SSL with KAFKA_TEST_USER; `otherCaPem` is a CA that did not sign the broker's certificate. */
    secure: {
      brokers: [`127.0.0.1:${ports[1]}`],
      caPem: await readFile(join(CACHE, 'ca.pem'), 'utf8'),
      otherCaPem: await readFile(join(CACHE, 'other-ca.pem'), 'utf8'),
      ...KAFKA_TEST_USER,
    },
    /** A connected kafkajs admin client, for queries and changes of a test. */
    admin,
    /** Creates topics and waits until they are usable. Default: 8 partitions each. */
    async createTopics(...topics: (string | ITopicConfig)[]): Promise<void> {
      const configs = topics.map((topic) => ({ numPartitions: 8, ...(typeof topic === 'string' ? { topic } : topic) }))
      await admin.createTopics({ topics: configs, waitForLeaders: false })
      for (const { topic } of configs) while (!(await isServed(admin, topic))) await sleep(20)
    },
    /** Shuts the broker down normally; its data remain. */
    shutDown: () => node.end('SIGTERM'),
    /** SIGKILL; the data remain. */
    kill: () => node.end('SIGKILL'),
    /** Starts the broker again after `kill` or `shutDown`, on the same ports and data; 3-9 s. */
    restart: node.start,
    /** SIGSTOP: connections stay open, and no request gets an answer. */
    freeze: () => node.signal('SIGSTOP'),
    thaw: () => node.signal('SIGCONT'),
    /** Starts a second broker, node 2 of the cluster. The first one remains the controller and the coordinator of groups. */
    async addBroker() {
      const second = join(folder, 'second')
      await mkdir(second)
      const port = await freePort()
      const secondConfig = join(second, 'server.properties')
      await writeFile(secondConfig, followerProperties(join(second, 'data'), port, ports[2]))
      const format = ['format', '--config', secondConfig, '--cluster-id', CLUSTER_ID]
      await run('java', ['-cp', join(CACHE, 'lib', '*'), 'kafka.tools.StorageTool', ...format])
      const added = createNode(second, secondConfig, port)
      others.push(added)
      await added.start()
      return { shutDown: () => added.end('SIGTERM'), kill: () => added.end('SIGKILL'), restart: added.start }
    },
    /** Ends the broker and removes its data. */
    async stop(): Promise<void> {
      await admin.disconnect().catch(() => undefined)
      await Promise.all([node, ...others].map((each) => each.end('SIGKILL')))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type KafkaBroker = Awaited<ReturnType<typeof startKafkaBroker>>

/** The process of one broker; its log is in `folder`. */
function createNode(folder: string, config: string, port: number) {
  let broker: ChildProcess | undefined
  const hasEnded = () => !broker || broker.exitCode !== null || broker.signalCode !== null

  async function start(): Promise<void> {
    const log = await open(join(folder, 'broker.log'), 'a')
    const java = ['java', ...JVM, '-cp', join(CACHE, 'lib', '*'), 'kafka.Kafka', config]
    const guard = (await isThere('/usr/bin/setpriv')) ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []
    const [command = '', ...argv] = [...guard, ...java]
    broker = spawn(command, argv, { stdio: ['ignore', log.fd, log.fd] })
    await log.close()
    const deadline = performance.now() + 90_000
    while (!(await answersApiVersions(port))) {
      if (hasEnded() || performance.now() > deadline) {
        const output = await readFile(join(folder, 'broker.log'), 'utf8')
        await end('SIGKILL')
        throw new Error(`The Kafka broker did not start.\n${output.slice(-3_000)}`)
      }
      await sleep(50)
    }
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!broker || hasEnded()) return
    const ended = once(broker, 'exit')
    broker.kill(signal)
    // A stopped process handles SIGTERM only after SIGCONT.
    if (signal === 'SIGTERM') broker.kill('SIGCONT')
    await ended
  }

  return { start, end, signal: (signal: 'SIGSTOP' | 'SIGCONT'): void => void broker?.kill(signal) }
}

type Node = ReturnType<typeof createNode>

/**
 * True once the broker knows that it leads the new topic, which is slightly later than the controller's decision. kafkajs's own wait fails
 * in the meantime.
 */
async function isServed(admin: Admin, topic: string): Promise<boolean> {
  try {
    return (await admin.fetchTopicOffsets(topic)).length > 0
  } catch {
    return false
  }
}

/** Waits until the group coordinator and the allocator of producer ids are available. Clients that connect earlier would get errors. */
async function warmUp(brokers: string[]): Promise<void> {
  const kafka = new Kafka({
    clientId: 'warm-up',
    brokers,
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 50, retries: 100, maxRetryTime: 500 },
  })
  const admin = kafka.admin()
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
  await admin.connect()
  for (let tries = 1; ; tries++) {
    try {
      await admin.fetchOffsets({ groupId: 'warm-up' })
      break
    } catch (error) {
      if (!(error as { retriable?: boolean }).retriable || tries > 200) throw error
      await sleep(50)
    }
  }
  await admin.disconnect()
  await producer.connect()
  await producer.disconnect()
}

function answersApiVersions(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(API_VERSIONS))
    const finish = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(1_000, () => finish(false))
    socket.on('error', () => finish(false))
    socket.on('data', (bytes) => finish(bytes.length >= 10 && bytes.readInt16BE(8) === 0))
  })
}

/**
 * Claims a port below the ephemeral range, like deploy/local/src/ports.ts: none of our other processes takes the port before the broker
 * listens, or while the broker is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree && (await claim(port))) return port
  }
}

function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => resolve(false))
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      resolve(true)
    })
  })
}

/** Removes the data of killed runs. */
async function sweepData(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = Number(name.startsWith(DATA_PREFIX) && name.slice(DATA_PREFIX.length).split('-')[0])
    if (owner > 0 && !isAlive(owner)) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Creates a CA with the broker's certificate in a keystore, and another CA. Uses Java's keytool, so that no other program is needed. */
async function makeCertificates(folder: string): Promise<void> {
  const store = (name: string) => ['-keystore', join(folder, `${name}.p12`), '-storepass', STORE_PASSWORD]
  const make = (name: string, ...more: string[]) => {
    const subject = ['-dname', `CN=${name}`, '-keyalg', 'EC', '-validity', '36500']
    return run('keytool', ['-genkeypair', '-alias', name, ...subject, ...store('authority'), ...more])
  }
  await make('ca', '-ext', 'bc:c')
  await make('other-ca', '-ext', 'bc:c')
  await make('broker', '-signer', 'ca', '-ext', 'san=ip:127.0.0.1,dns:localhost')
  for (const name of ['ca', 'other-ca']) {
    const file = join(folder, `${name}.pem`)
    await run('keytool', ['-exportcert', '-rfc', '-alias', name, '-file', file, ...store('authority')])
  }
  const source = ['-srckeystore', join(folder, 'authority.p12'), '-srcstorepass', STORE_PASSWORD]
  const target = ['-destkeystore', join(folder, 'broker.p12'), '-deststorepass', STORE_PASSWORD]
  await run('keytool', ['-importkeystore', '-srcalias', 'broker', ...source, ...target])
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local.test</groupId><artifactId>kafka-broker-jars</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
  </plugin></plugins></build>
</project>
`

/** The properties of a broker that is not a controller. */
function followerProperties(data: string, port: number, controllerPort: number): string {
  return `process.roles=broker
node.id=2
listeners=OPEN://127.0.0.1:${port}
advertised.listeners=OPEN://127.0.0.1:${port}
listener.security.protocol.map=OPEN:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=OPEN
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:${controllerPort}
log.dirs=${data}
${FRUGAL}`
}

const FRUGAL = `auto.create.topics.enable=false
default.replication.factor=1
min.insync.replicas=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
num.network.threads=2
num.io.threads=2
background.threads=2
log.cleaner.threads=1
log.cleaner.dedupe.buffer.size=2097152
broker.heartbeat.interval.ms=500
broker.session.timeout.ms=3000
`

/** The properties of one small node that starts fast: no initial rebalance delay, few threads, a short session with its controller. */
function serverProperties(
  data: string,
  [port, securePort, controllerPort]: readonly [number, number, number],
  extra: string,
  advertised = port,
  host = '127.0.0.1',
): string {
  const { username, password } = KAFKA_TEST_USER
  const sasl = 'listener.name.secure'
  const security = 'org.apache.kafka.common.security'
  return `process.roles=broker,controller
node.id=1
listeners=OPEN://127.0.0.1:${port},SECURE://127.0.0.1:${securePort},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=OPEN://${host}:${advertised},SECURE://127.0.0.1:${securePort}
listener.security.protocol.map=OPEN:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT
inter.broker.listener.name=OPEN
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:${controllerPort}
${sasl}.ssl.keystore.type=PKCS12
${sasl}.ssl.keystore.location=${join(CACHE, 'broker.p12')}
${sasl}.ssl.keystore.password=${STORE_PASSWORD}
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
${sasl}.plain.sasl.jaas.config=${security}.plain.PlainLoginModule required user_${username}="${password}";
${sasl}.scram-sha-256.sasl.jaas.config=${security}.scram.ScramLoginModule required;
${sasl}.scram-sha-512.sasl.jaas.config=${security}.scram.ScramLoginModule required;
log.dirs=${data}
${FRUGAL}${extra}`
}
