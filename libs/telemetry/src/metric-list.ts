// Every metric of our processes, as data: the source of docs/reference/metrics.md, which alerts and dashboards are checked against. Pure.
// Names and units follow OpenTelemetry; `prometheusName` gives the name in Prometheus. [P14]

export type Source = 'gateway' | 'contract' | 'signing' | 'notification' | 'paraph'

export interface Metric {
  kind: 'counter' | 'gauge' | 'histogram'
  /** The unit in UCUM: `s`, or the counted object in braces; empty for a gauge that is 1 or 0. */
  unit: string
  /** The processes that emit it. */
  sources: readonly Source[]
  description: string
  /** Attribute → its values: a small closed set, or names of our own. The allow-list includes every attribute. */
  attributes: Readonly<Record<string, string>>
  /** True for a value from the service's database: every replica reports the same number, so aggregate with `max`, never `sum`. */
  shared: boolean
}

const metric =
  <const Kind extends Metric['kind'], const Shared extends boolean>(kind: Kind, shared: Shared) =>
  <const Attributes extends Metric['attributes'] = Record<never, string>>(
    unit: Metric['unit'],
    sources: Metric['sources'],
    attributes = {} as Attributes,
  ) => ({ describe: (description: string) => ({ kind, unit, sources, description, attributes, shared }) })
const counter = metric('counter', false)
const histogram = metric('histogram', false)
const gauge = metric('gauge', false)
const sharedGauge = metric('gauge', true)

const ALL = ['gateway', 'contract', 'signing', 'notification'] as const
const GATEWAY = ['gateway'] as const
const NOTIFICATION = ['notification'] as const
const CONSUMERS = ['contract', 'signing', 'notification'] as const
const WITH_CODES = ['gateway', 'signing'] as const

const CONSUMER = { 'messaging.consumer.group.name': 'signing, notification' }
const TOPIC = { 'messaging.destination.name': 'a topic' }
const ENVIRONMENT = { 'paraph.environment': 'production, sandbox' }
const TIER = { 'paraph.tier': 'the name of a tier' }
const KIND = {
  'paraph.kind': 'invitation, reminder, code, completed, cancelled, expired, readdressed, owner_code, owner_mail',
}

/** The metrics that our code records. */
export const METRICS = {
  'paraph.auth.failures': counter('{request}', GATEWAY, {
    'paraph.reason': 'missing, unknown, too_many, scope, suspended, inactive',
  }).describe(
    'Calls refused because of their key. By reason: `missing`: no key, or text that is not a Paraph key; `unknown`: a key that does not exist or is revoked; `too_many`: a missing or unknown key from an address that sent too many of them; `scope`: the key lacks the scope; `suspended`: the account is suspended; `inactive`: the subscription does not allow the call.',
  ),
  'paraph.ratelimit.decisions': counter('{request}', GATEWAY, {
    ...TIER,
    ...ENVIRONMENT,
    'paraph.outcome': 'admitted, refused',
  }).describe('Calls with a valid key that the sliding window admitted or refused with 429. [D27]'),
  'paraph.ratelimit.duration': histogram('s', GATEWAY).describe(
    'Duration of a request to the shared windows (WINDOW_STORE=postgres), timeouts included.',
  ),
  'paraph.ratelimit.fallbacks': counter('{request}', GATEWAY).describe(
    'Calls that this gateway decided from its own log, because the shared windows did not answer in time.',
  ),
  'paraph.ratelimit.store.up': gauge('', GATEWAY).describe(
    '1 while the gateway uses the shared windows, 0 while it skips them after failures. Only with WINDOW_STORE=postgres.',
  ),
  'paraph.quota.refusals': counter('{request}', GATEWAY, { ...TIER, ...ENVIRONMENT }).describe(
    'Calls refused with 429: the monthly quota is used up and the account is set to stop there. [D4]',
  ),
  'paraph.usage.uncommitted': gauge('{call}', GATEWAY).describe(
    'Calls of this process that are not recorded yet. A call gets its response after its record is committed, unless commits fail. [D40]',
  ),
  'paraph.usage.failing': gauge('', GATEWAY).describe(
    '1 if the last usage commit of this process failed; calls then get 503. [D40]',
  ),
  'paraph.usage.commit.duration': histogram('s', GATEWAY).describe('Duration of one usage commit, successful or not.'),
  'paraph.waits.open': gauge('{request}', GATEWAY).describe('Open long polls of this process. [D22]'),
  'paraph.owner_mail.waiting': sharedGauge('{mail}', GATEWAY).describe(
    'Mails to owners that the notification service has not accepted yet.',
  ),
  'paraph.outbox.unpublished': sharedGauge('{event}', ALL).describe(
    'Events in the outbox that the bus has not accepted yet; counted up to 100,000.',
  ),
  'paraph.outbox.unpublished.age': sharedGauge('s', ALL).describe(
    'Age of the oldest unpublished event; 0 if there is none.',
  ),
  'paraph.outbox.published': counter('{event}', ALL, TOPIC).describe('Events that this process published to the bus.'),
  'paraph.outbox.publish.duration': histogram('s', ALL, { 'paraph.outcome': 'taken, refused' }).describe(
    'Duration of publishing one batch, from the request to the bus until its response.',
  ),
  'paraph.consumer.events': counter('{event}', CONSUMERS, {
    ...CONSUMER,
    'paraph.outcome': 'handled, duplicate, failed, dead_letter',
  }).describe('Results of event handling; `failed` counts attempts.'),
  'paraph.consumer.delay': histogram('s', CONSUMERS, CONSUMER).describe(
    'Time from publication to the commit of the consumer; one value per batch, for its oldest event.',
  ),
  'paraph.consumer.lag': sharedGauge('{event}', CONSUMERS, { ...CONSUMER, ...TOPIC }).describe(
    'Events that the consumer group has not handled yet, as counted by the bus.',
  ),
  'paraph.consumer.stalled': gauge('s', CONSUMERS, CONSUMER).describe(
    'Time for which the slowest partition of this process has had events to handle without progress. [H9]',
  ),
  'paraph.dead_letters': sharedGauge('{event}', CONSUMERS, CONSUMER).describe(
    'Dead letters that have not been redriven, with parked evidence tasks; counted up to 1,000. [D49]',
  ),
  'paraph.email.attempts': counter('{mail}', NOTIFICATION, {
    ...KIND,
    'paraph.outcome': 'accepted, put_off, unanswered, refused, gave_up, lapsed, skipped',
  }).describe(
    'Delivery attempts. By outcome: `accepted`: the SMTP server accepted the mail; `put_off`: the mail is rescheduled; `unanswered`: the SMTP server got the text and did not answer; `refused`: permanently refused; `gave_up`: no success within 48 hours; `lapsed`: the code is too old to send; `skipped`: the mail is no longer needed.',
  ),
  'paraph.email.accept.duration': histogram('s', NOTIFICATION, KIND).describe(
    'Time from the creation of a mail to the 250 of the SMTP server.',
  ),
  'paraph.email.waiting': sharedGauge('{mail}', NOTIFICATION, { 'paraph.lane': 'codes, others' }).describe(
    'Mails that are due and not sent, without those of suspended accounts; counted up to 100,000. Codes have their own lane.',
  ),
  'paraph.email.waiting.age': sharedGauge('s', NOTIFICATION, { 'paraph.lane': 'codes, others' }).describe(
    'Time since the oldest waiting mail became due; 0 if there is none.',
  ),
  'paraph.email.held': sharedGauge('{mail}', NOTIFICATION).describe(
    'Mails that are paused after a restore until an operator releases them; counted up to 100,000.',
  ),
  'paraph.webhook.attempts': counter('{message}', NOTIFICATION, {
    'paraph.outcome': 'delivered, due, given_up',
  }).describe(
    'Attempts to send a webhook. By outcome: `delivered`: the endpoint answered 2xx; `due`: another attempt follows; `given_up`: it was the tenth. [D65]',
  ),
  'paraph.email.relay.up': gauge('', NOTIFICATION).describe(
    '1 while this process considers the SMTP server available. [F6]',
  ),
  'paraph.code.requests': counter('{request}', WITH_CODES, {
    'paraph.outcome': 'sent, limited, refused, busy',
  }).describe(
    "Requests for a one-time code. By outcome: `sent`: a code is on its way (or would be, if the mailbox were a party's); `limited`: the mailbox has reached its limit; `refused`: the client has reached its limit; `busy`: too many requests at the same time, nothing was sent. [D16]",
  ),
  'paraph.code.checks': counter('{request}', WITH_CODES, {
    'paraph.outcome': 'verified, wrong, wrong_shape, expired, used, dead, busy, other_browser',
  }).describe('Checks of typed one-time codes by result. [D16]'),
  'paraph.code.withheld': counter('{request}', GATEWAY).describe(
    'Sign-in codes that were not mailed, because too many went to mailboxes that never signed in and have no account. The page looks the same in both cases. [P29]',
  ),
  'paraph.code.waiting': sharedGauge('{mail}', WITH_CODES).describe(
    'Codes that the notification service has not accepted yet. [D42]',
  ),
  'paraph.contract.transitions': counter('{contract}', ['contract'], {
    ...ENVIRONMENT,
    'paraph.from': 'none, pending_signature, partially_signed',
    'paraph.to': 'pending_signature, partially_signed, signed, expired, cancelled',
  }).describe('Committed status changes of contracts; `none` is the state before creation.'),
  'paraph.expiry.overdue': sharedGauge('{contract}', ['contract']).describe(
    'Contracts past expiresAt that the sweep has not expired yet; counted up to 10,000. GET already answers `expired`. [I10]',
  ),
  'paraph.expiry.overdue.age': sharedGauge('s', ['contract']).describe(
    'Time since expiresAt of the oldest overdue contract; 0 if there is none.',
  ),
  'paraph.seal.waiting': sharedGauge('{contract}', ['signing']).describe(
    'Signed contracts whose evidence is not sealed yet; counted up to 10,000.',
  ),
  'paraph.seal.troubled': sharedGauge('{contract}', ['signing']).describe(
    'Contracts waiting for their seal that have failed so often that page 8 shows it. [D30]',
  ),
  'paraph.seal.duration': histogram('s', ['signing']).describe(
    'Time from the closed evidence chain to the stored seal.',
  ),
  'paraph.seal.certificate.expires': gauge('s', ['signing'], ENVIRONMENT).describe(
    'Time until the end of the current seal certificate; negative after it. PDF readers reject seals made after the end.',
  ),
  'paraph.document.damaged': counter('{document}', ['signing'], { 'paraph.reason': 'missing, altered' }).describe(
    'Reads of a signed PDF or of evidence that found no document or another one; the reader got 503. A person must look at any number above 0. [P43]',
  ),
  'paraph.object_store.duration': histogram('s', ['signing'], {
    'paraph.operation': 'put, get, check, list, delete',
    'paraph.outcome': 'done, failed',
  }).describe('Duration of an operation of the object store with its retries. Only with OBJECT_STORE_URL. [P43]'),
  'paraph.signature.unsettled': sharedGauge('{signature}', ['signing']).describe(
    'Overdue signature attempts: submitted, but neither recorded nor given up. [D41]',
  ),
  'paraph.loop.age': gauge('s', ALL, { 'paraph.loop': 'the name of a loop' }).describe(
    'Time since a background loop of this process last began a round; the liveness probe fails at a limit. [H11]',
  ),
  'paraph.database.up': gauge('', ALL).describe(
    '1 while the database of this process answers, 0 while it does not. While the pool is full, a separate connection checks it.',
  ),
  'paraph.schema.behind': gauge('', ALL).describe(
    '1 while the database of this process lacks migrations of its version, and the process is therefore not ready; 0 otherwise. [H8]',
  ),
  'paraph.database.connections': gauge('{connection}', ALL, {
    'paraph.pool': 'main; codes of the gateway and signing; keys, usage and windows of the gateway',
    'paraph.state': 'idle, used',
  }).describe('Connections in the pools of this process.'),
  'paraph.database.waiting': gauge('{request}', ALL, { 'paraph.pool': 'as above' }).describe(
    'Requests that wait for a connection of the pool.',
  ),
  'paraph.invariant.violations': gauge('{violation}', ['paraph'], {
    'paraph.invariant': 'I1 to I15',
    'paraph.kind': 'the kind of violation',
  }).describe('Violations that the last `paraph verify` found. Sent by OTLP when the command ends.'),
}

export type MetricName = keyof typeof METRICS

const SERVER = { 'server.address': '', 'server.port': '' }
const EXCHANGE = { 'url.scheme': '', 'network.protocol.version': '', 'error.type': '' }

/** The metrics of libraries that pass our allow-list. OpenTelemetry's conventions define their units and values. */
export const LIBRARY_METRICS = {
  'http.server.request.duration': histogram('s', ALL, {
    'http.request.method': '',
    'http.route': 'the template of a path',
    'http.response.status_code': '',
    ...EXCHANGE,
  }).describe(
    'Duration of requests to either port, without health and metrics. A request that may long-poll has the route `…/contracts/{id}/wait`, because its duration says nothing about speed. [D22]',
  ),
  'http.client.request.duration': histogram('s', ['gateway', 'signing', 'notification'], {
    'http.request.method': '',
    'http.response.status_code': '',
    ...SERVER,
    ...EXCHANGE,
  }).describe('Duration of calls between services.'),
  'db.client.operation.duration': histogram('s', ALL, {
    'db.system.name': '',
    'db.namespace': '',
    'db.operation.name': '',
    ...SERVER,
    'error.type': '',
  }).describe('Duration of statements to Postgres.'),
  'nodejs.eventloop.delay.p99': gauge('s', ALL).describe(
    'Delay of the event loop, 99th percentile, since the last collection.',
  ),
  'nodejs.eventloop.delay.max': gauge('s', ALL).describe(
    'Delay of the event loop, maximum, since the last collection.',
  ),
  'nodejs.eventloop.utilization': gauge('1', ALL).describe(
    'Share of time in which the event loop was busy, since the last collection; 1 is full load.',
  ),
  'v8js.memory.heap.used': gauge('By', ALL, { 'v8js.heap.space.name': '' }).describe(
    'Used heap; `sum` over the spaces.',
  ),
  'v8js.gc.duration': histogram('s', ALL, { 'v8js.gc.type': 'major, minor, incremental, weakcb' }).describe(
    'Duration of garbage collections.',
  ),
  'otel.sdk.processor.span.processed': counter('{span}', ALL, {
    'otel.component.type': '',
    'error.type':
      '`queue_full` for spans that found the queue full, another value for spans that no collector accepted',
  }).describe('Spans that were exported or dropped; dropped ones have an `error.type`. [F24]'),
}

const SUFFIX: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' }

/**
 * The name in Prometheus, whether scraped or sent by OTLP: `paraph_outbox_unpublished_age_seconds`. A histogram appends `_bucket`,
 * `_sum` and `_count`.
 */
export function prometheusName(name: string, { kind, unit }: Pick<Metric, 'kind' | 'unit'>): string {
  const bare = name.replace(/[^A-Za-z0-9]+/g, '_')
  return `${bare}${SUFFIX[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`
}
