// Who acts on the command line, by its verified token. [P36]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { OPERATOR_NAME, startTestGateway, type TestGateway } from '../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

it('a caller on the command line cannot act as the installation itself: the audit log names the token’s person, and the owner gets a mail', async () => {
  const { account, key } = gateway.operator
  const wanted = { name: 'Demo Company', email: 'owner@demo.example', tier: 'growth', actor: 'service' }
  const { id } = (await account.create.mutate(wanted)).account
  const silent = { accountId: id, environment: 'live' as const, actor: 'service' }
  await key.create.mutate(silent)
  expect(await gateway.sql('select distinct actor, actor_name from audit_entry')).toEqual([
    { actor: 'command_line', actor_name: OPERATOR_NAME },
  ])
  expect(await gateway.sql('select kind from owner_mail')).toEqual([{ kind: 'key_created' }])
  const { entries } = await gateway.operator.audit.list.query({ accountId: id })
  expect(entries.map(({ actorName }) => actorName)).toEqual([OPERATOR_NAME, OPERATOR_NAME])
})
