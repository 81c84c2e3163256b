// The loss of the database cluster and its restore to a moment, following docs/backup.md step by step; on either bus.
// Everything before the moment was acknowledged; everything after it is lost, and only the mail server has a record of it.
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

/** Declares the tests of `bus`; each continues the state of the previous one. */
export function describeRestore(bus: 'postgres' | 'kafka'): void {
  describe(`a restore of the cluster to a moment, on the ${bus} bus [docs/backup.md]`, () => {
    let kafka: KafkaBroker | undefined
    let folder: string
    let running: RunningStack
    let environment: Record<string, string>
    /** The moment of the restore, to the microsecond. */
    let moment: string
    let usageThen: number
    /** Sessions and downloads from before the moment. */
    let sealed: { shareUrl: string; id: string; visitor: Visitor; files: Awaited<ReturnType<typeof download>> }
    let half: { shareUrl: string; id: string; visitor: Visitor }
    let lostId: string
    /** Mails that were sent before the restored services began. */
    let sentBefore: string[]

    const api = () => createApiClient(running.stack.apiUrl, running.stack.liveKey)
    const make = (name: string) => createSignable(running, running.stack.liveKey, bodyOf(name))
    const inDatabase = <Row extends object>(database: Database, text: string, values: unknown[] = []): Promise<Row[]> =>
      withClient(databaseUrlOf(running.stack, database), async (client) => (await client.query<Row>(text, values)).rows)
    const usageNow = async () =>
      (await api().call<{ usage: { billableCalls: number } }>('GET', '/usage')).body.usage.billableCalls
    const start = async (more: Record<string, string> = {}) => startStack(folder, { ...environment, ...more })
    /** Every mail that the mail server ever accepted, by its Message-ID. */
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
      // Every answered call is counted: none of them was lost with the cluster.
      await running?.close({ receipts: 'equal' })
      await kafka?.stop()
    })

    const invitationsOf = ({ id }: { id: string }): string[] => [0, 1].map((party) => `invitation.${id}.${party}.1`)
    let waiting: { id: string; shareUrl: string }
    let sentMeanwhile: { id: string; shareUrl: string }
    let onTheBus: { id: string }
    let sinceThen: { id: string }

    it('begins with a sealed contract, a half-signed one, and one whose invitations are unsent', async () => {
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

      // Simulates a temporary rejection by the mail server: due in an hour.
      await inDatabase(
        'notification',
        `alter table delivery alter due_at set default clock_timestamp() + interval '1 hour'`,
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

    it('loses what happens after the moment: mails are sent, one contract is completed and another created', async () => {
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
      // Without the test client, which sums up the expected counts.
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

    it('brings every database back to one moment, and removes later messages from a bus that was not lost', async () => {
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
        // Simulates the end of the hour.
        await countOf('notification', `update delivery set due_at = clock_timestamp() where state = 'due'`)
      })
      running = await start({ HOLD_MAILS_BEFORE: new Date(Date.now() + HOLD_MS).toISOString() })
      sentBefore = await sentIds()
    })

    it('has all data acknowledged before the moment, and no data from after it [I1, I2, I11]', async () => {
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

    it('lets people continue: the party of a lost signature signs again, codes arrive, owners create contracts [D42]', async () => {
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

    it('sends no mail but codes until an operator allows it, and lists the paused mails [D24, D42]', async () => {
      await until('all mails to be paused', async () =>
        (await countHeld('completed')) === 2 && (await countHeld('invitation')) === 8 ? true : undefined,
      )
      await verifyInvariants({ folder }, { withinSeconds: 0, untilMs: 60_000 })
      const sent = (await sentIds()).filter((id) => !sentBefore.includes(id))
      expect(sent.length).toBeGreaterThan(0)
      expect(sent.filter((id) => !id.startsWith('code.'))).toEqual([])
    })

    it('sends each released mail once, and sends a mail again only for an event near the moment [D24, I8]', async () => {
      const names = (
        await paraph(folder, 'mail', 'held', '--made-until', new Date(`${moment}:00`).toISOString())
      ).stdout
        .trim()
        .split('\n')
      expect(names.toSorted()).toEqual([waiting, sentMeanwhile].flatMap(invitationsOf).toSorted())
      // The lines that grep finds in the log of the mail server.
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
      // Once before the loss and once from the restored event, with the same Message-ID.
      expect(await times(invitationsOf(onTheBus))).toEqual([2, 2])
      // One for the lost signature, one for the preserved one.
      expect(await times([0, 1].map((party) => `completed.${half.id}.${party}.1`))).toEqual([2, 2])
      await verifyInvariants({ folder }, { withinSeconds: 0, untilMs: 60_000 })
    })
  })
}
