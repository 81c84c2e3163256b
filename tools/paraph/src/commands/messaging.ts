// `paraph outbox …` and `paraph dead-letter …`: unpublished events, and messages that could not be handled. [F11, H11]
// Owns: the output. The statements are in libs/messaging/src/operator-router.ts; each service answers for its own rows.
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import type { DeadLetter, Redriven } from '@paraph/messaging/operator-router'
import { refusalOf } from '@paraph/rpc/link'
import type { Command } from '../command-line.js'
import { readPages, type OperatorClient } from '../operator-client.js'
import { UserError } from '@paraph/config/refusal'
import { forTerminal, formatTable, indented, type TableRow } from '../table.js'

const SERVICE = { value: SERVICES.join('|'), oneOf: SERVICES } as const
/** A loop with an older tick is stuck or cannot reach its database. With late brokers one round takes a minute. [F2, H11] */
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
    purpose: 'Lists messages that a consumer could not handle, with the reason; their content only on request.',
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
    purpose: 'Handles a dead letter again, or all of a service. Safe to repeat.',
    options: { service: { ...SERVICE, required: true }, id: { value: 'ID' }, all: {} },
    run: async (client, { service, id, all }) => {
      if ((id === undefined) === (all === undefined))
        throw new UserError('Choose --id ID for one dead letter, or --all.')
      const name = service as ServiceName
      const ids =
        id === undefined
          ? (await lettersOf(client, name, { redriven: false, showValue: false })).map((each) => each.id)
          : [idOf(id)]
      const redriven: ({ id: number } & Redriven)[] = []
      // One after the other, oldest first: those of one contract keep their order.
      for (const each of ids)
        redriven.push({ id: each, ...(await client[name].messaging.redrive.mutate({ id: each })) })
      const text = redriven.map(formatRedriven).join('\n') || 'There is no dead letter to redrive.'
      const isWell = redriven.every(({ outcome }) => outcome === 'redriven' || outcome === 'redriven_before')
      return { answer: { redriven }, text, isWell }
    },
  },
]

/** A service without an answer, and the reason. */
interface Silent {
  service: ServiceName
  fault: string
}

const isSilent = (outcome: object): outcome is Silent => 'fault' in outcome

/** Queries the named service, or all. A stopped one does not hide the answers of the others. */
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
  return `${service}\n${rows.length === 0 ? '  tells nothing and listens to nothing' : formatTable(rows)}`
}

const formatOutbox = ({ waiting, relayTickAgeMs }: NonNullable<Status['outbox']>): TableRow[] => [
  ...(waiting.length === 0 ? [['outbox', 'nothing waits'] as const] : []),
  ...waiting.map(
    ({ topic, unpublished, oldestSeconds }) =>
      ['outbox', topic, `${unpublished} not told, the oldest for ${Math.round(oldestSeconds)} s`] as const,
  ),
  ['relay', relayTickAgeMs < TICK_MS_MAX ? 'goes round' : 'STUCK', `last ${relayTickAgeMs} ms ago`],
]

function formatConsumer({ name, sinceStart, partitions, backlog }: Status['consumers'][number]): TableRow[] {
  const { handled, duplicates, failures } = sinceStart
  const counts = `${handled} handled, ${duplicates} duplicates, ${failures} failures since its start`
  return [
    ['consumer', name, counts],
    ...formatBacklog(backlog),
    ...(partitions.length === 0 ? [['', 'holds no partition', 'this process, at the moment'] as const] : []),
    ...partitions.flatMap(({ behind, topic, partition, unmovedMs }): TableRow[] =>
      behind ? [['', `${topic} ${partition}`, `is behind, last moved ${Math.round(unmovedMs / 1_000)} s ago`]] : [],
    ),
  ]
}

/** Per topic, for all processes of the service together. */
function formatBacklog(backlog: Status['consumers'][number]['backlog']): TableRow[] {
  if (backlog === null) return [['', 'the bus does not say what waits']]
  return [...Map.groupBy(backlog, ({ topic }) => topic)].map(([topic, ofTopic]) => {
    const waiting = ofTopic.reduce((sum, each) => sum + each.waiting, 0)
    return ['', topic, waiting === 0 ? 'nothing waits' : `${waiting} wait`]
  })
}

/** Keys and values are untrusted: their publisher chose them. */
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
      return `There is no dead letter ${redriven.id} here. List them with paraph dead-letter list.`
    case 'failed':
      return `Dead letter ${redriven.id} still fails and stays: ${forTerminal(redriven.reason)}`
  }
}

function idOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UserError('--id must be a number that paraph dead-letter list shows.')
}
