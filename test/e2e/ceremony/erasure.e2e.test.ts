// Erases two contracts with unique values, one signed by everyone and one cancelled. Afterwards, the values exist only in sent mails, and
// the evidence still verifies. [D30, D43]
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { checkEvidence } from '@paraph/signing/verify/check'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, type ContractBody } from '../../harness/clients/api-client.js'
import { dump, filesBelow, inDatabase, dumpWhenIdle, writtenForms } from '../../harness/clients/canaries.js'
import { createVisitor } from '../../harness/clients/ceremony-client.js'
import { makeDataFolder, paraph, paraphJson, startStack, type RunningStack } from '../../harness/stack/local-stack.js'
import {
  createSignable,
  download,
  FILES,
  signAll,
  untilSealed,
  wellKnown,
} from '../../harness/clients/sealed-contract.js'
import { until } from '../../harness/until.js'

const PARTIES = [
  { role: 'Ropewalker', legalName: 'Ottoline Pemberwick', email: 'ottoline.p@canary-mailbox.test' },
  { role: 'Chandler', legalName: 'Barnaby Thistlewood', email: 'barnaby.t@canary-mailbox.test' },
]
const PHRASE = 'The bittern counts the knots of the eleventh rope.'
const SENDER = 'Yarrowmere Cordage'
const METADATA = 'tarred-hemp-4471'
const REASON = 'The pelican withdrew its bid.'
const MESSAGE = 'Nobody here ordered a hawser.'
const AGENT = 'Zebrafinch/7.2 (Perch)'
/** The IP address of the visitors. */
const ADDRESS = '127.0.0.1'
const VALUES = [
  ...PARTIES.flatMap(({ role, legalName, email }) => [role, legalName, email]),
  PHRASE,
  SENDER,
  METADATA,
  REASON,
  MESSAGE,
  AGENT,
]
const BODY = {
  contractType: 'nda',
  content: `ROPES\n\n${PHRASE}`,
  parties: PARTIES,
  senderName: SENDER,
  metadata: { order: METADATA },
}
const KEY = { 'idempotency-key': 'erasure-1' }

let running: RunningStack
let api: ReturnType<typeof createApiClient>
let signed: ContractBody['contract']
let files: Awaited<ReturnType<typeof download>>
beforeAll(async () => {
  running = await startStack(await makeDataFolder(), { LOG_LEVEL: 'trace' })
  api = createApiClient(running.stack.apiUrl, running.stack.liveKey)
})
afterAll(() => running?.close())

const erase = (id: string) => paraph(running.folder, 'contract', 'erase', id)

/** Value → the columns that contain it. */
async function placesOf(values: readonly string[]): Promise<Map<string, string[]>> {
  const columns = [...(await dumpWhenIdle(running))].filter(([name]) => name.split('.').length === 3)
  return new Map(
    values.map((value) => {
      const form = writtenForms('', value)
      return [value, columns.filter(([, texts]) => texts.some((text) => form.test(text))).map(([name]) => name)]
    }),
  )
}

it('the command refuses to erase an open contract, and names the reason', async () => {
  signed = (await api.create(BODY, KEY)).body.contract
  const { code, stderr } = await erase(signed.id)
  expect(code).toBe(1)
  expect(stderr).toContain('This contract is still open.')
  expect((await api.get(signed.id)).body.contract.parties[0]!.email).toBe(PARTIES[0]!.email)
})

it('the command erases no contract that an operator holds, and says so [P32]', async () => {
  const cancelled = (await api.create({ ...BODY, content: 'Held.' })).body.contract
  await paraphJson(running.folder, 'contract', 'cancel', cancelled.id, '--reason', 'none')
  await paraphJson(running.folder, 'contract', 'hold', cancelled.id, '--reason', 'inquiry')
  const { code, stderr } = await erase(cancelled.id)
  expect([code, stderr]).toEqual([1, expect.stringContaining('This contract is held.')])
  expect(await paraphJson(running.folder, 'contract', 'show', cancelled.id)).toMatchObject({
    contract: { holdReason: 'inquiry' },
  })
  await paraphJson(running.folder, 'contract', 'release', cancelled.id)
  expect((await erase(cancelled.id)).code).toBe(0)
})

it('an erasure deletes text, names, mailboxes, IP addresses, user agents and the PDF from every table', async () => {
  const visitors = await signAll(running, signed.shareUrl, PARTIES, { 'user-agent': AGENT })
  const visitor = visitors.get(PARTIES[0]!.email)!
  await untilSealed(visitor, signed.shareUrl)
  files = await download(visitor, signed.shareUrl)
  const cancelled = await createSignable(running, running.stack.liveKey, BODY)
  const stranger = createVisitor()
  const report = await stranger.get(`${cancelled.shareUrl}/report`)
  await stranger.submit(report, /\/report$/, { reason: 'unknown_sender', message: MESSAGE })
  await paraphJson(running.folder, 'contract', 'cancel', cancelled.id, '--reason', REASON)

  const before = await placesOf([...VALUES, ADDRESS])
  for (const [value, places] of before) expectWithMessage(places, `${value} before the erasure`).not.toEqual([])
  for (const id of [signed.id, cancelled.id, signed.id]) expect((await erase(id)).code).toBe(0)
  await until('the event of the erasure', () =>
    inDatabase(running, 'signing', async (client) =>
      (await client.query('select 1 from erasure')).rows.length === 3 ? true : undefined,
    ),
  )
  expect([...(await placesOf([...VALUES, ADDRESS]))].filter(([, places]) => places.length > 0)).toEqual([])
  expect((await dump(running)).get('signing.sealed_copy')).toEqual([])
})

it('after an erasure, no log or other file contains the values, except sent mails', async () => {
  const ours = [...(await filesBelow(running.folder))].filter(([path]) => !/\/(?:postgres|mail)\//.test(path))
  ours.push(['the terminal', running.launched.output()])
  expectWithMessage(
    ours.filter(([path]) => path.endsWith('.log')).length,
    'the number of log files',
  ).toBeGreaterThanOrEqual(5)
  for (const value of VALUES) {
    const form = writtenForms('', value)
    expectWithMessage(
      ours.filter(([, text]) => form.test(text)).map(([path]) => path),
      value,
    ).toEqual([])
  }
})

it('the API shows that a contract was erased, and still shows its outcome', async () => {
  const { status, body } = await api.get(signed.id)
  expect(status).toBe(200)
  const { contract } = body
  expect(contract.status).toBe('signed')
  expect(contract.completedAt).toBeTruthy()
  expect(contract.parties.map(({ role, legalName, email, hasSigned }) => [role, legalName, email, hasSigned])).toEqual([
    ['erased', 'erased', 'erased', true],
    ['erased', 'erased', 'erased', true],
  ])
  expect(JSON.stringify(body)).not.toContain(METADATA)
})

it('a replay of the POST returns the erased contract, with its link and without its parties [D17]', async () => {
  const again = await api.create(BODY, KEY)
  expect([again.status, again.body.contract.id, again.body.contract.shareUrl]).toEqual([
    201,
    signed.id,
    signed.shareUrl,
  ])
  expect(JSON.stringify(again.body)).not.toContain(PARTIES[0]!.email)
})

it('the link of an erased contract is closed, and every page says that the contract was erased', async () => {
  const visitor = createVisitor()
  for (const end of ['', '/done', ...FILES.map((name) => `/${name}`)]) {
    const page = await visitor.follow(await visitor.get(`${signed.shareUrl}${end}`))
    expectWithMessage(page.status, end).toBe(410)
    expect(page.body).toContain('This contract was erased')
  }
})

it('after an erasure, the evidence is unchanged and verifies', async () => {
  const { jws } = await paraphJson<{ jws: string }>(running.folder, 'evidence', 'export', signed.id)
  expect(`${jws}\n`).toBe(files['evidence.jws'].toString())
  const knownKeysPem = await (await wellKnown(running, 'paraph-evidence.pem')).text()
  const own = { knownKeysPem, content: files['contract.txt'], disclosures: files['openings.txt'].toString() }
  const { checks } = await checkEvidence(Buffer.from(jws), own)
  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['text', 'openings']))
  expect(checks.filter(({ holds }) => !holds)).toEqual([])
  // Verifies with the command line too, like an owner.
  const file = join(running.folder, 'kept.pdf')
  await writeFile(file, files['copy.pdf'])
  // Exits with 3, because without the published keys the command cannot check the key.
  expect((await paraph(running.folder, 'evidence', 'verify', file)).code).toBe(3)
})
