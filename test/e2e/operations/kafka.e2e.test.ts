// The product with EVENT_BUS=kafka, on a real broker with TLS, SASL and ACLs: the ceremony works as on the Postgres bus, and the failure of
// the broker only delays mails.
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { createKafkaEventBus } from '@paraph/messaging/kafka/event-bus'
import { startKafkaBroker, type KafkaBroker } from '@paraph/messaging/test/kafka-broker-fixture'
import { KAFKA_AUTHORISER, rightsOfServices, rightsToApply } from '@paraph/messaging/test/kafka-rights-fixture'
import type { ReceivedMessage } from '@paraph/messaging/event-bus'
import { TOPICS } from '@paraph/protocol/events'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox } from '../../harness/clients/api-client.js'
import { createVisitor, locationOf, proveMailbox, signOn } from '../../harness/clients/ceremony-client.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraphJson,
  startStack,
  type Database,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TEXT = 'The heron keeps the lock of the ninth canal.'
const PARTIES = [
  { role: 'Lockkeeper', legalName: 'Quillon Vantrease', email: 'quillon.v@kafka-mailbox.test' },
  { role: 'Boatman', legalName: 'Ysolde Brackenbury', email: 'ysolde.b@kafka-mailbox.test' },
]

let kafka: KafkaBroker
let running: RunningStack
let account: { id: string }
let api: ReturnType<typeof createApiClient>
/** Values that no topic may contain. */
const secrets = new Map<string, string>()

beforeAll(async () => {
  kafka = await startKafkaBroker({ properties: KAFKA_AUTHORISER })
  const { brokers, caPem, username, password } = kafka.secure
  await kafka.admin.createAcls({ acl: [...rightsToApply(username), ...rightsOfServices(username)] })
  const environment = {
    EVENT_BUS: 'kafka',
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_TLS: 'on',
    KAFKA_TLS_CA: caPem,
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
  }
  running = await startStack(await makeDataFolder(), environment)
  const command = <Printed>(...argv: string[]) => paraphJson<Printed>(running.folder, ...argv)
  account = (
    await command<{ account: { id: string } }>(
      'account',
      'create',
      '--name',
      'Canal',
      '--email',
      'owner@example.test',
      '--plan',
      'load',
    )
  ).account
  const { key } = await command<{ key: { secret: string } }>(
    'key',
    'create',
    '--account',
    account.id,
    '--environment',
    'live',
    '--scopes',
    'contracts:read,contracts:write',
  )
  secrets.set('key', key.secret)
  api = createApiClient(running.stack.apiUrl, key.secret)
})
afterAll(async () => {
  await running?.close()
  await kafka?.stop()
})

it('with Kafka, a contract with two parties is created, mailed, signed by both and completed [D50]', async () => {
  const { mailboxUrl } = running.stack
  const mailbox = createMailbox(mailboxUrl)
  const { status, body } = await api.create({ contractType: 'nda', content: TEXT, parties: PARTIES })
  expect(status).toBe(201)
  const { id, shareUrl } = body.contract
  secrets.set('share token', shareUrl.split('/').at(-1)!)
  for (const [index, { email, legalName }] of PARTIES.entries()) {
    await mailbox.waitFor(email, 'Contract to sign')
    const visitor = createVisitor()
    const review = await proveMailbox(visitor, shareUrl, email, mailboxUrl)
    secrets.set(`code ${index}`, await mailbox.waitForCode(email))
    expect(locationOf(await signOn(visitor, review, legalName))).toContain('/done')
    visitor.close()
  }
  const { contract } = (await api.get(id)).body
  expect(contract).toMatchObject({ status: 'signed', signingProgress: { signed: 2, percentage: 100 } })
})

it('the share links of a suspended account are suspended, and work again when the account is resumed [D37]', async () => {
  const mailbox = createMailbox(running.stack.mailboxUrl)
  const visitor = createVisitor()
  const parties = PARTIES.map((party, index) => ({ ...party, email: `held.${index}@kafka-mailbox.test` }))
  const { shareUrl } = (await api.create({ contractType: 'nda', content: TEXT, parties })).body.contract
  await paraphJson(running.folder, 'account', 'suspend', account.id)
  const linkStatus = async (status: number) => ((await visitor.get(shareUrl)).status === status ? true : undefined)
  await until('a suspended link', () => linkStatus(403))
  await paraphJson(running.folder, 'account', 'resume', account.id)
  await until('a resumed link', () => linkStatus(200))
  await Promise.all(parties.map(({ email }) => mailbox.waitFor(email, 'Contract to sign')))
  visitor.close()
})

it('every POST is accepted while the broker is down, and every party gets one mail after the broker restarts [F1, I1, I8]', async () => {
  const mailbox = createMailbox(running.stack.mailboxUrl)
  const { pids } = (await running.read())!
  const acknowledged: { id: string; mailboxes: string[] }[] = []
  const statuses = new Set<number>()
  let isDone = false
  const posting = (async () => {
    for (let n = 0; !isDone; n += 1) {
      const parties = PARTIES.map((party, index) => ({ ...party, email: `p${index}.${n}@kafka-mailbox.test` }))
      const answer = await api.create({ contractType: 'nda', content: TEXT, parties })
      statuses.add(answer.status)
      acknowledged.push({ id: answer.body.contract.id, mailboxes: parties.map(({ email }) => email) })
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  })()
  const untilCreated = (count: number) =>
    until(`${count} contracts`, () => (acknowledged.length >= count ? true : undefined))
  await untilCreated(5)
  await kafka.kill()
  await untilCreated(acknowledged.length + 10)
  await kafka.restart()
  await untilCreated(acknowledged.length + 5)
  isDone = true
  await posting

  expect([...statuses]).toEqual([201])
  for (const { id } of acknowledged) expect((await api.get(id)).status).toBe(200)
  for (const address of acknowledged.flatMap(({ mailboxes }) => mailboxes))
    await until(`a mail to ${address}`, async () => ((await mailbox.listTo(address)).length > 0 ? true : undefined))
  for (const address of acknowledged.flatMap(({ mailboxes }) => mailboxes))
    expectWithMessage(await mailbox.listTo(address), address).toHaveLength(1)
  expectWithMessage((await running.read())!.pids, 'no process was restarted').toEqual(pids)
})

it('no topic contains an address, name, text, code, key or token [I14]', async () => {
  const topics = Object.keys(TOPICS)
  const ends = (await Promise.all(topics.map((topic) => kafka.admin.fetchTopicOffsets(topic)))).flat()
  const there = ends.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0)
  const received: ReceivedMessage[] = []
  const connection = { brokers: kafka.brokers, clientId: 'test-reader' }
  const bus = createKafkaEventBus({ connection, logger: createLogger('test', 'silent') })
  const subscription = bus.subscribe({
    group: 'test-reader',
    topics,
    handle: async (messages) => void received.push(...messages),
  })
  await until('every message', () => (received.length >= there ? true : undefined))
  await subscription.stop()
  await bus.close()

  const text = received.map(({ key, headers, value }) => JSON.stringify({ key, headers, value })).join('\n')
  for (const type of ['contract.created', 'contract.party_signed', 'contract.completed', 'account.suspended'])
    expectWithMessage(text, 'the read messages contain a known event type').toContain(type)
  for (const { email, legalName, role } of PARTIES)
    for (const value of [email, legalName, role]) secrets.set(value, value)
  secrets.set('text', TEXT)
  secrets.set('address', '@kafka-mailbox')
  for (const [name, value] of secrets) {
    const forms = [
      value,
      encodeURIComponent(value),
      ...(['base64', 'base64url', 'hex'] as const).map((as) => Buffer.from(value).toString(as)),
    ]
    // The six digits of a code may occur by chance in a longer number, so only a separate number matches.
    const found = forms.filter((form) =>
      new RegExp(`(?<![0-9])${form.replace(/[^a-z0-9]/gi, '\\$&')}(?![0-9])`, 'i').test(text),
    )
    expectWithMessage(found, name).toEqual([])
  }
})

it('no log contains the SASL password of the brokers [I14]', async () => {
  const folder = join(running.folder, 'logs')
  const logs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  expectWithMessage(logs.join(''), 'the outage is logged').toContain('No broker of KAFKA_BROKERS answers')
  expect(logs.join('') + running.launched.output()).not.toContain(kafka.secure.password)
})

it('every command of docs/how-to/operators/kafka.md works [D50]', async () => {
  const page = await readFile(`${ROOT}docs/how-to/operators/kafka.md`, 'utf8')
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!.trim())
  // Does not run the first block, which starts a stack: `beforeAll` has started one.
  expect(blocks.map((block) => block.endsWith('npm start'))).toEqual([true, false, false])
  await writeFile(join(running.folder, 'ca.pem'), kafka.secure.caPem)
  await writeFile(join(running.folder, 'password'), kafka.secure.password)
  // Replaces only the brokers, the user and the files; everything else runs as printed.
  const script = blocks[1]!
    .replace(/(?<=KAFKA_BROKERS=)\S+/, kafka.secure.brokers.join(','))
    .replace('/etc/paraph/kafka-ca.pem', join(running.folder, 'ca.pem'))
    .replace('/etc/paraph/kafka-password', join(running.folder, 'password'))
    .replace('USERNAME=paraph', `USERNAME=${kafka.secure.username}`)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, KAFKA_TOPIC_REPLICAS: '1' },
  })
  expect(stdout).toBe('There is nothing to do.\nThere is nothing to do.\n')
  // Runs the statement of psql by the test's own client, which needs no program.
  const [, databases, statement] = /^for database in (.+); do\n  psql -d \$database -c "(.+)"\ndone$/.exec(blocks[2]!)!
  for (const database of databases!.split(' ') as Database[])
    await withClient(databaseUrlOf(running.stack, database), (client) => client.query(statement!))
})
