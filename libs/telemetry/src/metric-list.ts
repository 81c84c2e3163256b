// Every metric that a process of ours can tell: data, and the one source of docs/metrics.md, alerts and dashboards. Pure.
// Owns: names, units, attributes, what each says. Does not own: when it is told (metrics.ts, and who calls it), how it leaves.
// Names and units follow OpenTelemetry; what Prometheus makes of them is `prometheusName`. [P14, B.5]

export type Source = 'gateway' | 'contract' | 'signing' | 'notification' | 'paraph'

export interface Metric {
  kind: 'counter' | 'gauge' | 'histogram'
  /** UCUM: `s`, or what is counted, in braces; none for a yes or no, which is 1 or 0. */
  unit: string
  /** Who tells it. */
  of: readonly Source[]
  /** Attribute → its values; each a small closed set, or names that we gave. */
  attributes: Readonly<Record<string, string>>
  says: string
  /** A fact of the service's database: every replica reads the same rows and tells the same number, so take `max`, never `sum`. */
  shared?: boolean
}

const ALL = ['gateway', 'contract', 'signing', 'notification'] as const
const CONSUMERS = ['signing', 'notification'] as const
const WITH_CODES = ['gateway', 'signing'] as const

const CONSUMER = { 'messaging.consumer.group.name': 'signing, notification' }
const TOPIC = { 'messaging.destination.name': 'a topic' }
const ENVIRONMENT = { 'paraph.environment': 'production, sandbox' }
const TIER = { 'paraph.tier': 'the name of a tier' }
const KIND = { 'paraph.kind': 'invitation, code, completed, cancelled, expired, owner_code, owner_mail' }

/** What we tell ourselves. */
export const METRICS = {
  'paraph.auth.failures': {
    ...{ kind: 'counter', unit: '{request}', of: ['gateway'] },
    attributes: { 'paraph.reason': 'missing, unknown, too_many, scope, suspended, inactive' },
    says: 'Calls refused for their key: none or not one of ours, one that does not exist or was revoked, either from an address that sent too many of them, without the scope, of an account on hold, of one that has not paid.',
  },
  'paraph.ratelimit.decisions': {
    ...{ kind: 'counter', unit: '{request}', of: ['gateway'] },
    attributes: { ...TIER, ...ENVIRONMENT, 'paraph.outcome': 'admitted, refused' },
    says: 'Calls with a good key that the sliding window admitted, and those that got 429. [D27]',
  },
  'paraph.ratelimit.duration': {
    ...{ kind: 'histogram', unit: 's', of: ['gateway'], attributes: {} },
    says: 'From asking the shared windows (WINDOW_STORE=postgres) to their word, or to giving them up.',
  },
  'paraph.ratelimit.fallbacks': {
    ...{ kind: 'counter', unit: '{request}', of: ['gateway'], attributes: {} },
    says: 'Calls for which this gateway decided by its own log, because the shared windows did not answer in time.',
  },
  'paraph.ratelimit.store.up': {
    ...{ kind: 'gauge', unit: '', of: ['gateway'], attributes: {} },
    says: '1 while the shared windows are asked, 0 while they are left alone after failures. Only with WINDOW_STORE=postgres.',
  },
  'paraph.quota.refusals': {
    ...{ kind: 'counter', unit: '{request}', of: ['gateway'] },
    attributes: { ...TIER, ...ENVIRONMENT },
    says: 'Calls that got 429 because the month’s quota is used up and the account stops there. [D4]',
  },
  'paraph.usage.uncommitted': {
    ...{ kind: 'gauge', unit: '{call}', of: ['gateway'], attributes: {} },
    says: 'Calls of this process that are not in the record yet. Nobody has their answer, unless the record fails. [D40]',
  },
  'paraph.usage.failing': {
    ...{ kind: 'gauge', unit: '', of: ['gateway'], attributes: {} },
    says: '1 while the last commit of this process failed: calls get 503. [D40]',
  },
  'paraph.usage.commit.duration': {
    ...{ kind: 'histogram', unit: 's', of: ['gateway'], attributes: {} },
    says: 'One write of the record, successful or not.',
  },
  'paraph.waits.open': {
    ...{ kind: 'gauge', unit: '{request}', of: ['gateway'], attributes: {} },
    says: 'Long polls that this process holds. [D22]',
  },
  'paraph.owner_mail.waiting': {
    ...{ kind: 'gauge', unit: '{mail}', of: ['gateway'], attributes: {}, shared: true },
    says: 'Mails to owners that the notification service has not taken yet.',
  },
  'paraph.outbox.unpublished': {
    ...{ kind: 'gauge', unit: '{event}', of: ALL, attributes: {}, shared: true },
    says: 'Events in the outbox that the bus has not taken yet; counted up to 100,000.',
  },
  'paraph.outbox.unpublished.age': {
    ...{ kind: 'gauge', unit: 's', of: ALL, attributes: {}, shared: true },
    says: 'Age of the oldest of them; 0 where there is none.',
  },
  'paraph.outbox.published': {
    ...{ kind: 'counter', unit: '{event}', of: ALL, attributes: TOPIC },
    says: 'Events that this process handed to the bus.',
  },
  'paraph.outbox.publish.duration': {
    ...{ kind: 'histogram', unit: 's', of: ALL, attributes: { 'paraph.outcome': 'taken, refused' } },
    says: 'One batch, from handing it to the bus to its word.',
  },
  'paraph.consumer.events': {
    ...{ kind: 'counter', unit: '{event}', of: CONSUMERS },
    attributes: { ...CONSUMER, 'paraph.outcome': 'handled, duplicate, failed, dead_letter' },
    says: 'What became of events; `failed` counts attempts.',
  },
  'paraph.consumer.delay': {
    ...{ kind: 'histogram', unit: 's', of: CONSUMERS, attributes: CONSUMER },
    says: 'From the bus taking an event to its rows being committed; of each batch the oldest.',
  },
  'paraph.consumer.lag': {
    ...{ kind: 'gauge', unit: '{event}', of: CONSUMERS, attributes: { ...CONSUMER, ...TOPIC }, shared: true },
    says: 'Events that the whole group has not handled yet, as the bus counts them.',
  },
  'paraph.consumer.stalled': {
    ...{ kind: 'gauge', unit: 's', of: CONSUMERS, attributes: CONSUMER },
    says: 'How long the worst partition of this process has had something to do and has not moved. [H9]',
  },
  'paraph.dead_letters': {
    ...{ kind: 'gauge', unit: '{event}', of: CONSUMERS, attributes: CONSUMER, shared: true },
    says: 'Dead letters that were not redriven; counted up to 1,000. [D49]',
  },
  'paraph.email.attempts': {
    ...{ kind: 'counter', unit: '{mail}', of: ['notification'] },
    attributes: { ...KIND, 'paraph.outcome': 'accepted, put_off, unanswered, refused, gave_up, lapsed, skipped' },
    says: 'What came of each look at a mail: the relay has it, it is tried again, it has the text and did not answer, refused for good, tried for 48 hours, a code too old to be sent, no longer wanted.',
  },
  'paraph.email.accept.duration': {
    ...{ kind: 'histogram', unit: 's', of: ['notification'], attributes: KIND },
    says: 'From the row of a mail to the relay’s 250.',
  },
  'paraph.email.waiting': {
    ...{
      kind: 'gauge',
      unit: '{mail}',
      of: ['notification'],
      attributes: { 'paraph.lane': 'codes, others' },
      shared: true,
    },
    says: 'Mails that are due and not sent, those of accounts on hold apart; counted up to 100,000. Codes have a lane of their own.',
  },
  'paraph.email.waiting.age': {
    ...{ kind: 'gauge', unit: 's', of: ['notification'], attributes: { 'paraph.lane': 'codes, others' }, shared: true },
    says: 'For how long the oldest of them has been due; 0 where there is none.',
  },
  'paraph.email.held': {
    ...{ kind: 'gauge', unit: '{mail}', of: ['notification'], attributes: {}, shared: true },
    says: 'Mails that are held until somebody releases them, after a restore; counted up to 100,000.',
  },
  'paraph.email.relay.up': {
    ...{ kind: 'gauge', unit: '', of: ['notification'], attributes: {} },
    says: '1 while this process believes that the relay of mails takes mail. [F6]',
  },
  'paraph.code.requests': {
    ...{ kind: 'counter', unit: '{request}', of: WITH_CODES },
    attributes: { 'paraph.outcome': 'sent, limited, refused' },
    says: 'One-time codes asked for: one is on its way (or would be, to a stranger), the mailbox has had enough for now, the client has asked too often. [D16]',
  },
  'paraph.code.checks': {
    ...{ kind: 'counter', unit: '{request}', of: WITH_CODES },
    attributes: { 'paraph.outcome': 'verified, wrong, wrong_shape, expired, used, dead' },
    says: 'Typed codes, and what was wrong with them. [D16]',
  },
  'paraph.code.waiting': {
    ...{ kind: 'gauge', unit: '{mail}', of: WITH_CODES, attributes: {}, shared: true },
    says: 'Codes that the notification service has not taken yet. [D42]',
  },
  'paraph.contract.transitions': {
    ...{ kind: 'counter', unit: '{contract}', of: ['contract'] },
    attributes: {
      ...ENVIRONMENT,
      'paraph.from': 'none, pending_signature, partially_signed',
      'paraph.to': 'pending_signature, partially_signed, signed, expired, cancelled',
    },
    says: 'Changes of state that were committed.',
  },
  'paraph.expiry.overdue': {
    ...{ kind: 'gauge', unit: '{contract}', of: ['contract'], attributes: {}, shared: true },
    says: 'Contracts past expiresAt that the sweep has not ended yet; counted up to 10,000. GET says expired all the same. [I10]',
  },
  'paraph.expiry.overdue.age': {
    ...{ kind: 'gauge', unit: 's', of: ['contract'], attributes: {}, shared: true },
    says: 'How far past it the oldest of them is; 0 where there is none.',
  },
  'paraph.seal.waiting': {
    ...{ kind: 'gauge', unit: '{contract}', of: ['signing'], attributes: {}, shared: true },
    says: 'Signed contracts whose evidence is not sealed yet; counted up to 10,000.',
  },
  'paraph.seal.troubled': {
    ...{ kind: 'gauge', unit: '{contract}', of: ['signing'], attributes: {}, shared: true },
    says: 'Those among them that have failed so often that page 8 says so. [D30]',
  },
  'paraph.seal.duration': {
    ...{ kind: 'histogram', unit: 's', of: ['signing'], attributes: {} },
    says: 'From the closed chain to the stored seal.',
  },
  'paraph.signature.unsettled': {
    ...{ kind: 'gauge', unit: '{signature}', of: ['signing'], attributes: {}, shared: true },
    says: 'Submitted signatures of which nobody knows yet whether they were recorded, and that should have been settled. [D41]',
  },
  'paraph.loop.age': {
    ...{ kind: 'gauge', unit: 's', of: ALL, attributes: { 'paraph.loop': 'the name of a loop' } },
    says: 'Since a background loop of this process last went round; the liveness probe fails at its limit. [H11]',
  },
  'paraph.database.up': {
    ...{ kind: 'gauge', unit: '', of: ALL, attributes: {} },
    says: '1 while the database of this process answers, 0 while it does not. A full pool says nothing of it: then a connection of its own asks.',
  },
  'paraph.database.connections': {
    ...{ kind: 'gauge', unit: '{connection}', of: ALL },
    attributes: { 'paraph.pool': 'main; usage and windows of the gateway', 'paraph.state': 'idle, used' },
    says: 'Connections in the pools of this process.',
  },
  'paraph.database.waiting': {
    ...{ kind: 'gauge', unit: '{request}', of: ALL, attributes: { 'paraph.pool': 'as above' } },
    says: 'Who waits for a connection.',
  },
  'paraph.invariant.violations': {
    ...{ kind: 'gauge', unit: '{violation}', of: ['paraph'] },
    attributes: { 'paraph.invariant': 'I1 to I14', 'paraph.kind': 'the fault by name' },
    says: 'What the last `paraph verify` found wrong. Sent by OTLP when the command ends.',
  },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS

/** What libraries tell in our processes, through our wall. Their units and values are in the conventions of OpenTelemetry. */
export const LIBRARY_METRICS = {
  'http.server.request.duration': {
    ...{ kind: 'histogram', unit: 's', of: ALL },
    attributes: {
      ...{ 'http.request.method': '', 'http.route': 'the template of a path', 'http.response.status_code': '' },
      ...{ 'url.scheme': '', 'network.protocol.version': '', 'error.type': '' },
    },
    says: 'Every request to either port, except health and metrics. A long poll that may wait has the route `…/contracts/{id}/wait`: how long it took is not how long we took. [D22]',
  },
  'http.client.request.duration': {
    ...{ kind: 'histogram', unit: 's', of: ['gateway', 'signing', 'notification'] },
    attributes: {
      ...{ 'http.request.method': '', 'http.response.status_code': '', 'server.address': '', 'server.port': '' },
      ...{ 'url.scheme': '', 'network.protocol.version': '', 'error.type': '' },
    },
    says: 'Calls between the services.',
  },
  'db.client.operation.duration': {
    ...{ kind: 'histogram', unit: 's', of: ALL },
    attributes: {
      ...{ 'db.system.name': '', 'db.namespace': '', 'db.operation.name': '', 'server.address': '', 'server.port': '' },
      ...{ 'error.type': '' },
    },
    says: 'Statements to Postgres.',
  },
  'nodejs.eventloop.delay.p99': {
    ...{ kind: 'gauge', unit: 's', of: ALL, attributes: {} },
    says: 'By how much the one thread of a process comes late, since the last collection.',
  },
  'nodejs.eventloop.delay.max': {
    ...{ kind: 'gauge', unit: 's', of: ALL, attributes: {} },
    says: 'The same, at the worst.',
  },
  'nodejs.eventloop.utilization': {
    ...{ kind: 'gauge', unit: '1', of: ALL, attributes: {} },
    says: 'The part of the time in which it had something to do, since the last collection; 1 is all a process can.',
  },
  'v8js.memory.heap.used': {
    ...{ kind: 'gauge', unit: 'By', of: ALL, attributes: { 'v8js.heap.space.name': '' } },
    says: 'The heap; `sum` over the spaces.',
  },
  'v8js.gc.duration': {
    ...{ kind: 'histogram', unit: 's', of: ALL, attributes: { 'v8js.gc.type': 'major, minor, incremental, weakcb' } },
    says: 'Collections of garbage.',
  },
  'otel.sdk.processor.span.processed': {
    ...{ kind: 'counter', unit: '{span}', of: ALL },
    attributes: {
      'otel.component.type': '',
      'error.type': '`queue_full` for spans that found no room, another for those that no collector took',
    },
    says: 'Spans that were sent, or were to be; those with an `error.type` were dropped. [F24]',
  },
} as const satisfies Readonly<Record<string, Metric>>

const SUFFIX: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' }

/**
 * The name under which Prometheus has it, scraped or by OTLP: `paraph_outbox_unpublished_age_seconds`. A histogram has `_bucket`, `_sum`
 * and `_count` behind it.
 */
export function prometheusName(name: string, { kind, unit }: Pick<Metric, 'kind' | 'unit'>): string {
  const bare = name.replace(/[^A-Za-z0-9]+/g, '_')
  return `${bare}${SUFFIX[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`
}
