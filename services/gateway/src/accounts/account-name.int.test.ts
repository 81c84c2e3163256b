import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { refusalOf } from '@paraph/rpc/link'
import { startTestGateway, until, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

it('the account name can be changed by the operator, and applies from the next call [D36, D47]', async () => {
  const { accountId, key } = await gateway.newKey('growth')
  const factsOfCall = async () => {
    await gateway.call('GET', '/api/external/v2/contracts/contract-1-a', { key })
    const { authorization = '' } = gateway.far.received.at(-1)!.headers
    const { principal } = await gateway.verifyAsContract(authorization)
    return [principal?.account.name, principal?.account.senderName]
  }
  expect(await factsOfCall()).toEqual(['Demo Company', 'Demo Company'])
  await gateway.operator.account.rename.mutate({ id: accountId, name: 'Demo Company (Canada) Ltd.' })
  const renamed = ['Demo Company (Canada) Ltd.', 'Demo Company (Canada) Ltd.']
  await until(async () => JSON.stringify(await factsOfCall()) === JSON.stringify(renamed))
  const { entries } = await gateway.operator.audit.list.query({ accountId })
  // The newest entry is the look at the log itself. [P36]
  expect(entries[1]).toMatchObject({ act: 'account.renamed', actor: 'command_line', facts: { name: renamed[0] } })
})

it.each(['', 'pay@bank.example', 'Paraph', 'Nordic\u202EFoods'])(
  'the account name cannot be %j [D14, D23]',
  async (name) => {
    const { accountId } = await gateway.newKey('growth')
    const refused = await gateway.operator.account.rename.mutate({ id: accountId, name }).catch(refusalOf)
    expect(refused).toMatchObject({ code: 'invalid_request' })
  },
)
