// Scenario for both buses: the database cluster is lost and restored to a point in time, the moment, following docs/how-to/operators/backup-restore.md.
// The restore keeps all data acknowledged before the moment. Of later data, only the mail server (and Kafka) has a record.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { startKafkaBroker, type KafkaBroker } from '@paraph/messaging/test/kafka-broker-fixture'
import { superuserUrl } from '@paraph/paraph/installation/environment'
import { SERVICES } from '@paraph/protocol/services'
import { TOPICS } from '@paraph/protocol/events'
import { checkEvidence } from '@paraph/signing/verify/check'
import { createApiClient } from '../../harness/clients/api-client.js'
import { createVisitor, proveMailbox, signOn, type Visitor } from '../../harness/clients/ceremony-client.js'
import { backUp, makeArchivedCluster, restoreTo, untilArchived } from '../../harness/stack/cluster-backup.js'
import { verifyInvariants } from '../../harness/stack/invariants.js'
import {
  databaseUrlOf,
  isAlive,
  launch,
  makeDataFolder,
  paraph,
  paraphJson,
  startStack,
  type Database,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import {
  createSignable,
  download,
  signAll,
  untilSealed,
  type SealedParty,
} from '../../harness/clients/sealed-contract.js'
import { withServerAlone } from '../../harness/stack/server-alone.js'
import { until } from '../../harness/until.js'

const HOLD_MS = 15 * 60_000

interface Held {
  before: string | null
  kinds: { kind: string; count: number }[]
}

const partiesOf = (name: string): SealedParty[] =>
  ['a', 'b'].map((party) => ({
    role: 'Party',
    legalName: `Party ${party} of ${name}`,
    email: `${party}.${name}@restore.test`,
  }))
const bodyOf = (name: string) => ({ contractType: 'nda', content: `What ${name} agreed.`, parties: partiesOf(name) })

/** Declares the tests for `bus`. Each test continues with the state of the previous test. */
export function describeRestore(bus: 'postgres' | 'kafka'): void {
  describe(`a restore of the database cluster to a moment, on the ${bus} bus [docs/how-to/operators/backup-restore.md]`, () => {
    let kafka: KafkaBroker | undefined
    let folder: string
    let running: RunningStack
    let environment: Record<string, string>
    /** The point in time to which the test restores, with microseconds. */
    let moment: string
    let usageThen: number
    /** Contracts from before the moment: one sealed, one signed by the first party only. */
    let sealed: { shareUrl: string; id: string; visitor: Visitor; files: Awaited<ReturnType<typeof download>> }
    let half: { shareUrl: string; id: string; visitor: Visitor }
    let lostId: string
    /** Message-IDs of the mails that were sent before the restored services started. */
    let sentBefore: string[]

    const api = () => createApiClient(running.stack.apiUrl, running.stack.liveKey)
    const make = (name: string) => createSignable(running, running.stack.liveKey, bodyOf(name))
    const inDatabase = <Row extends object>(database: Database, text: string, values: unknown[] = []): Promise<Row[]> =>
      withClient(databaseUrlOf(running.stack, database), async (client) => (await client.query<Row>(text, values)).rows)
    const usageNow = async () =>
      (await api().call<{ usage: { billableCalls: number } }>('GET', '/usage')).body.usage.billableCalls
    const start = async (more: Record<string, string> = {}) => startStack(folder, { ...environment, ...more })
    /** The Message-IDs of all mails that the mail server has accepted. */
    const sentIds = async (): Promise<string[]> => {
      const answer = await fetch(`${running.stack.mailboxUrl}/api/v1/messages?limit=1000`)
      return ((await answer.json()) as { messages: { MessageID: string }[] }).messages.map(({ MessageID }) => MessageID)
    }
    const timesSent = async (name: string): Promise<number> =>
      (await sentIds()).filter((id) => id.startsWith(`${name}@`)).length
    const untilSent = (names: readonly string[]) =>
      until(`the mails ${names.join(', ')}`, async () => {
        const times = await Promise.all(names.map(timesSent))
        return times.every((each) => each > 0) ? true : undefined
      })
    const readLogs = async (): Promise<string> =>
      (await Promise.all(SERVICES.map((name) => readFile(join(folder, 'logs', `${name}.log`), 'utf8')))).join('\n')
    const heldNow = () => paraphJson<Held>(folder, 'mail', 'held')
    const countHeld = async (kind: string): Promise<number> =>
      (await heldNow()).kinds.find((each) => each.kind === kind)?.count ?? 0

    beforeAll(async () => {
      kafka = bus === 'kafka' ? await startKafkaBroker() : undefined
      environment = kafka ? { EVENT_BUS: 'kafka', KAFKA_BROKERS: kafka.brokers.join() } : {}
      folder = await makeDataFolder()
      await makeArchivedCluster(folder)
      running = await start()
      await backUp(folder, running.stack.databaseUrl)
    })
    afterAll(async () => {
      // `equal`, because no call of the test client was lost with the cluster.
      await running?.close({ receipts: 'equal' })
      await kafka?.stop()
    })

    const invitationsOf = ({ id }: { id: string }): string[] => [0, 1].map((party) => `invitation.${id}.${party}.1`)
    let waiting: { id: string; shareUrl: string }
    let sentMeanwhile: { id: string; shareUrl: string }
    let onTheBus: { id: string }
    let sinceThen: { id: string }

    it('begins with a sealed contract, a contract signed by one party, and contracts with unsent invitations', async () => {
      const created = await make('sealed')
      const visitors = await signAll(running, created.shareUrl, partiesOf('sealed'))
      const visitor = visitors.get('b.sealed@restore.test')!
      await untilSealed(visitor, created.shareUrl)
      sealed = { ...created, visitor, files: await download(visitor, created.shareUrl) }

      const begun = await make('half')
      const [first, second] = partiesOf('half') as [SealedParty, SealedParty]
      await signAll(running, begun.shareUrl, [first])
      half = { ...begun, visitor: createVisitor() }
      await proveMailbox(half.visitor, begun.shareUrl, second.email, running.stack.mailboxUrl)

      // Simulates mails that the mail server rejected temporarily: the next attempt is due in ten minutes.
      await inDatabase(
        'notification',
        `alter table delivery alter due_at set default clock_timestamp() + interval '10 minutes'`,
      )
      waiting = await make('waiting')
      sentMeanwhile = await make('meanwhile')
      await until('four waiting invitations', async () => {
        const rows = await inDatabase('notification', `select 1 from delivery where state = 'due'`)
        return rows.length === 4 ? true : undefined
      })
      await inDatabase('notification', 'alter table delivery alter due_at set default clock_timestamp()')

      const { pids } = (await running.read())!
      process.kill(pids.notification, 'SIGSTOP')
      onTheBus = await make('bus')
      await until('a published and unconsumed event', async () => {
        const rows = await inDatabase('contract', 'select 1 from outbox where key = $1 and published_at is not null', [
          onTheBus.id,
        ])
        return rows[0] && true
      })
      usageThen = await usageNow()
      const [now] = await inDatabase<{ now: string }>(
        'contract',
        `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as now`,
      )
      moment = now!.now
      process.kill(pids.notification, 'SIGCONT')
    })

    it('follows changes after the moment that will be lost: sent mails, a completed contract and a new contract', async () => {
      await inDatabase(
        'notification',
        `update delivery set due_at = clock_timestamp() where state = 'due' and contract_id = $1`,
        [sentMeanwhile.id],
      )
      const { visitor, shareUrl, id } = half
      expect((await signOn(visitor, await visitor.get(`${shareUrl}/review?party=1`), 'Party b of half')).status).toBe(
        303,
      )
      await untilSealed(visitor, shareUrl)
      // Uses `fetch` instead of the test client, because this call and its receipt will be lost.
      const lost = await fetch(`${running.stack.apiUrl}/contracts`, {
        method: 'POST',
        headers: { 'x-api-key': running.stack.liveKey, 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf('lost')),
      })
      lostId = ((await lost.json()) as { contract: { id: string } }).contract.id
      await untilSent([
        ...[onTheBus, sentMeanwhile, { id: lostId }].flatMap(invitationsOf),
        ...[0, 1].map((party) => `completed.${id}.${party}.1`),
      ])
      await untilArchived(folder, running.stack.databaseUrl)

      const { pids } = (await running.read())!
      for (const name of ['launcher', ...SERVICES, 'postgres'] as const) process.kill(pids[name], 'SIGKILL')
      await running.launched.exited
      for (const pid of Object.values(pids))
        await until(`the exit of process ${pid}`, () => (isAlive(pid) ? undefined : true))
      await restoreTo(folder, moment)
    })

    it('restores every database to the moment; with Kafka, an operator empties the topics and republishes the outboxes', async () => {
      await withServerAlone(folder, async (basis) => {
        const countOf = async (database: Database, text: string) =>
          withClient(
            databaseUrlOf({ databaseUrl: superuserUrl(basis) }, database),
            async (client) => (await client.query(text)).rowCount,
          )
        expect(await countOf('contract', `select from contract where id = '${lostId}'`)).toBe(0)
        expect(await countOf('contract', `select from contract where id = '${onTheBus.id}'`)).toBe(1)
        if (kafka) {
          for (const topic of Object.keys(TOPICS)) {
            const offsets = await kafka.admin.fetchTopicOffsets(topic)
            const partitions = offsets.map(({ partition, high }) => ({ partition, offset: high }))
            await kafka.admin.deleteTopicRecords({ topic, partitions })
          }
          for (const service of SERVICES) await countOf(service, 'update outbox set published_at = null')
        }
        // Simulates the end of the ten minutes, so that the rejected mails are due.
        await countOf('notification', `update delivery set due_at = clock_timestamp() where state = 'due'`)
      })
      running = await start({ HOLD_MAILS_BEFORE: new Date(Date.now() + HOLD_MS).toISOString() })
      sentBefore = await sentIds()
    })

    it('keeps all data acknowledged before the moment, and no later data [I1, I2, I11]', async () => {
      await verifyInvariants({ folder }, { withinSeconds: 0, untilMs: 60_000 })
      expect(await usageNow()).toBe(usageThen)
      expect((await api().get(sealed.id)).body.contract).toMatchObject({
        status: 'signed',
        signingProgress: { signed: 2, total: 2 },
      })
      const files = await download(sealed.visitor, sealed.shareUrl)
      expect(files['evidence.jws'].equals(sealed.files['evidence.jws'])).toBe(true)
      expect(files['copy.pdf'].equals(sealed.files['copy.pdf'])).toBe(true)
      expect((await api().get(half.id)).body.contract).toMatchObject({
        status: 'partially_signed',
        signingProgress: { signed: 1, total: 2 },
      })
      for (const { id } of [waiting, sentMeanwhile, onTheBus])
        expect((await api().get(id)).body.contract.status).toBe('pending_signature')
      expect((await api().get(lostId)).status).toBe(404)
    })

    it('lets users continue: the party whose signature was lost signs again, codes arrive, owners create contracts [D42]', async () => {
      const { visitor, shareUrl } = half
      expect((await signOn(visitor, await visitor.get(`${shareUrl}/review?party=1`), 'Party b of half')).status).toBe(
        303,
      )
      await untilSealed(visitor, shareUrl)
      for (const signed of [half, sealed]) {
        const files = await download(signed.visitor, signed.shareUrl)
        const report = await checkEvidence(files['copy.pdf'], {
          content: files['contract.txt'],
          disclosures: files['openings.txt'].toString('utf8'),
        })
        expect(report.checks.filter(({ holds }) => !holds)).toEqual([])
      }
      const [first] = partiesOf('waiting')
      await proveMailbox(createVisitor(), waiting.shareUrl, first!.email, running.stack.mailboxUrl)
      sinceThen = await make('since')
    })

    it('sends only codes until an operator releases the paused mails, and counts the paused mails [D24, D42]', async () => {
      await until('all mails to be paused', async () =>
        (await countHeld('completed')) === 2 && (await countHeld('invitation')) === 8 ? true : undefined,
      )
      await verifyInvariants({ folder }, { withinSeconds: 0, untilMs: 60_000 })
      const sent = (await sentIds()).filter((id) => !sentBefore.includes(id))
      expect(sent.length).toBeGreaterThan(0)
      expect(sent.filter((id) => !id.startsWith('code.'))).toEqual([])
    })

    it('sends each released mail once, and duplicates only mails of events that were not consumed at the moment [D24, I8]', async () => {
      const names = (
        await paraph(folder, 'mail', 'held', '--made-until', new Date(`${moment}:00`).toISOString())
      ).stdout
        .trim()
        .split('\n')
      expect(names.toSorted()).toEqual([waiting, sentMeanwhile].flatMap(invitationsOf).toSorted())
      // Like an operator who searches the log of the mail server for the names with grep.
      const log = (await sentIds()).join('\n')
      await writeFile(join(folder, 'sent'), names.filter((name) => log.includes(name)).join('\n'))
      expect(await readFile(join(folder, 'sent'), 'utf8')).toContain(sentMeanwhile.id)
      expect(await paraphJson(folder, 'mail', 'drop', '--sent', join(folder, 'sent'))).toEqual({
        dropped: 2,
        others: 0,
      })

      await running.stop()
      running = await start()
      await until('the sending of the paused mails', async () => {
        const rows = await inDatabase('notification', `select 1 from delivery where state = 'due'`)
        return rows.length === 0 ? true : undefined
      })
      const times = async (mails: readonly string[]) => Promise.all(mails.map(timesSent))
      expect(await times([waiting, sentMeanwhile, sinceThen].flatMap(invitationsOf))).toEqual([1, 1, 1, 1, 1, 1])
      // Sent once before the loss and once for the restored event, with the same Message-ID.
      expect(await times(invitationsOf(onTheBus))).toEqual([2, 2])
      // Sent once after the lost signature and once after the repeated signature.
      expect(await times([0, 1].map((party) => `completed.${half.id}.${party}.1`))).toEqual([2, 2])
      await verifyInvariants({ folder }, { withinSeconds: 0, untilMs: 60_000 })
    })

    // The bus plays no part in it.
    const services = bus === 'postgres' ? SERVICES : SERVICES.slice(0, 1)
    it.each(services)('refuses to start when the database of %s was restored alone [P40]', async (service) => {
      await running.stop()
      const others = SERVICES.filter((other) => other !== service)
      const sentence = `The database of ${service} is older than the database of`
      // The others remember more of it, as if its database were of an hour earlier.
      await withServerAlone(folder, async (basis) => {
        for (const other of others) {
          await withClient(databaseUrlOf({ databaseUrl: superuserUrl(basis) }, other), (client) =>
            client.query('update database_position set position = position + 60 where service = $1', [service]),
          )
        }
      })
      const refused = launch(folder, environment)
      await until('the refusal in a log', async () => ((await readLogs()).includes(sentence) ? true : undefined))
      refused.child.kill('SIGTERM')
      await refused.exited

      running = await start({ ACCEPT_MIXED_RESTORE: 'yes' })
      const positions = async () =>
        Promise.all(
          SERVICES.map(async (database) => {
            const [row] = await inDatabase<{ position: number }>(
              database,
              'select coalesce(max(position), 0)::int as position from database_position where service = $1',
              [service],
            )
            return { isOwn: database === service, position: row!.position }
          }),
        )
      await until('databases that agree', async () => {
        const all = await positions()
        const own = all.find(({ isOwn }) => isOwn)!
        return all.every(({ position }) => position <= own.position) ? true : undefined
      })
    })
  })
}
