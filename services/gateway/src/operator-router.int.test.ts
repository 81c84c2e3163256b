// Who acts on the command line, by its verified token. [P36]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createConsoleVisitor } from '../test/console-fixture.js'
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
  expect(entries.map(({ act, actorName }) => `${act} ${actorName}`)).toEqual(
    ['operator.read', 'key.created', 'account.created'].map((act) => `${act} ${OPERATOR_NAME}`),
  )
})

it('each read of the command line and of an operator’s page leaves one entry for each operator, subject and hour [P36]', async () => {
  await gateway.admin('set session_replication_role = replica; truncate audit_chain, audit_entry')
  const { account, application, audit, key } = gateway.operator
  const { accounts } = await account.list.query()
  const { id } = accounts[0]!
  const visitor = createConsoleVisitor(gateway)
  await visitor.signIn('operator@example.test')
  const read = async () => {
    await account.list.query()
    await account.show.query({ id })
    await application.list.query()
    await audit.list.query({})
    await key.list.query({ accountId: id })
    await audit.recordRead.mutate({ subject: 'contract-1-a', accountId: id })
    for (const page of ['applications', 'accounts', `accounts/${id}`, `accounts/${id}/suspend`, 'reports', 'audit'])
      await visitor.get(`/console/operator/${page}`)
    await visitor.get('/console/operator/accounts/acc_none')
  }
  await Promise.all([read(), read()])
  const entries = () =>
    gateway.sql(`select concat_ws(' ', actor, mailbox, actor_name, subject, account_id) as entry from audit_entry
       where act = 'operator.read' order by 1`)
  const once = [
    ...['accounts', 'applications', 'audit'].map((list) => `command_line ${OPERATOR_NAME} ${list}`),
    `command_line ${OPERATOR_NAME} ${id} ${id}`,
    `command_line ${OPERATOR_NAME} contract-1-a ${id}`,
    ...['accounts', 'applications', 'audit', 'reports'].map((list) => `operator operator@example.test ${list}`),
    `operator operator@example.test ${id} ${id}`,
  ]
  // The account that does not exist was not shown, so it leaves no entry.
  expect((await entries()).map(({ entry }) => entry).sort()).toEqual(once.sort())
  await gateway.admin(`set session_replication_role = replica; update audit_entry set at = at - interval '1 hour'`)
  await account.list.query()
  expect(await entries()).toHaveLength(once.length + 1)
})
