// Every metric of our processes, as data: the source of docs/metrics.md, which alerts and dashboards are checked against. Pure.
// Names and units follow OpenTelemetry; `prometheusName` gives the name in Prometheus. [P14]

export type Source = 'gateway' | 'contract' | 'signing' | 'notification' | 'paraph'

export interface Metric {
  kind: 'counter' | 'gauge' | 'histogram'
  /** UCUM: `s`, or the counted thing in braces; empty for a gauge that is 1 or 0. */
  unit: string
  /** The processes that emit it. */
  of: readonly Source[]
  /** Attribute → its values: a small closed set, or names of our own. */
  attributes: Readonly<Record<string, string>>
  says: string
  /** Read from the service's database: every replica reports the same number, so aggregate with `max`, never `sum`. */
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

/** The metrics that our code records. */
export const METRICS = {
  'paraph.auth.failures': {
    kind: 'counter',
    unit: '{request}',
    of: ['gateway'],
    attributes: { 'paraph.reason': 'missing, unknown, too_many, scope, suspended, inactive' },
    says: 'Calls refused because of their key. By reason: `missing`: no key, or text that is no key of ours; `unknown`: a key that does not exist or is revoked; `too_many`: a missing or unknown key from an address that sent too many of them; `scope`: the key lacks the scope; `suspended`: the account is suspended; `inactive`: the subscription does not allow the call.',
  },
  'paraph.ratelimit.decisions': {
    kind: 'counter',
    unit: '{request}',
    of: ['gateway'],
    attributes: { ...TIER, ...ENVIRONMENT, 'paraph.outcome': 'admitted, refused' },
    says: 'Calls with a valid key that the sliding window admitted or refused with 429. [D27]',
  },
  'paraph.ratelimit.duration': {
    kind: 'histogram',
    unit: 's',
    of: ['gateway'],
    attributes: {},
    says: 'Duration of a request to the shared windows (WINDOW_STORE=postgres), timeouts included.',
  },
  'paraph.ratelimit.fallbacks': {
    kind: 'counter',
    unit: '{request}',
    of: ['gateway'],
    attributes: {},
    says: 'Calls that this gateway decided from its own log, because the shared windows did not answer in time.',
  },
  'paraph.ratelimit.store.up': {
    kind: 'gauge',
    unit: '',
    of: ['gateway'],
    attributes: {},
    says: '1 while the gateway uses the shared windows, 0 while it skips them after failures. Only with WINDOW_STORE=postgres.',
  },
  'paraph.quota.refusals': {
    kind: 'counter',
    unit: '{request}',
    of: ['gateway'],
    attributes: { ...TIER, ...ENVIRONMENT },
    says: 'Calls refused with 429: the monthly quota is used up and the account is set to stop there. [D4]',
  },
  'paraph.usage.uncommitted': {
    kind: 'gauge',
    unit: '{call}',
    of: ['gateway'],
    attributes: {},
    says: 'Calls of this process that are not recorded yet. A call is answered after its record is committed, unless commits fail. [D40]',
  },
  'paraph.usage.failing': {
    kind: 'gauge',
    unit: '',
    of: ['gateway'],
    attributes: {},
    says: '1 if the last usage commit of this process failed; calls then get 503. [D40]',
  },
  'paraph.usage.commit.duration': {
    kind: 'histogram',
    unit: 's',
    of: ['gateway'],
    attributes: {},
    says: 'Duration of one usage commit, successful or not.',
  },
  'paraph.waits.open': {
    kind: 'gauge',
    unit: '{request}',
    of: ['gateway'],
    attributes: {},
    says: 'Open long polls of this process. [D22]',
  },
  'paraph.owner_mail.waiting': {
    kind: 'gauge',
    unit: '{mail}',
    of: ['gateway'],
    attributes: {},
    shared: true,
    says: 'Mails to owners that the notification service has not accepted yet.',
  },
  'paraph.outbox.unpublished': {
    kind: 'gauge',
    unit: '{event}',
    of: ALL,
    attributes: {},
    shared: true,
    says: 'Events in the outbox that the bus has not accepted yet; counted up to 100,000.',
  },
  'paraph.outbox.unpublished.age': {
    kind: 'gauge',
    unit: 's',
    of: ALL,
    attributes: {},
    shared: true,
    says: 'Age of the oldest unpublished event; 0 if there is none.',
  },
  'paraph.outbox.published': {
    kind: 'counter',
    unit: '{event}',
    of: ALL,
    attributes: TOPIC,
    says: 'Events that this process published to the bus.',
  },
  'paraph.outbox.publish.duration': {
    kind: 'histogram',
    unit: 's',
    of: ALL,
    attributes: { 'paraph.outcome': 'taken, refused' },
    says: 'Duration of publishing one batch, from the request to the bus to its answer.',
  },
  'paraph.consumer.events': {
    kind: 'counter',
    unit: '{event}',
    of: CONSUMERS,
    attributes: { ...CONSUMER, 'paraph.outcome': 'handled, duplicate, failed, dead_letter' },
    says: 'Results of event handling; `failed` counts attempts.',
  },
  'paraph.consumer.delay': {
    kind: 'histogram',
    unit: 's',
    of: CONSUMERS,
    attributes: CONSUMER,
    says: 'Time from publication to the commit of the consumer; one value per batch, for its oldest event.',
  },
  'paraph.consumer.lag': {
    kind: 'gauge',
    unit: '{event}',
    of: CONSUMERS,
    attributes: { ...CONSUMER, ...TOPIC },
    shared: true,
    says: 'Events that the consumer group has not handled yet, as counted by the bus.',
  },
  'paraph.consumer.stalled': {
    kind: 'gauge',
    unit: 's',
    of: CONSUMERS,
    attributes: CONSUMER,
    says: 'Time for which the slowest partition of this process has had events to handle without progress. [H9]',
  },
  'paraph.dead_letters': {
    kind: 'gauge',
    unit: '{event}',
    of: CONSUMERS,
    attributes: CONSUMER,
    shared: true,
    says: 'Dead letters that have not been redriven; counted up to 1,000. [D49]',
  },
  'paraph.email.attempts': {
    kind: 'counter',
    unit: '{mail}',
    of: ['notification'],
    attributes: { ...KIND, 'paraph.outcome': 'accepted, put_off, unanswered, refused, gave_up, lapsed, skipped' },
    says: 'Delivery attempts. By outcome: `accepted`: the SMTP server accepted the mail; `put_off`: the mail is rescheduled; `unanswered`: the SMTP server got the text and did not answer; `refused`: permanently refused; `gave_up`: no success within 48 hours; `lapsed`: the code is too old to send; `skipped`: the mail is no longer needed.',
  },
  'paraph.email.accept.duration': {
    kind: 'histogram',
    unit: 's',
    of: ['notification'],
    attributes: KIND,
    says: 'Time from the creation of a mail to the 250 of the SMTP server.',
  },
  'paraph.email.waiting': {
    kind: 'gauge',
    unit: '{mail}',
    of: ['notification'],
    attributes: { 'paraph.lane': 'codes, others' },
    shared: true,
    says: 'Mails that are due and not sent, without those of suspended accounts; counted up to 100,000. Codes have a lane of their own.',
  },
  'paraph.email.waiting.age': {
    kind: 'gauge',
    unit: 's',
    of: ['notification'],
    attributes: { 'paraph.lane': 'codes, others' },
    shared: true,
    says: 'Time since the oldest waiting mail became due; 0 if there is none.',
  },
  'paraph.email.held': {
    kind: 'gauge',
    unit: '{mail}',
    of: ['notification'],
    attributes: {},
    shared: true,
    says: 'Mails that are paused after a restore until an operator releases them; counted up to 100,000.',
  },
  'paraph.email.relay.up': {
    kind: 'gauge',
    unit: '',
    of: ['notification'],
    attributes: {},
    says: '1 while this process considers the SMTP server available. [F6]',
  },
  'paraph.code.requests': {
    kind: 'counter',
    unit: '{request}',
    of: WITH_CODES,
    attributes: { 'paraph.outcome': 'sent, limited, refused' },
    says: "Requests for a one-time code. By outcome: `sent`: a code is on its way (or would be, if the mailbox were a party's); `limited`: the mailbox has reached its limit; `refused`: the client has reached its limit. [D16]",
  },
  'paraph.code.checks': {
    kind: 'counter',
    unit: '{request}',
    of: WITH_CODES,
    attributes: { 'paraph.outcome': 'verified, wrong, wrong_shape, expired, used, dead' },
    says: 'Checks of typed one-time codes by result. [D16]',
  },
  'paraph.code.waiting': {
    kind: 'gauge',
    unit: '{mail}',
    of: WITH_CODES,
    attributes: {},
    shared: true,
    says: 'Codes that the notification service has not accepted yet. [D42]',
  },
  'paraph.contract.transitions': {
    kind: 'counter',
    unit: '{contract}',
    of: ['contract'],
    attributes: {
      ...ENVIRONMENT,
      'paraph.from': 'none, pending_signature, partially_signed',
      'paraph.to': 'pending_signature, partially_signed, signed, expired, cancelled',
    },
    says: 'Committed status changes of contracts; `none` is the state before creation.',
  },
  'paraph.expiry.overdue': {
    kind: 'gauge',
    unit: '{contract}',
    of: ['contract'],
    attributes: {},
    shared: true,
    says: 'Contracts past expiresAt that the sweep has not expired yet; counted up to 10,000. GET already answers `expired`. [I10]',
  },
  'paraph.expiry.overdue.age': {
    kind: 'gauge',
    unit: 's',
    of: ['contract'],
    attributes: {},
    shared: true,
    says: 'Time since expiresAt of the oldest overdue contract; 0 if there is none.',
  },
  'paraph.seal.waiting': {
    kind: 'gauge',
    unit: '{contract}',
    of: ['signing'],
    attributes: {},
    shared: true,
    says: 'Signed contracts whose evidence is not sealed yet; counted up to 10,000.',
  },
  'paraph.seal.troubled': {
    kind: 'gauge',
    unit: '{contract}',
    of: ['signing'],
    attributes: {},
    shared: true,
    says: 'Contracts waiting for their seal that have failed so often that page 8 shows it. [D30]',
  },
  'paraph.seal.duration': {
    kind: 'histogram',
    unit: 's',
    of: ['signing'],
    attributes: {},
    says: 'Time from the closed evidence chain to the stored seal.',
  },
  'paraph.signature.unsettled': {
    kind: 'gauge',
    unit: '{signature}',
    of: ['signing'],
    attributes: {},
    shared: true,
    says: 'Overdue signature attempts: submitted, but neither recorded nor given up. [D41]',
  },
  'paraph.loop.age': {
    kind: 'gauge',
    unit: 's',
    of: ALL,
    attributes: { 'paraph.loop': 'the name of a loop' },
    says: 'Time since a background loop of this process last began a round; the liveness probe fails at a limit. [H11]',
  },
  'paraph.database.up': {
    kind: 'gauge',
    unit: '',
    of: ALL,
    attributes: {},
    says: '1 while the database of this process answers, 0 while it does not. While the pool is full, a separate connection checks it.',
  },
  'paraph.database.connections': {
    kind: 'gauge',
    unit: '{connection}',
    of: ALL,
    attributes: { 'paraph.pool': 'main; usage and windows of the gateway', 'paraph.state': 'idle, used' },
    says: 'Connections in the pools of this process.',
  },
  'paraph.database.waiting': {
    kind: 'gauge',
    unit: '{request}',
    of: ALL,
    attributes: { 'paraph.pool': 'as above' },
    says: 'Requests that wait for a connection of the pool.',
  },
  'paraph.invariant.violations': {
    kind: 'gauge',
    unit: '{violation}',
    of: ['paraph'],
    attributes: { 'paraph.invariant': 'I1 to I14', 'paraph.kind': 'the fault by name' },
    says: 'Violations that the last `paraph verify` found. Sent by OTLP when the command ends.',
  },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS

/** The metrics of libraries that pass our allow-list. OpenTelemetry's conventions define their units and values. */
export const LIBRARY_METRICS = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    of: ALL,
    attributes: {
      'http.request.method': '',
      'http.route': 'the template of a path',
      'http.response.status_code': '',
      'url.scheme': '',
      'network.protocol.version': '',
      'error.type': '',
    },
    says: 'Duration of requests to either port, without health and metrics. A request that may long-poll has the route `…/contracts/{id}/wait`, because its duration says nothing about speed. [D22]',
  },
  'http.client.request.duration': {
    kind: 'histogram',
    unit: 's',
    of: ['gateway', 'signing', 'notification'],
    attributes: {
      'http.request.method': '',
      'http.response.status_code': '',
      'server.address': '',
      'server.port': '',
      'url.scheme': '',
      'network.protocol.version': '',
      'error.type': '',
    },
    says: 'Duration of calls between services.',
  },
  'db.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    of: ALL,
    attributes: {
      'db.system.name': '',
      'db.namespace': '',
      'db.operation.name': '',
      'server.address': '',
      'server.port': '',
      'error.type': '',
    },
    says: 'Duration of statements to Postgres.',
  },
  'nodejs.eventloop.delay.p99': {
    kind: 'gauge',
    unit: 's',
    of: ALL,
    attributes: {},
    says: 'Delay of the event loop, 99th percentile, since the last collection.',
  },
  'nodejs.eventloop.delay.max': {
    kind: 'gauge',
    unit: 's',
    of: ALL,
    attributes: {},
    says: 'Delay of the event loop, maximum, since the last collection.',
  },
  'nodejs.eventloop.utilization': {
    kind: 'gauge',
    unit: '1',
    of: ALL,
    attributes: {},
    says: 'Share of time in which the event loop was busy, since the last collection; 1 is full load.',
  },
  'v8js.memory.heap.used': {
    kind: 'gauge',
    unit: 'By',
    of: ALL,
    attributes: { 'v8js.heap.space.name': '' },
    says: 'Used heap; `sum` over the spaces.',
  },
  'v8js.gc.duration': {
    kind: 'histogram',
    unit: 's',
    of: ALL,
    attributes: { 'v8js.gc.type': 'major, minor, incremental, weakcb' },
    says: 'Duration of garbage collections.',
  },
  'otel.sdk.processor.span.processed': {
    kind: 'counter',
    unit: '{span}',
    of: ALL,
    attributes: {
      'otel.component.type': '',
      'error.type': '`queue_full` for spans that found the queue full, another for those that no collector accepted',
    },
    says: 'Spans that were exported or dropped; dropped ones have an `error.type`. [F24]',
  },
} as const satisfies Readonly<Record<string, Metric>>

const SUFFIX: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' }

/**
 * The name in Prometheus, whether scraped or sent by OTLP: `paraph_outbox_unpublished_age_seconds`. A histogram appends `_bucket`,
 * `_sum` and `_count`.
 */
export function prometheusName(name: string, { kind, unit }: Pick<Metric, 'kind' | 'unit'>): string {
  const bare = name.replace(/[^A-Za-z0-9]+/g, '_')
  return `${bare}${SUFFIX[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`
}
