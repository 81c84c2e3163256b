import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger, type Logger } from '@paraph/telemetry/logger'
import { createAuthority } from '@paraph/testing/test/certificate-fixture'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createComposer } from '../compose/compose-delivery.js'
import { addInvitations } from '../queue/add-delivery.js'
import { createDeliveryClaims } from '../queue/claim-delivery.js'
import { createDeliveryWorker } from '../queue/delivery-worker.js'
import { createFinishDelivery } from '../queue/finish-delivery.js'
import { createMailboxLimit } from '../queue/mailbox-limit.js'
import { createSendRate } from '../queue/token-bucket.js'
import { FROM_ADDRESS, MAIL_SETTINGS, sampleMailData, NO_TEST_MAILBOX } from '../../test/mail-fixture.js'
import { startSmtpServer, type TestSmtpServer } from '../../test/smtp-fixture.js'
import { describeSmtp } from './check.js'
import { createSmtpCircuit } from './circuit.js'
import { createMailer } from './mailer.js'
import { readSmtpUrl } from './smtp-url.js'

const WAIT = { timeout: 20_000, interval: 10 }
const HERE = 'IP:127.0.0.1'
const trusted = getCACertificates('default')

let authority: Awaited<ReturnType<typeof createAuthority>>
let stranger: typeof authority
let clone: TestDatabase
let database: Kysely<unknown>
let relay: TestSmtpServer
const lines: string[] = []

beforeAll(async () => {
  authority = await createAuthority('Test CA')
  stranger = await createAuthority('Stranger')
  setDefaultCACertificates([...trusted, authority.caPem])
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await authority.close()
  await stranger.close()
})
beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, createLogger('test', 'silent')))
  lines.length = 0
})
afterEach(async () => {
  await relay.stop()
  await database.destroy()
  await clone.drop()
})

it.each<[string, string, () => Promise<Parameters<typeof startSmtpServer>[1]>]>([
  [
    'whose certificate has expired',
    'CERT_HAS_EXPIRED',
    async () => ({ tls: await authority.issue('expired', HERE, { isExpired: true }) }),
  ],
  [
    'whose certificate is for another host',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    async () => ({ tls: await authority.issue('other', 'DNS:other.example') }),
  ],
  [
    'whose certificate nobody trusted has issued',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    async () => ({ tls: await stranger.issue('unknown', HERE) }),
  ],
  ['that offers no STARTTLS', 'ETLS', async () => ({ tls: false })],
])(
  'mails wait for a server %s, the log and the check say so, and they are sent after the repair [F36]',
  async (_, code, open) => {
    relay = await startSmtpServer(0, await open())
    const smtp = { ...readSmtpUrl(`smtp://127.0.0.1:${relay.port}`), tls: 'required' } as const
    const domain = MAIL_SETTINGS.mailDomain
    const mailer = createMailer({ smtp, fromAddress: FROM_ADDRESS, domain, connections: 2 })
    const circuit = createSmtpCircuit({ database, pace: { firstMs: 20, codesMaxMs: 100, othersMaxMs: 200 } })
    const keys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
    const worker = createDeliveryWorker({
      testMailbox: NO_TEST_MAILBOX,
      claims: createDeliveryClaims({ database }),
      finishDelivery: createFinishDelivery({ database, notifyRelay: () => undefined }),
      circuit,
      rate: createSendRate(1_000, performance.now()),
      mailboxLimit: createMailboxLimit({ database, keys }),
      mailer,
      compose: createComposer({
        readBrand: () => Promise.resolve(undefined),
        readMailData: async () => sampleMailData(),
        readCopy: async () => null,
        openSealed: () => undefined,
        ...MAIL_SETTINGS,
      }),
      connections: 2,
      logger: recorder(),
      retryFirstMs: 20,
    })
    const contract = {
      contractId: 'c1',
      accountId: 'a1',
      environment: 'production',
      expiresAt: '2099-01-01T00:00:00.000Z',
      partyCount: 3,
    } as const
    await database.transaction().execute((trx) => addInvitations(trx, contract))
    worker.start()
    await waitFor(() => expect(circuit.isOpen()).toBe(true), WAIT)
    await waitFor(
      () => expect(lines.join('\n')).toContain('SMTP server unavailable: TLS or certificate failed; mails wait'),
      WAIT,
    )
    await waitFor(async () => expect(await outcomes()).toContain(`due tls ${code}`), WAIT)
    const steps = describeSmtp(smtp, await mailer.check())
    expect(steps.find(({ result }) => result === 'failed')).toMatchObject({
      step: 'tls',
      sentence: expect.stringMatching(
        new RegExp(`^The connection cannot be encrypted \\(.*${code}\\)\\. The certificate must be valid`),
      ),
    })
    expect(relay.mails).toEqual([])

    const { port } = relay
    await relay.stop()
    relay = await startSmtpServer(port, { tls: await authority.issue('repaired', HERE) })
    await waitFor(() => expect(relay.accepted()).toHaveLength(3), WAIT)
    await waitFor(async () => expect(await outcomes()).toHaveLength(3), WAIT)
    await worker.stop()
    mailer.close()
  },
  60_000,
)

async function outcomes(): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`select concat_ws(' ', state, outcome) as what from delivery`.execute(
    database,
  )
  return rows.map(({ what }) => what)
}

/** A logger that keeps the message of each error. */
function recorder(): Logger {
  const logger = createLogger('test', 'silent')
  return {
    ...logger,
    error: (_: object, message: string) => void lines.push(message),
    warn: () => undefined,
    info: () => undefined,
  } as unknown as Logger
}
