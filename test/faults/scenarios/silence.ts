// The connections of a service fall silent: open connections stay, new ones open, but no byte passes. Only time-outs help. [F3, F7, I8]
// docs/reference/limits.md lists the time-outs.
import { createVisitor } from '../../harness/clients/ceremony-client.js'
import { until } from '../../harness/until.js'
import type { FaultStack } from '../fault-stack.js'
import { MAILS_SENT_CONCURRENTLY } from '../soundness-of-mail.js'
import type { Scenario, Scene } from '../scenario.js'
import type { CreatedContract } from '../workload.js'

/** The kinds of probes: a GET of the interface (`call`), and the first page of a link. */
type Kind = 'call' | 'page'

type LineName = 'gateway' | 'contract' | 'signing' | 'notification' | 'smtp'

/**
 * Each proxy, and the kinds of probes that need it, with the time-out in milliseconds (docs/reference/limits.md). Gateway: 3 s for the key, 4 s for
 * the reservation, 2 s for the count. Contract service: the gateway waits 15 s, and signing twice 5 s. Signing: its own limit of 17 s.
 */
const LINES: Record<LineName, Partial<Record<Kind, number>>> = {
  gateway: { call: 9_000 },
  contract: { call: 15_000, page: 10_000 },
  signing: { page: 17_000 },
  notification: {},
  smtp: {},
}

/** The extra time of a busy machine. A silence lasts longer than any limit plus this time. */
const SLOWNESS_MS = 3_000
/** The recovery time of calls, as after a restart of Postgres. */
const BACK_MS_MAX = 10_000
/** The recovery time of mails: a probe of the SMTP server starts within half a minute, and may take fifteen seconds to fail. */
const MAIL_MS_MAX = 60_000
/** The time after which no contract is new whose creation began before the silence. */
const IN_HAND_MS = 5_000

export const linesFallSilent: Scenario = {
  fault: 'F3',
  name: 'lines-fall-silent',
  done: 'the connections of one service to Postgres, or of the mail worker to SMTP, fall silent for a minute under load: open connections stay, new ones open, no byte passes; a round is one proxy, all five in turn',
  holds:
    'calls that need it get 503 within the documented time, all others succeed as before; every process stays alive; 10 s after the silence all calls succeed, a minute after it mails are sent; none is lost, and only mails in progress are sent twice',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 2.5 },
  full: { rounds: 5, scale: 1 },
  clients: 0,
  async play(scene) {
    const { workload, rounds, random, record, fail, wait } = scene
    const figures = {
      longestCallMs: 0,
      longestPageMs: 0,
      backAfterMs: 0,
      mailAfterMs: 0,
      refused: 0,
      broughtForward: 0,
    }
    const load = startLoad(scene)
    const visited = new Set<LineName>()
    let lines: LineName[] = []
    try {
      await wait(2_000)
      for (let round = 0; round < rounds; round += 1) {
        if (lines.length === 0) lines = shuffled(Object.keys(LINES) as LineName[], random)
        const line = lines.pop()!
        visited.add(line)
        const found = await silence(scene, line)
        figures.longestCallMs = Math.max(figures.longestCallMs, found.longestMs.call)
        figures.longestPageMs = Math.max(figures.longestPageMs, found.longestMs.page)
        figures.backAfterMs = Math.max(figures.backAfterMs, found.backMs)
        figures.mailAfterMs = Math.max(figures.mailAfterMs, found.mailMs)
        figures.refused += found.refused
        figures.broughtForward += found.broughtForward
      }
    } finally {
      await load.stop()
    }
    record('lines', [...visited].join(', '))
    for (const [name, figure] of Object.entries(figures)) record(name, Math.round(figure))
    for (const { status } of workload.refusals())
      if (status !== 503 && status !== 409) fail(`a call was answered ${status} while a line was silent`)
    // Only the SMTP server's answer is lost. An outcome waits for the database.
    return visited.has('smtp') ? { extraCopies: 1, totalCopies: rounds * MAILS_SENT_CONCURRENTLY } : {}
  },
}

/** Silences one proxy; resolves when a contract that was created after the silence is mailed. */
async function silence(scene: Scene, line: LineName) {
  const { stack, workload, scaledMs, fail, wait } = scene
  const known = (await workload.create(2))!
  const needed = LINES[line]
  // Starts before the silence, so that some calls are in the middle of a statement when the silence begins.
  const probes = startProbes(scene, known)
  await until('calls and pages in progress', () => (probes.answers.length > 4 * PROBES ? true : undefined), 60_000)
  await stack.lines[line].become('silent')
  const endsAt = performance.now() + scaledMs(60)
  await wait(IN_HAND_MS)
  const createdBefore = workload.created.length
  while (performance.now() < endsAt) {
    const notLive = await stack.notLive()
    if (notLive.length > 0) fail(`${notLive.join()} would be restarted while the line of ${line} is silent`)
    await wait(500)
  }
  // Earlier mails do not count: a worker sends what it claimed before, after up to 12 s in which its database does not answer.
  const createdMeanwhile = workload.created.slice(createdBefore)
  const invitedMeanwhile = createdMeanwhile.filter(({ id }) => invitationsOf(stack, id).length > 0).length
  const answeredMeanwhile = [...probes.answers]
  await stack.lines[line].become('pass')
  const passedAt = performance.now()
  const afterwards = await untilAnswered(scene, known)
  const backMs = performance.now() - passedAt
  const [answers, mailMs] = await Promise.all([probes.stop(), untilMailed(stack, afterwards)])

  for (const kind of ['call', 'page'] as const) {
    const ofKind = answers.filter((answer) => answer.kind === kind)
    const statuses = [...new Set(ofKind.map(({ status }) => status))].toSorted()
    const limitMs = needed[kind]
    const isAllowed = (status: number): boolean => status === 200 || (limitMs !== undefined && status === 503)
    const wrong = statuses.filter((status) => !isAllowed(status))
    if (wrong.length > 0) fail(`${line}: a ${kind} was answered ${wrong.join()} while its line was silent`)
    if (limitMs === undefined) continue
    if (!answeredMeanwhile.some((answer) => answer.kind === kind && answer.status === 503))
      fail(`${line}: no ${kind} was answered 503 while its line was silent, but ${statuses.join()}`)
    const longest = Math.max(0, ...ofKind.map(({ ms }) => ms))
    if (longest > limitMs + SLOWNESS_MS) fail(`${line}: a ${kind} took ${Math.round(longest)} ms of ${limitMs}`)
  }
  const isNeeded = Object.keys(needed).length > 0
  if (!isNeeded && createdMeanwhile.length === 0) fail(`${line}: no contract was created while its line was silent`)
  if (!isNeeded && invitedMeanwhile > 0)
    fail(`${line}: parties of ${invitedMeanwhile} new contracts were invited: its line was not silent`)
  if (backMs > BACK_MS_MAX) fail(`${line}: calls succeeded only ${Math.round(backMs)} ms after the silence`)
  if (mailMs > MAIL_MS_MAX) fail(`${line}: a mail was sent only ${Math.round(mailMs)} ms after the silence`)
  const longestMs = (kind: Kind) => Math.max(0, ...answers.filter((each) => each.kind === kind).map(({ ms }) => ms))
  return {
    longestMs: { call: longestMs('call'), page: longestMs('page') },
    backMs,
    mailMs,
    refused: answers.filter(({ status }) => status === 503).length,
    broughtForward: await bringForward(stack),
  }
}

interface Answered {
  kind: Kind
  status: number
  ms: number
}

/** The number of concurrent calls of each kind. */
const PROBES = 6

/** Repeatedly reads a contract and opens its link, with PROBES concurrent calls of each kind. Status 0: no answer came. */
function startProbes({ workload, wait }: Scene, known: CreatedContract) {
  const answers: Answered[] = []
  let isOver = false
  const probe = async (kind: Kind, work: () => Promise<{ status: number }>): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now()
      const status = await work().then(
        (answer) => answer.status,
        () => 0,
      )
      answers.push({ kind, status, ms: performance.now() - startedAt })
      await wait(20)
    }
  }
  const probes = Array.from({ length: PROBES }, (_, at) => [
    probe('call', () => workload.api.get(known.id)),
    probe('page', () => openPage(known, `10.77.${at}.1`)),
  ])
  return {
    answers,
    async stop(): Promise<Answered[]> {
      isOver = true
      await Promise.all(probes.flat())
      return answers
    },
  }
}

async function openPage({ shareUrl }: CreatedContract, address: string): Promise<{ status: number }> {
  const visitor = createVisitor({ 'x-forwarded-for': address })
  try {
    return await visitor.follow(await visitor.get(shareUrl))
  } finally {
    visitor.close()
  }
}

/** Waits until a contract can be created, read and opened without a refusal. @returns this contract */
function untilAnswered({ workload }: Scene, known: CreatedContract): Promise<CreatedContract> {
  return until(
    'calls and pages that are answered',
    async () => {
      const created = await workload.create(2)
      if (!created || (await workload.api.get(created.id)).status !== 200) return undefined
      const pages = await Promise.all([openPage(created, '10.77.9.1'), openPage(known, '10.77.9.2')])
      return pages.every(({ status }) => status === 200) ? created : undefined
    },
    60_000,
  )
}

/** @returns the time until every party of `contract` was invited, in milliseconds */
async function untilMailed(stack: FaultStack, { id, partyCount }: CreatedContract): Promise<number> {
  const startedAt = performance.now()
  await until(
    `the invitations of ${id}`,
    () => (invitationsOf(stack, id).length >= partyCount ? true : undefined),
    2 * MAIL_MS_MAX,
  )
  return performance.now() - startedAt
}

/** The accepted invitations of the contract `id`. */
function invitationsOf({ mailServer }: FaultStack, id: string) {
  return mailServer.accepted().filter(({ parsed }) => parsed.messageId?.startsWith(`<invitation.${id}.`))
}

/** Skips the pause for mails whose text the server may have accepted. @returns the number of these mails */
async function bringForward({ query }: FaultStack): Promise<number> {
  const rows = await query(
    'notification',
    `update delivery set due_at = clock_timestamp()
      where state = 'due' and claim is null and outcome like 'no answer to the text%' returning id`,
  )
  return rows.length
}

/** Starts clients that create and sign contracts, and one that only creates, because a client that waits for a code creates none. */
function startLoad({ workload, fail, wait }: Scene) {
  let isOver = false
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    try {
      while (!isOver) await work()
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error))
    }
  }
  const { create, read, sign } = workload
  async function createAndSign(): Promise<void> {
    const contract = await create(2)
    if (!contract) return
    const signing = [0, 1].map((at) => sign(contract, at))
    await read(contract)
    await Promise.all(signing)
    await read(contract)
  }
  async function createOnly(): Promise<void> {
    await create(2)
    await wait(500)
  }
  const clients = [repeat(createAndSign), repeat(createAndSign), repeat(createOnly)]
  return {
    async stop(): Promise<void> {
      isOver = true
      await Promise.all([...clients, workload.stop()])
    },
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item)
}
