// The copies of a signed contract that each party downloads and gets by mail, and the public keys to verify them.
import { PDF } from '@libpdf/core'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { checkEvidence } from '@paraph/signing/verify/check'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createMailbox, type ContractBody, type Mailbox } from '../../harness/clients/api-client.js'
import { inDatabase } from '../../harness/clients/canaries.js'
import { createVisitor, proveMailbox, type Visitor } from '../../harness/clients/ceremony-client.js'
import { isAlive, makeDataFolder, paraph, startStack, type RunningStack } from '../../harness/stack/local-stack.js'
import {
  createSignable,
  download,
  FILES,
  SEALED_CONTENT,
  SEALED_PARTIES,
  signAll,
  untilSealed,
  wellKnown,
} from '../../harness/clients/sealed-contract.js'
import { startCollector, type Collector } from '../../harness/stack/otlp-collector.js'
import { until } from '../../harness/until.js'

let collector: Collector
let running: RunningStack
let mailbox: Mailbox
let contract: ContractBody['contract']
let visitors: Map<string, Visitor>
let files: Awaited<ReturnType<typeof download>>
beforeAll(async () => {
  collector = await startCollector()
  running = await startStack(await makeDataFolder(), collector.environment)
  mailbox = createMailbox(running.stack.mailboxUrl)
  contract = await createSignable(running, running.stack.liveKey, { parties: SEALED_PARTIES, content: SEALED_CONTENT })
  visitors = await signAll(running, contract.shareUrl, SEALED_PARTIES)
  await untilSealed(visitors.get('jane@sealed.test')!, contract.shareUrl)
  files = await download(visitors.get('jane@sealed.test')!, contract.shareUrl)
}, 120_000)
afterAll(async () => {
  await running?.close()
  await collector?.close()
})

describe('the copies of a signed contract [D24, D29, D30]', () => {
  it('are the exact text, verifiable evidence, and a PDF that contains both', async () => {
    expect(files['contract.txt'].toString()).toBe(SEALED_CONTENT)
    const knownKeysPem = await (await wellKnown(running, 'paraph-evidence.pem')).text()
    for (const file of [files['copy.pdf'], files['evidence.jws']]) {
      const report = await checkEvidence(file, {
        knownKeysPem,
        content: files['contract.txt'],
        disclosures: files['openings.txt'].toString(),
      })
      expect(report.checks.filter(({ holds }) => !holds)).toEqual([])
      expect(report.contractNumber).toBe(contract.contractNumber)
    }
    const pdf = await PDF.load(files['copy.pdf'])
    expect(Buffer.from(pdf.attachments.get('contract.txt')!).equals(files['contract.txt'])).toBe(true)
    expect(`${Buffer.from(pdf.attachments.get('evidence.jws')!)}\n`).toBe(files['evidence.jws'].toString())
  })

  it('disclose to each party its own mailbox, but not that of another party', () => {
    const own = files['openings.txt'].toString()
    expect(own).toMatch(/ mailbox [0-9a-f]{32}:jane@sealed\.test$/m)
    expect(own).toMatch(/ parties\.2\.email [0-9a-f]{32}:Jane@Sealed\.Test$/m)
    expect(own).not.toContain('nordic@sealed.test')
  })

  it('are available only in a session of a party that has signed', async () => {
    for (const name of FILES) {
      const answer = await createVisitor().get(`${contract.shareUrl}/${name}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(contract.shareUrl).pathname])
    }
    const open = await createSignable(running, running.stack.liveKey, {
      parties: SEALED_PARTIES,
      content: SEALED_CONTENT,
    })
    const visitor = createVisitor()
    await proveMailbox(visitor, open.shareUrl, SEALED_PARTIES[0]!.email, running.stack.mailboxUrl)
    for (const name of FILES.filter((file) => file !== 'contract.txt'))
      expectWithMessage((await visitor.get(`${open.shareUrl}/${name}`)).status, name).toBe(303)
    // The visitor has no session for the other contract.
    expect((await visitor.get(`${contract.shareUrl}/copy.pdf`)).status).toBe(303)
  })

  it('are not cached, and are downloaded instead of displayed', async () => {
    const { headers } = await visitors.get('jane@sealed.test')!.get(`${contract.shareUrl}/copy.pdf`)
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${contract.contractNumber}.pdf"`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('are mailed once to each mailbox, with the PDF, even to a mailbox with several roles', async () => {
    for (const address of ['nordic@sealed.test', 'jane@sealed.test']) {
      const mail = await mailbox.waitFor(address, 'Everyone has signed')
      expect((await mailbox.readAttachment(mail.ID, `${contract.contractNumber}.pdf`)).equals(files['copy.pdf'])).toBe(
        true,
      )
    }
    // Waits until the delivery for the second role is finished too, before counting mails.
    await until('every mail to be finished', async () => {
      const { stdout } = await paraph(running.folder, 'outbox', 'status', '--json')
      return stdout.includes('"waiting":0') || !stdout.includes('"waiting"') ? true : undefined
    })
    const completed = (await mailbox.listTo('jane@sealed.test')).filter(({ Subject }) =>
      Subject.includes('Everyone has signed'),
    )
    expect(completed).toHaveLength(1)
  })
})

describe('the thread that creates the PDF', () => {
  it('does not inherit the --import options of its process, and the launcher restarts no signing service', () => {
    expect(isAlive(running.stack.pids.signing)).toBe(true)
    expect(running.launched.output()).not.toContain('starts again')
  })
})

describe('the public keys [D30, RFC 7517]', () => {
  it('are available without a session, can be cached for five minutes, and contain no private key', async () => {
    const answer = await wellKnown(running, 'jwks.json')
    expect(answer.headers.get('content-type')).toContain('application/jwk-set+json')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    const { keys } = (await answer.json()) as { keys: Record<string, string>[] }
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'environment', 'kid', 'kty', 'use', 'x'])
      const one = await (await wellKnown(running, `paraph-evidence/${key['kid']}.pem`)).text()
      expect(one).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\w+/=]+\n-----END PUBLIC KEY-----\n$/)
    }
  })
})

describe('a seal that fails repeatedly [D30]', () => {
  it('raises the metric paraph.seal.troubled until the seal succeeds', async () => {
    const troubled = (count: number) =>
      until(`${count} failing`, () =>
        collector.gaugeOf('signing', 'paraph.seal.troubled') === count ? true : undefined,
      )
    await troubled(0)
    const change = (values: string) =>
      inDatabase(running, 'signing', (client) =>
        client.query(`update seal_task set ${values} where contract_id = $1`, [contract.id]),
      )
    // Writes the state after five failures, without a further retry.
    await change("done_at = null, attempts = 5, run_after = now() + interval '9 minutes'")
    await troubled(1)
    await change('done_at = now()')
    await troubled(0)
  })
})
