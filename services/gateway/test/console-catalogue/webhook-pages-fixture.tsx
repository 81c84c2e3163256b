// Webhooks: the endpoints in every state, one endpoint with messages of every result, the secret that is shown once, and the questions.
import type { PageProps } from '../../src/console/frame/page-props.js'
import { webhookMessages } from '../../src/console/webhooks/messages.js'
import {
  WebhookOncePage,
  WebhookPage,
  WebhookQuestion,
  WebhooksPage,
} from '../../src/console/webhooks/webhook-pages.js'
import type { ListedEndpoint, ShownEndpoint } from '../../src/console/webhooks/webhook-pages.js'
import { owned, TIME_ZONE, TRIAL, type CatalogueEntry } from './entry-fixture.js'

const endpoint = (id: string, more: Partial<ListedEndpoint> = {}): ListedEndpoint => ({
  id,
  url: 'https://orders.nordicfoods.example/paraph/hook',
  publicKey: 'whpk_Yb1ZpQn3Qm0c2b1h3s4n5o6p7q8r9s0t1u2v3w4x5y6=',
  createdAt: '2026-11-03T10:20:06.000Z',
  failingSince: null,
  disabledAt: null,
  previousUntil: null,
  ...more,
})
const ENDPOINTS = [
  endpoint('hook_1'),
  endpoint('hook_2', { url: 'https://staging.nordicfoods.example/hook', failingSince: '2026-11-24T02:00:11.000Z' }),
  endpoint('hook_3', { url: 'https://old.nordicfoods.example/hook', disabledAt: '2026-11-20T08:00:00.000Z' }),
]

type Message = ShownEndpoint['messages'][number]
const message = (id: number, more: Partial<Message> = {}): Message => ({
  id: `msg_${id}`,
  type: 'contract.partially_signed',
  contractId: 'contract-1795183380000-k3v9x2m1q',
  state: 'delivered',
  attempts: 1,
  status: 204,
  failure: null,
  answer: '',
  createdAt: `2026-11-24T12:0${id}:17.000Z`,
  dueAt: null,
  finishedAt: `2026-11-24T12:0${id}:18.000Z`,
  ...more,
})
const MESSAGES = [
  message(9, {
    type: 'test',
    contractId: null,
    state: 'due',
    attempts: 0,
    status: null,
    dueAt: '2026-11-24T12:09:17.000Z',
  }),
  message(8, { type: 'contract.signed' }),
  message(7, {
    state: 'due',
    attempts: 2,
    status: 503,
    answer: 'Maintenance until 13:00',
    dueAt: '2026-11-24T12:37:17.000Z',
  }),
  message(6, {
    type: 'party.delivery_refused',
    state: 'due',
    attempts: 1,
    status: null,
    failure: 'time',
    dueAt: '2026-11-24T12:06:22.000Z',
  }),
  message(5, { type: 'contract.expired', state: 'given_up', attempts: 10, status: 404 }),
]

const list =
  (endpoints: readonly ListedEndpoint[], typed = '') =>
  (page: PageProps) => {
    const errors = typed === '' ? [] : [{ field: 'url', message: webhookMessages(page.locale).urlWrong }]
    return <WebhooksPage {...{ page, endpoints, typed, errors, environment: 'production', timeZone: TIME_ZONE }} />
  }
const shown = (of: ListedEndpoint, messages: readonly Message[]) => (page: PageProps) => (
  <WebhookPage
    {...{ page, environment: 'production', timeZone: TIME_ZONE }}
    endpoint={{ ...of, messages: [...messages] }}
  />
)
const question = (act: 'rotate' | 'remove') => (page: PageProps) => (
  <WebhookQuestion {...{ page, act, environment: 'production' }} endpoint={{ ...ENDPOINTS[0]!, messages: [] }} />
)

export const webhookPages: readonly CatalogueEntry[] = [
  owned('console-20-webhooks', list(ENDPOINTS)),
  owned('console-20n-webhooks-none', list([]), 200, TRIAL),
  owned('console-20e-webhooks-error', list([], 'http://nordicfoods.example'), 422),
  owned('console-21-webhook', shown(ENDPOINTS[0]!, MESSAGES)),
  owned('console-21d-webhook-disabled', shown(ENDPOINTS[2]!, [])),
  owned('console-22-webhook-once', (page) => (
    <WebhookOncePage
      {...{ page, environment: 'production' }}
      keys={{
        id: 'hook_1',
        secret: 'whsec_ExampleDoNotUse0000000000000000000000000000=',
        publicKey: ENDPOINTS[0]!.publicKey,
      }}
    />
  )),
  owned('console-22r-webhook-rotate', question('rotate')),
  owned('console-22x-webhook-remove', question('remove')),
]
