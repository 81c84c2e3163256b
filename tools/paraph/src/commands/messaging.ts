// `paraph outbox …` and `paraph dead-letter …`: unpublished events, and messages that could not be handled. [F11, H11]
// Owns: the output. The statements are in libs/messaging/src/operator-router.ts; each service answers for its own rows.
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import type { DeadLetter, Redriven } from '@paraph/messaging/operator-router'
import { refusalOf } from '@paraph/rpc/link'
import type { Command } from '../command-line.js'
import type { OperatorClient } from '../operator-client.js'
import { UserError } from '@paraph/config/refusal'
import { forTerminal, formatTable } from '../table.js'

const SERVICE = { value: SERVICES.join('|'), required: false, oneOf: SERVICES } as const
/** A loop with an older tick is stuck or cannot reach its database. With late brokers one round takes a minute. [F2, H11] */
const TICK_MS_MAX = 90_000

export const messagingCommands: readonly Command[] = [
  {
    name: 'outbox status',
    purpose: 'Shows the unpublished events of each service, whether its relay runs, and whether its consumers keep up.',
    options: { service: SERVICE },
    run: async (client, { service }) => {
      const { answers, silent } = await ofServices(service, (name) => statusOf(client, name))
      const services = [...answers, ...silent].sort(byService)
      const text = services.map((each) => ('fault' in each ? formatSilent(each) : formatStatus(each))).join('\n')
      return { answer: { services }, text, isWell: silent.length === 0 }
    },
  },
  {
    name: 'dead-letter list',
    purpose: 'Lists messages that a consumer could not handle, with the reason; their content only on request.',
    options: { service: SERVICE, redriven: { required: false }, 'show-value': { required: false } },
    run: async (client, { service, redriven, 'show-value': showValue }) => {
      const wanted = { redriven: redriven !== undefined, showValue: showValue !== undefined }
      const { answers, silent } = await ofServices(service, async (name) => ({
        letters: await lettersOf(client, name, wanted),
      }))
      const deadLetters = answers.flatMap(({ letters }) => letters)
      const lines = [...deadLetters.map(formatLetter), ...silent.map(formatSilent)]
      const text = lines.length === 0 ? 'There is no dead letter.' : lines.join('\n')
      return { answer: { deadLetters, silent }, text, isWell: silent.length === 0 }
    },
  },
  {
    name: 'dead-letter redrive',
    purpose: 'Handles a dead letter again, or all of a service. Safe to repeat.',
    options: {
      service: { ...SERVICE, required: true },
      id: { value: 'ID', required: false },
      all: { required: false },
    },
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
      const text =
        redriven.length === 0 ? 'There is no dead letter to redrive.' : redriven.map(formatRedriven).join('\n')
      const isAllDone = redriven.every(({ outcome }) => outcome === 'redriven' || outcome === 'redriven_before')
      return { answer: { redriven }, text, isWell: isAllDone }
    },
  },
]

/** A service without an answer, and the reason. */
interface Silent {
  service: ServiceName
  fault: string
}

/** Queries the named service, or all. A stopped one does not hide the answers of the others. */
async function ofServices<Answer extends object>(
  service: string | undefined,
  ask: (name: ServiceName) => Promise<Answer>,
): Promise<{ answers: ({ service: ServiceName } & Answer)[]; silent: Silent[] }> {
  const asked = SERVICES.filter((name) => service === undefined || service === name)
  const settled = await Promise.allSettled(asked.map(async (name) => ({ service: name, ...(await ask(name)) })))
  return {
    answers: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    silent: settled.flatMap((each, index) =>
      each.status === 'rejected' ? [{ service: asked[index]!, fault: faultOf(each.reason) }] : [],
    ),
  }
}

function faultOf(reason: unknown): string {
  const refusal = refusalOf(reason)
  return refusal && refusal.code !== 'unavailable' ? refusal.message : 'does not answer'
}

const byService = (one: { service: ServiceName }, other: { service: ServiceName }): number =>
  SERVICES.indexOf(one.service) - SERVICES.indexOf(other.service)

const formatSilent = ({ service, fault }: Silent): string => `${service}\n  ${fault}`

const statusOf = (client: OperatorClient, name: ServiceName) => client[name].messaging.status.query()

type Status = { service: ServiceName } & Awaited<ReturnType<typeof statusOf>>

/** All of a service, read page by page. */
async function lettersOf(
  client: OperatorClient,
  service: ServiceName,
  wanted: { redriven: boolean; showValue: boolean },
): Promise<({ service: ServiceName } & DeadLetter)[]> {
  const letters: ({ service: ServiceName } & DeadLetter)[] = []
  for (let after = 0; ; after = letters.at(-1)!.id) {
    const { letters: part } = await client[service].messaging.deadLetters.query({ ...wanted, after })
    if (part.length === 0) return letters
    letters.push(...part.map((letter) => ({ service, ...letter })))
  }
}

function formatStatus({ service, outbox, consumers, deadLetters }: Status): string {
  const rows = [
    ...(outbox
      ? [
          ...(outbox.waiting.length === 0 ? [{ name: 'outbox', value: 'nothing waits' }] : []),
          ...outbox.waiting.map(({ topic, unpublished, oldestSeconds }) => ({
            name: 'outbox',
            value: topic,
            note: `${unpublished} not told, the oldest for ${Math.round(oldestSeconds)} s`,
          })),
          {
            name: 'relay',
            value: outbox.relayTickAgeMs < TICK_MS_MAX ? 'goes round' : 'STUCK',
            note: `last ${outbox.relayTickAgeMs} ms ago`,
          },
        ]
      : []),
    ...consumers.flatMap(({ name, sinceStart, partitions, backlog }) => [
      {
        name: 'consumer',
        value: name,
        note: `${sinceStart.handled} handled, ${sinceStart.duplicates} duplicates, ${sinceStart.failures} failures since its start`,
      },
      ...formatBacklog(backlog),
      ...(partitions.length === 0
        ? [{ name: '', value: 'holds no partition', note: 'this process, at the moment' }]
        : []),
      ...partitions
        .filter(({ behind }) => behind)
        .map(({ topic, partition, unmovedMs }) => ({
          name: '',
          value: `${topic} ${partition}`,
          note: `is behind, last moved ${Math.round(unmovedMs / 1_000)} s ago`,
        })),
    ]),
    ...(deadLetters === null ? [] : [{ name: 'dead letters', value: String(deadLetters) }]),
  ]
  return `${service}\n${rows.length === 0 ? '  tells nothing and listens to nothing' : formatTable(rows)}`
}

/** Per topic, for all processes of the service together. */
function formatBacklog(backlog: Status['consumers'][number]['backlog']) {
  if (backlog === null) return [{ name: '', value: 'the bus does not say what waits' }]
  return [...Map.groupBy(backlog, ({ topic }) => topic)].map(([topic, ofTopic]) => {
    const waiting = ofTopic.reduce((sum, each) => sum + each.waiting, 0)
    return { name: '', value: topic, note: waiting === 0 ? 'nothing waits' : `${waiting} wait` }
  })
}

/** Keys and values are untrusted: their publisher chose them. */
function formatLetter({
  service,
  id,
  consumer,
  topic,
  partition,
  offset,
  key,
  reason,
  attempts,
  ...rest
}: { service: ServiceName } & DeadLetter): string {
  const { deadAt, redrivenAt, value } = rest
  return [
    `${service} ${id}  ${deadAt}  ${consumer}  ${topic} ${partition}/${offset}  ${forTerminal(key)}`,
    `    ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${forTerminal(reason)}`,
    ...(redrivenAt === null ? [] : [`    redriven ${redrivenAt}`]),
    ...(value === undefined
      ? []
      : (value === null ? 'no value' : forTerminal(value)).split('\n').map((line) => `    ${line}`)),
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
