// `paraph outbox …` shows unpublished events; `paraph dead-letter …` lists and redrives messages that a consumer could not handle.
// [F11, H11] Owns: the output. Each service queries its own rows with libs/messaging/src/operator-router.ts.
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import type { DeadLetter, Redriven } from '@paraph/messaging/operator-router'
import { refusalOf } from '@paraph/rpc/link'
import type { Command } from '../command.js'
import { readPages, type OperatorClient } from '../operator-client.js'
import { UserError } from '@paraph/config/refusal'
import { forTerminal, formatTable, indented, type TableRow } from '../table.js'

const SERVICE = { value: SERVICES.join('|'), oneOf: SERVICES } as const
/** A relay whose last round is older is stuck or cannot reach its database. With slow brokers one round takes a minute. [F2, H11] */
const TICK_MS_MAX = 90_000

export const messagingCommands: readonly Command[] = [
  {
    name: 'outbox status',
    purpose: 'Shows the unpublished events of each service, whether its relay runs, and whether its consumers keep up.',
    options: { service: SERVICE },
    run: async (client, { service }) => {
      const services = await ofServices(service, (name) => statusOf(client, name))
      const text = services.map((each) => (isSilent(each) ? formatSilent(each) : formatStatus(each))).join('\n')
      return { answer: { services }, text, isWell: !services.some(isSilent) }
    },
  },
  {
    name: 'dead-letter list',
    purpose:
      'Lists the messages that a consumer could not handle and the evidence tasks that kept failing, each with the reason. Shows their content only with --show-value.',
    options: { service: SERVICE, redriven: {}, 'show-value': {} },
    run: async (client, { service, redriven, 'show-value': showValue }) => {
      const wanted = { redriven: redriven !== undefined, showValue: showValue !== undefined }
      const outcomes = await ofServices(service, (name) => lettersOf(client, name, wanted))
      const silent = outcomes.filter(isSilent)
      const deadLetters = outcomes.flatMap((each) => (isSilent(each) ? [] : each))
      const text = [...deadLetters.map(formatLetter), ...silent.map(formatSilent)].join('\n')
      return { answer: { deadLetters, silent }, text: text || 'There is no dead letter.', isWell: silent.length === 0 }
    },
  },
  {
    name: 'dead-letter redrive',
    purpose: 'Handles one dead letter of a service again, or with --all every one. Safe to repeat.',
    operand: { name: 'id', value: 'ID', optional: true },
    options: { service: { ...SERVICE, required: true }, all: {} },
    run: async (client, { service, id, all }) => {
      if ((id === undefined) === (all === undefined)) throw new UserError('Give the id of one dead letter, or --all.')
      const name = service as ServiceName
      const ids =
        id === undefined
          ? (await lettersOf(client, name, { redriven: false, showValue: false })).map((each) => each.id)
          : [idOf(id)]
      const redriven: ({ id: number } & Redriven)[] = []
      // One after the other, oldest first: the messages of one contract keep their order.
      for (const each of ids)
        redriven.push({ id: each, ...(await client[name].messaging.redrive.mutate({ id: each })) })
      const text = redriven.map(formatRedriven).join('\n') || 'There is no dead letter to redrive.'
      const isWell = redriven.every(({ outcome }) => outcome === 'redriven' || outcome === 'redriven_before')
      return { answer: { redriven }, text, isWell }
    },
  },
]

/** A service that returned no data, and the reason. */
interface Silent {
  service: ServiceName
  fault: string
}

const isSilent = (outcome: object): outcome is Silent => 'fault' in outcome

/** Queries `service`, or all services. A stopped service does not prevent the output of the others. */
const ofServices = <Answer>(service: string | undefined, query: (name: ServiceName) => Promise<Answer>) =>
  Promise.all(
    SERVICES.filter((name) => service === undefined || service === name).map((name) =>
      query(name).catch((error: unknown): Silent => {
        const refusal = refusalOf(error)
        const isAnswer = refusal && refusal.code !== 'unavailable'
        return { service: name, fault: isAnswer ? refusal.message : 'does not answer' }
      }),
    ),
  )

const formatSilent = ({ service, fault }: Silent): string => `${service}\n  ${fault}`

const statusOf = async (client: OperatorClient, service: ServiceName) => ({
  service,
  ...(await client[service].messaging.status.query()),
})

type Status = Awaited<ReturnType<typeof statusOf>>
type Letter = { service: ServiceName } & DeadLetter

async function lettersOf(
  client: OperatorClient,
  service: ServiceName,
  wanted: { redriven: boolean; showValue: boolean },
): Promise<Letter[]> {
  const { deadLetters } = client[service].messaging
  const letters = await readPages(async (after) => (await deadLetters.query({ ...wanted, after })).letters)
  return letters.map((letter) => ({ service, ...letter }))
}

function formatStatus({ service, outbox, consumers, deadLetters }: Status): string {
  const rows: TableRow[] = [
    ...(outbox ? formatOutbox(outbox) : []),
    ...consumers.flatMap(formatConsumer),
    ...(deadLetters === null ? [] : [['dead letters', String(deadLetters)] as const]),
  ]
  return `${service}\n${rows.length === 0 ? '  publishes no events and consumes none' : formatTable(rows)}`
}

const formatOutbox = ({ waiting, relayTickAgeMs }: NonNullable<Status['outbox']>): TableRow[] => [
  ...(waiting.length === 0 ? [['outbox', 'nothing waits'] as const] : []),
  ...waiting.map(
    ({ topic, unpublished, oldestSeconds }) =>
      ['outbox', topic, `${unpublished} unpublished, the oldest for ${Math.round(oldestSeconds)} s`] as const,
  ),
  ['relay', relayTickAgeMs < TICK_MS_MAX ? 'runs' : 'STUCK', `last round ${relayTickAgeMs} ms ago`],
]

function formatConsumer({ name, sinceStart, partitions, backlog }: Status['consumers'][number]): TableRow[] {
  const { handled, duplicates, failures } = sinceStart
  const counts = `${handled} handled, ${duplicates} duplicates, ${failures} failures since the start of the process`
  return [
    ['consumer', name, counts],
    ...formatBacklog(backlog),
    ...(partitions.length === 0 ? [['', 'no partition assigned', 'to this process, at the moment'] as const] : []),
    ...partitions.flatMap(({ behind, topic, partition, unmovedMs }): TableRow[] =>
      behind ? [['', `${topic} ${partition}`, `is behind, last progress ${Math.round(unmovedMs / 1_000)} s ago`]] : [],
    ),
  ]
}

/** The backlog per topic, of all processes of the service together. */
function formatBacklog(backlog: Status['consumers'][number]['backlog']): TableRow[] {
  if (backlog === null) return [['', 'the bus did not report the backlog']]
  return [...Map.groupBy(backlog, ({ topic }) => topic)].map(([topic, ofTopic]) => {
    const waiting = ofTopic.reduce((sum, each) => sum + each.waiting, 0)
    return ['', topic, waiting === 0 ? 'nothing waits' : `${waiting} waiting`]
  })
}

/** Escapes the key, the reason and the value: their content may come from an unknown publisher. */
function formatLetter(letter: Letter): string {
  const { service, id, consumer, topic, partition, offset, key, reason, attempts, deadAt, redrivenAt, value } = letter
  return [
    `${service} ${id}  ${deadAt}  ${consumer}  ${topic} ${partition}/${offset}  ${forTerminal(key)}`,
    `    ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${forTerminal(reason)}`,
    ...(redrivenAt === null ? [] : [`    redriven ${redrivenAt}`]),
    ...(value === undefined ? [] : [indented(value === null ? 'no value' : forTerminal(value))]),
  ].join('\n')
}

function formatRedriven(redriven: { id: number } & Redriven): string {
  switch (redriven.outcome) {
    case 'redriven':
      return `Dead letter ${redriven.id} was handled.`
    case 'redriven_before':
      return `Dead letter ${redriven.id} was redriven before. Nothing was done.`
    case 'not_found':
      return `There is no dead letter ${redriven.id} in this service. Run paraph dead-letter list to see the ids.`
    case 'failed':
      return `Dead letter ${redriven.id} failed again and is kept: ${forTerminal(redriven.reason)}`
  }
}

function idOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UserError('The id of a dead letter is a number that paraph dead-letter list shows.')
}
