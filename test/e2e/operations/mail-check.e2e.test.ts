// Tests `paraph mail check`, and the events about accepted mails.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { createApiClient, createMailbox } from '../../harness/clients/api-client.js'
import { databaseUrlOf, paraph, paraphJson } from '../../harness/stack/local-stack.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'
import { until } from '../../harness/until.js'

interface MailCheck {
  works: boolean
  steps: { step: string; result: string }[]
  queue: unknown[]
  circuit: string
}

let running: SharedStack
beforeAll(async () => {
  running = await joinStack()
})
afterAll(() => running?.close())

it("`mail check` reports each successful step, and sends the requested test mail [F6, local-stack: the operator's command line]", async () => {
  const answer = await paraphJson<MailCheck>(running.folder, 'mail', 'check', '--to', 'somebody@example.test')
  expect(answer).toMatchObject({ works: true, queue: [], circuit: 'closed' })
  expect(answer.steps.map(({ step, result }) => `${step}: ${result}`)).toEqual([
    'name: works',
    'connect: works',
    'greeting: works',
    'tls: skipped',
    'login: skipped',
    'test mail: works',
  ])
  await createMailbox(running.stack.mailboxUrl).waitFor('somebody@example.test', 'Paraph can send mail')
})

it('`mail check` refuses an invalid address [F6]', async () => {
  const { code, stderr } = await paraph(running.folder, 'mail', 'check', '--to', 'two@example.test,three@example.test')
  expect(code).toBe(1)
  expect(stderr).toContain('to must be one plain address')
})

it('notification publishes an event email.accepted for each accepted mail [D24, D48]', async () => {
  const api = createApiClient(running.stack.apiUrl, running.stack.liveKey)
  const answer = await api.call<{ contract: { id: string } }>('POST', '/contracts', {
    contractType: 'nda',
    content: 'The parties keep secrets secret.',
    parties: ['a', 'b'].map((party) => ({ role: 'Party', legalName: party, email: `${party}@example.test` })),
  })
  expect(answer.status).toBe(201)
  const published = await until('two events on the bus', () =>
    withClient(databaseUrlOf(running.stack, 'bus'), async (client) => {
      const { rows } = await client.query<{ value: { type: string; sequence: string; subject: string } }>(
        `select value::json as value from bus.message where topic = 'notification.events.v1' order by message_offset`,
      )
      const ours = rows.filter(({ value }) => value.subject.includes(answer.body.contract.id))
      return ours.length === 2 ? ours.map(({ value }) => value) : undefined
    }),
  )
  expect(published.map(({ type, sequence }) => `${type} ${sequence}`)).toEqual(['email.accepted 1', 'email.accepted 2'])
  expect(JSON.stringify(published)).not.toContain('example.test')
})
