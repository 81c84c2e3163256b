// The tests of traces for both buses: one trace links a request to every mail that it causes, and idle work exports no spans. [D51, I13]
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox, type ContractBody } from '../../harness/clients/api-client.js'
import { createVisitor, locationOf, proveMailbox, signOn } from '../../harness/clients/ceremony-client.js'
import { countStatements, STATEMENTS_MAX } from './count-statements.js'
import { drawTraces } from './draw-traces.js'
import type { RunningStack } from '../../harness/stack/local-stack.js'
import { SPAN_KIND, startCollector, type Collector, type ExportedSpan } from '../../harness/stack/otlp-collector.js'
import { until } from '../../harness/until.js'

const PARTIES = [
  { role: 'Buyer', legalName: 'Ada Byron', email: 'ada@traces.test' },
  { role: 'Seller', legalName: 'Mary Somerville', email: 'mary@traces.test' },
]
/** The trace context that the client sends. */
const FOREIGN = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const PICTURE = fileURLToPath(new URL('../../../docs/explanation/traces.svg', import.meta.url))
const MAIL_WAY = [
  'POST /api/external/v2/contracts',
  'POST /contracts',
  'POST /contracts',
  'create contract.created',
  'process contract.events.v1',
  'send invitation mail',
  'SMTP send',
]

/**
 * Declares the tests of traces in the calling test file.
 * @param launch starts a stack with additional environment variables
 */
export function describeTraces(launch: (environment: Record<string, string>) => Promise<RunningStack>) {
  let collector: Collector
  let running: RunningStack
  let contract: ContractBody['contract']

  beforeAll(async () => {
    collector = await startCollector()
    running = await launch(collector.environment)
  })
  afterAll(async () => {
    await running?.close()
    await collector?.close()
  })

  const named = (name: string): ExportedSpan[] => collector.spans.filter((span) => span.name === name)

  /** The ancestors of a span, from the root of its trace, and the span. Spans that are not exported yet are missing at the start. */
  function wayTo(span: ExportedSpan): ExportedSpan[] {
    const parent = collector.spans.find(
      ({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId,
    )
    return [...(parent ? wayTo(parent) : []), span]
  }

  /** Waits until `count` spans with this name and all their ancestors are exported. */
  const whenRooted = (name: string, count: number): Promise<ExportedSpan[][]> =>
    until(`${count} spans "${name}" with their roots`, () => {
      const ways = named(name).map(wayTo)
      return ways.length >= count && ways.every(([root]) => root?.parentSpanId === '') ? ways : undefined
    })

  it('one trace links a POST to each mail that it causes, by parent spans over outbox, bus and queue [I13, D51]', async () => {
    const { apiUrl, liveKey, mailboxUrl } = running.stack
    const mailbox = createMailbox(mailboxUrl)
    const answer = await createApiClient(apiUrl, liveKey).create(
      { contractType: 'nda', content: 'Traces', parties: PARTIES },
      {
        traceparent: `00-${FOREIGN.traceId}-${FOREIGN.spanId}-01`,
        tracestate: 'vendor=poison',
        baggage: 'contract.id=poison',
      },
    )
    expect(answer.status).toBe(201)
    contract = answer.body.contract
    await Promise.all(PARTIES.map(({ email }) => mailbox.waitFor(email, 'sign')))

    // Selects the invitations, because the stack may send other mails too.
    const ways = await until('both mails with their roots', async () => {
      const toParties = (await whenRooted('SMTP send', 2)).filter((way) =>
        way.some(({ name }) => name === 'send invitation mail'),
      )
      return toParties.length >= 2 ? toParties : undefined
    })
    expect(ways).toHaveLength(2)
    for (const way of ways) {
      expect(way.map(({ name }) => name)).toEqual(MAIL_WAY)
      expect(way.map(({ service }) => service)).toEqual([
        'gateway',
        'gateway',
        'contract',
        'contract',
        'notification',
        'notification',
        'notification',
      ])
      expect(way.map(({ kind }) => kind)).toEqual([
        SPAN_KIND.server,
        SPAN_KIND.client,
        SPAN_KIND.server,
        SPAN_KIND.producer,
        SPAN_KIND.consumer,
        SPAN_KIND.consumer,
        SPAN_KIND.client,
      ])
    }
    expectWithMessage(new Set(ways.map(([root]) => root?.spanId)).size, 'both mails have the same root').toBe(1)
  })

  it('the gateway does not continue the trace of a client, but starts a trace that links to it [D51]', async () => {
    const root = named('POST /api/external/v2/contracts')[0]!
    expect(root.traceId).not.toBe(FOREIGN.traceId)
    expect(root.links).toEqual([FOREIGN])
    expect(collector.received.join('')).not.toContain('poison')
  })

  it('the outbox relay has its own trace, with a link to each event that it published [D51]', async () => {
    const created = named('create contract.created')[0]!
    const relayed = await until('the span of the relay', () =>
      named('relay outbox').find(({ links }) => links.some(({ spanId }) => spanId === created.spanId)),
    )
    expect(relayed.parentSpanId).toBe('')
    expect(relayed.traceId).not.toBe(created.traceId)
  })

  it('one trace links the request of a code to its mail, and another links a signature to its evidence entry [I13]', async () => {
    const visitor = createVisitor()
    const review = await proveMailbox(visitor, contract.shareUrl, PARTIES[0]!.email, running.stack.mailboxUrl)
    const signed = await signOn(visitor, review, PARTIES[0]!.legalName)
    expect(locationOf(signed)).toContain('/done')
    visitor.close()

    // Mails to the owner, such as those about the first keys, are sent in between.
    const code = await until('the mail of the code with its root', () =>
      named('SMTP send')
        .map(wayTo)
        .find(([root, ...way]) => root?.parentSpanId === '' && way.some(({ name }) => name === 'push code')),
    )
    expect(code[0]?.name).toBe('POST /contract/{shareToken}/code')
    expect(code.map(({ name }) => name).slice(-3)).toEqual(['POST /rpc/code.send', 'send code mail', 'SMTP send'])
    await until('the entry of the signature', () =>
      named('enter evidence')
        .map(wayTo)
        .find(
          (way) =>
            way[0]?.name === 'POST /contract/{shareToken}/sign' &&
            way.some(({ name }) => name === 'create contract.party_signed'),
        ),
    )
  })

  it('one trace links the last signature to the seal, and to the mails that deliver it [I13, D30]', async () => {
    const visitor = createVisitor()
    const review = await proveMailbox(visitor, contract.shareUrl, PARTIES[1]!.email, running.stack.mailboxUrl)
    await signOn(visitor, review, PARTIES[1]!.legalName)
    visitor.close()
    const copies = await until('the mails with the sealed copy, with their roots', () => {
      const ways = named('SMTP send')
        .map(wayTo)
        .filter((way) => way.some(({ name }) => name === 'send completed mail'))
      return ways.length === PARTIES.length && ways.every(([root]) => root?.parentSpanId === '') ? ways : undefined
    })
    for (const way of copies) {
      const names = way.map(({ name }) => name)
      expect(names[0]).toBe('POST /contract/{shareToken}/sign')
      expect(names).toEqual(
        expect.arrayContaining(['enter evidence', 'seal evidence', 'create signing.evidence_sealed']),
      )
    }
    const [first] = named('POST /api/external/v2/contracts')
    const drawn = drawTraces(
      [
        { title: 'A contract is made', root: first! },
        { title: 'The last party signs', root: copies[0]![0]! },
      ],
      collector.spans,
    )
    expect(drawn).toContain('SMTP send')
    if (process.env['UPDATE_TRACE'] !== undefined) writeFileSync(PICTURE, drawn)
  })

  it.each(Object.entries(STATEMENTS_MAX))('%s: at most %i SQL statements [P45]', async (act, max) => {
    const statements = await until(`the statements of "${act}"`, () => {
      const found = countStatements(act, collector.spans)
      return found !== undefined && found.length > 0 ? found : undefined
    })
    expectWithMessage(statements.length, statements.join('\n')).toBeLessThanOrEqual(max)
  })

  it('log lines contain the id of their trace, and are not exported over OTLP [I13]', async () => {
    const { traceId } = named('POST /api/external/v2/contracts')[0]!
    const lines = (await readFile(join(running.folder, 'logs', 'notification.log'), 'utf8')).split('\n')
    const accepted = lines.filter((line) => line.includes('SMTP server accepted message') && line.includes(traceId))
    expect(accepted).toHaveLength(2)
    expect(collector.received.filter((each) => each.startsWith('/v1/logs'))).toEqual([])
  })

  it('an idle system exports no span, not for the polls of relay, consumers, workers and sweeps, nor for health probes [D51]', async () => {
    const services = ['gateway', 'contract', 'signing', 'notification']
    await collector.whenExported(services, 2)
    const spans = collector.spans.length
    await collector.whenExported(services, 3)
    expect(collector.spans.slice(spans).map(({ service, name }) => `${service} ${name}`)).toEqual([])
  })

  it('the exported spans have fewer than 80 names, all of known forms [D51]', () => {
    const known = [
      /^(?:GET|POST|HEAD)(?: \/[a-z0-9.{}_/]*)?$/i,
      /^pg\.query:[A-Z]+ (?:gateway|contract|signing|notification|bus)$/,
      /^create (?:contract|account|key|email|signing|application|subscription)\.[a-z_]+$/,
      /^process [a-z]+\.events\.v1$/,
      /^send (?:invitation|code|completed|cancelled|expired|owner_code|owner_mail) mail$/,
      /^(?:relay outbox|count calls|reserve quota|push code|push owner mail|enter evidence|seal evidence|finish attempt|SMTP send)$/,
    ]
    const names = new Set(collector.spans.map(({ name }) => name))
    expect([...names].filter((name) => !known.some((pattern) => pattern.test(name)))).toEqual([])
    expect(names.size).toBeLessThan(80)
  })

  return { named, stack: () => running }
}
