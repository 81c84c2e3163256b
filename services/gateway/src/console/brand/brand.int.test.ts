// An owner asks for a brand, and the operator decides beside the account's name. [D36, D59]
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { SAMPLE_LOGO } from '@paraph/testing/test/logo-fixture'
import { startTestGateway, until, type TestGateway } from '../../../test/gateway-fixture.js'
import { APPLICATION, createConsoleVisitor, type Answer, type ConsoleVisitor } from '../../../test/console-fixture.js'

const OWNER = 'owner@nordicfoods.example'
const BRAND = '/console/account/brand'
const NO_FILE = Buffer.alloc(0)
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

let gateway: TestGateway
let operator: ConsoleVisitor
let owner: ConsoleVisitor
let accountId: string
let decide: string
beforeAll(async () => {
  gateway = await startTestGateway()
  operator = createConsoleVisitor(gateway)
  await operator.signIn('operator@example.test')
  owner = createConsoleVisitor(gateway)
  await owner.signIn(OWNER)
  await owner.submit('/console/application', APPLICATION)
  accountId = String((await gateway.sql('select id from account'))[0]!['id'])
  decide = `/console/operator/accounts/${accountId}/brand`
})
afterAll(() => gateway.stop())
beforeEach(async () => {
  await gateway.sql("update account set approved_at = now(), tier = 'growth', subscription_status = 'active'")
  await gateway.sql('delete from account_brand')
  await gateway.sql('delete from outbox')
})

const ask = (fields: Record<string, string>, file: Uint8Array = NO_FILE): Promise<Answer> =>
  owner.submitFile(BRAND, fields, 'logo', file)
const events = async () =>
  (await gateway.sql(`select data from outbox where type = 'account.brand_changed' order by id`)).map(
    ({ data }) => data as { accent: string | null; logo: { hex: string } | null },
  )
const askedId = async () => String((await gateway.sql("select id from account_brand where state = 'asked'"))[0]?.['id'])
const act = (fields: Record<string, string>) => operator.submit(decide, fields)
const approve = async () => act({ decision: 'approve', brand: await askedId() })
const mailsToOwner = (kind: string) =>
  gateway.toOwners.filter(({ input }) => input?.['to'] === OWNER && input['kind'] === kind).length
const sentences = ({ body }: Answer): string[] =>
  [...body.matchAll(/<a href="#\w+">([^<]*)<\/a>/g)].map(([, sentence]) => sentence!)

it('nothing is published before the operator approves, and the approval publishes colour and logo once [D59]', async () => {
  expect((await ask({ accent: '#0B6E4F' }, SAMPLE_LOGO.bytes)).location).toBe(BRAND)
  expect((await owner.get(BRAND)).body).toContain('Waits for the operator')
  expect(await events()).toEqual([])

  expect((await operator.get('/console/operator/applications')).body).toContain(`href="${decide}"`)
  const page = await operator.get(decide)
  expect(page.body).toContain('Nordic Foods Ltd.')
  const logo = await operator.get(/src="([^"]+\/logo\/asked[^"]*)"/.exec(page.body)![1]!)
  expect([logo.status, logo.headers['content-type']]).toEqual([200, 'image/png'])

  const approved = mailsToOwner('brand_approved')
  expect((await approve()).location).toBe(decide)
  const [event, ...more] = await events()
  expect(more).toEqual([])
  expect(event).toMatchObject({ accent: '#0b6e4f', logo: { type: 'png', width: 460, height: 120 } })
  expect(Buffer.from(event!.logo!.hex, 'hex').subarray(1, 4).toString()).toBe('PNG')
  await until(() => mailsToOwner('brand_approved') === approved + 1)
  expect((await owner.get(BRAND)).body).toContain('Shown now')
})

it('what is shown stays while another brand waits or is refused, and the owner reads why [D59]', async () => {
  await ask({ accent: '#0b6e4f' })
  await approve()
  await ask({ accent: '#26399e' })
  const refused = mailsToOwner('brand_refused')
  expect((await act({ decision: 'refuse', brand: await askedId(), reason: '' })).status).toBe(422)
  await act({ decision: 'refuse', brand: await askedId(), reason: 'This is the blue of another bank.' })
  expect((await events()).map(({ accent }) => accent)).toEqual(['#0b6e4f'])
  await until(() => mailsToOwner('brand_refused') === refused + 1)
  const { body } = await owner.get(BRAND)
  expect(body).toContain('This is the blue of another bank.')
  expect(body).toContain('Shown now')
})

it('a decision does not reach a brand that the operator has not seen [D59]', async () => {
  await ask({ accent: '#0b6e4f' })
  const seen = await askedId()
  await ask({ accent: '#26399e' })
  expect((await act({ decision: 'approve', brand: seen })).status).toBe(409)
  expect((await act({ decision: 'refuse', brand: seen, reason: 'No.' })).status).toBe(409)
  expect(await events()).toEqual([])
  await approve()
  // A second click.
  expect((await act({ decision: 'approve', brand: seen })).status).toBe(409)
  expect((await events()).map(({ accent }) => accent)).toEqual(['#26399e'])
})

it.each([
  ['the operator', () => act({ decision: 'withdraw', withdrawReason: 'The company asked us to.' })],
  ['an owner', () => owner.submit(`${BRAND}/remove`)],
])('%s ends an approved brand everywhere [D59]', async (_, end) => {
  await ask({ accent: '#0b6e4f' }, SAMPLE_LOGO.bytes)
  await approve()
  expect((await end()).status).toBe(303)
  expect((await end()).status).toBe(303)
  expect((await events()).slice(1)).toMatchObject([{ accent: null, logo: null }])
  expect((await owner.get(`${BRAND}/logo/approved`)).status).toBe(404)
})

it('a form without a file keeps the logo, unless the owner wants none [D59]', async () => {
  await ask({ accent: '' }, SAMPLE_LOGO.bytes)
  await approve()
  await ask({ accent: '#0b6e4f' })
  await approve()
  await ask({ accent: '#26399e', noLogo: 'yes' })
  await approve()
  expect((await events()).map(({ accent, logo }) => [accent, logo !== null])).toEqual([
    [null, true],
    ['#0b6e4f', true],
    ['#26399e', false],
  ])
})

it.each([
  ['a colour that is none', { accent: 'red' }, NO_FILE, 'Enter a colour as # and six digits'],
  ['a pale colour', { accent: '#fc0' }, NO_FILE, 'The nearest that holds is #876c00'],
  ['nothing', { accent: '' }, NO_FILE, 'Choose a colour, a logo, or both'],
  ['an SVG', { accent: '' }, SVG, 'SVG'],
  ['a text', { accent: '#0b6e4f' }, Buffer.from('not a picture'), 'neither a PNG nor a JPEG'],
  ['a broken picture', { accent: '' }, SAMPLE_LOGO.bytes.subarray(0, 200), 'We cannot read this picture'],
  [
    'a large file',
    { accent: '' },
    Buffer.concat([SAMPLE_LOGO.bytes, Buffer.alloc(100_000)]),
    'This file has more than 100',
  ],
])('%s is refused in words, and changes nothing [D59]', async (_, fields, file, sentence) => {
  await ask({ accent: '#26399e' })
  const before = await askedId()
  const answer = await ask(fields, file)
  expect(answer.status).toBe(422)
  expect(sentences(answer).join()).toContain(sentence)
  expect(answer.body).not.toContain('alert(1)')
  expect(await askedId()).toBe(before)
})

it('a form beyond every limit is refused with what to do', async () => {
  const answer = await ask({ accent: '' }, Buffer.alloc(3_000_000))
  expect(answer.status).toBe(413)
  expect(answer.body).toContain('choose a file of at most 100 KB')
})

it('an account whose name is not approved has no brand [D36]', async () => {
  await gateway.sql('update account set approved_at = null')
  expect((await owner.get(BRAND)).body).not.toContain('enctype')
  expect((await ask({ accent: '#0b6e4f' }, SVG)).location).toBe(BRAND)
  expect(await askedId()).toBe('undefined')
})

it('a form without the token of its session changes nothing [D33]', async () => {
  const form = await owner.submitFile(BRAND, { accent: '#0b6e4f', formToken: 'another' }, 'logo', NO_FILE)
  expect(form.status).toBe(403)
  expect(await askedId()).toBe('undefined')
})
