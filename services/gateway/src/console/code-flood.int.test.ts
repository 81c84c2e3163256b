// Forms that wait for a lock of the codes, and what goes on beside them.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createConsoleVisitor } from '../../test/console-fixture.js'
import { startTestGateway, until, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

it('while as many forms of sign-in as may be at work wait for a lock, a key that is not cached, a page of the console and a form of another page pass [F39, P26]', async () => {
  const { key } = await gateway.newKey('startup')
  const owner = createConsoleVisitor(gateway)
  await owner.signIn('owner@demo.example')
  const visitors = Array.from({ length: 11 }, () => createConsoleVisitor(gateway))
  // A form belongs to the browser that fetched it. [P30]
  const forms = await Promise.all(
    visitors.map(async (visitor) => ({ visitor, formToken: await visitor.tokenOn('/console/sign-in') })),
  )
  const release = await gateway.lock('lock table challenge in access exclusive mode')
  const waiting = async () =>
    (await gateway.sql(`select from pg_locks where not granted and relation = 'challenge'::regclass`)).length
  const statuses: number[] = []
  const sent = forms.map(async ({ visitor, formToken }, at) => {
    const { status } = await visitor.post('/console/sign-in', { email: `a${at}@flood.example`, formToken })
    statuses.push(status)
  })
  try {
    await until(async () => (await waiting()) === 3 && statuses.length === 1)
    expect(statuses).toEqual([503])
    expect((await gateway.call('POST', '/api/external/v2/contracts', { key, body: '{}' })).status).toBe(201)
    expect((await owner.get('/console/account')).status).toBe(200)
    expect((await owner.submit('/console/sign-out')).status).toBe(303)
  } finally {
    release()
  }
  await Promise.all(sent)
})
