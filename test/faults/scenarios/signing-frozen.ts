// The process of signing stands still while hundreds of people open share links. [F40, P27]
import { elementAt } from '@paraph/protocol/element-at'
import { createVisitor, type PageAnswer } from '../../harness/clients/ceremony-client.js'
import { quantile } from '../../harness/quantile.js'
import { until } from '../../harness/until.js'
import type { Scenario, Scene } from '../scenario.js'
import type { CreatedContract } from '../workload.js'
import { signIn } from './guessing.js'

/** More than the gateway lets wait (signing-proxy.ts), so that some are refused without a wait. */
const PEOPLE = 400
const CONTRACTS = 50
const SIGNERS = 5
/** The limit of a forwarded page, which no run scales. */
const PAGE_MS_MAX = 35_000
/** The extra time of a busy machine. */
const SLOWNESS_MS = 3_000
/** After two failed polls of a frozen service (readiness.ts), GET /status says `degraded`. */
const DEGRADED_AFTER_MS = 8_000
/** As after a restart of Postgres; a busy machine gets the time of a signature before the freeze on top. A page with 503 asks for five seconds more. */
const BACK_MS_MAX = 10_000
const SHOWN_MS_MAX = BACK_MS_MAX + 5_000
/** Calls are slower if their median or p99 is this many times that before the freeze. */
const SLOWER = 3
const PROBE_PAUSE_MS = 150
/** The owner of every account of the fault tests (base-stack.ts). */
const OWNER = 'owner@example.test'

export const signingFrozen: Scenario = {
  fault: 'F40',
  name: 'signing-frozen',
  done: 'the process of signing is stopped (SIGSTOP) for 60 s under load, then continued; meanwhile 400 people open the links of 50 contracts, each again after a 503',
  holds:
    'every page is answered within 35 s, with 503 and a text that says when to open the link again; calls and the console answer as fast as before, and GET /status says `degraded`; no process ends; 10 s after the end people sign, and all 400 see the page; nothing is lost',
  buses: ['postgres'],
  // The limit has a test of its own (signing-frozen.int.test.ts), and this takes more than a minute.
  suiteBuses: [],
  // A freeze that is shorter than the limit of a page would not show the limit.
  suite: { rounds: 1, scale: 1.65 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  async play(scene) {
    const { stack, workload, scaledMs, wait } = scene
    const made = await Promise.all(Array.from({ length: CONTRACTS }, () => workload.create(2)))
    const contracts = made.filter((each) => each !== undefined)
    await untilMailed(stack, contracts)
    const usual = await timed(() => workload.sign(elementAt(contracts, SIGNERS), 0))
    const probes = await startProbes(scene, elementAt(contracts, 0))
    try {
      await wait(scaledMs(10))
      const frozenAt = performance.now()
      const people = await freeze(scene, contracts)
      const thawedAt = performance.now()
      await checkReturn(scene, contracts, people, usual.ms)
      checkPages(scene, people.answers)
      checkProbes(scene, await probes.stop(), frozenAt, thawedAt)
    } finally {
      await probes.stop()
    }
  },
}

/** Waits until the load of the new contracts is over. */
const untilMailed = ({ query }: Scene['stack'], contracts: readonly CreatedContract[]) =>
  until('all invitations', async () => {
    const mailed = await query(
      'notification',
      "select from delivery where kind = 'invitation' and state <> 'due' and contract_id = any ($1)",
      [contracts.map(({ id }) => id)],
    )
    return mailed.length === 2 * contracts.length ? true : undefined
  })

/** Milliseconds are whole. */
async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now()
  return { result: await work(), ms: Math.round(performance.now() - startedAt) }
}

/** Freezes signing while people open links. */
async function freeze(scene: Scene, contracts: readonly CreatedContract[]) {
  const { stack, scaledMs, wait, fail } = scene
  const endsAt = performance.now() + scaledMs(60)
  const thaw = stack.freeze('signing')
  try {
    const people = openLinks(scene, contracts)
    if (!(await stack.isSilent('signing', 1_000))) fail('signing answered: it was not frozen')
    while (performance.now() < endsAt) {
      for (const service of ['gateway', 'contract', 'notification'] as const)
        if (await stack.isSilent(service, 5_000)) fail(`${service} would be restarted while signing stands still`)
      await wait(500)
    }
    return people
  } finally {
    thaw()
  }
}

/** Some sign, and the others see their page. */
async function checkReturn(
  { workload, record, fail }: Scene,
  contracts: readonly CreatedContract[],
  people: ReturnType<typeof openLinks>,
  usualMs: number,
): Promise<void> {
  const [signed, shown] = await Promise.all([
    Promise.all(contracts.slice(0, SIGNERS).map((contract) => timed(() => workload.sign(contract, 0)))),
    timed(people.untilShown),
  ])
  const signedMs = signed.map(({ ms }) => ms)
  const shownMs = shown.ms
  record('usualSignatureMs', usualMs)
  record('firstSignedAfterMs', Math.min(...signedMs))
  record('lastSignedAfterMs', Math.max(...signedMs))
  record('shownAfterMs', shownMs)
  const outcomes = signed.map(({ result }) => result)
  if (outcomes.some((each) => each !== 'signed')) fail(`the signatures ended with ${outcomes.join()}`)
  if (Math.min(...signedMs) > BACK_MS_MAX + usualMs) fail('nobody had signed 10 s after the end')
  if (shownMs > SHOWN_MS_MAX + usualMs) fail(`some saw their page only ${shownMs} ms after the end`)
}

/** PEOPLE open links within five seconds, each from an address of its own, and again after each 503 until a page shows. */
function openLinks({ random, wait }: Scene, contracts: readonly CreatedContract[]) {
  const answers: (PageAnswer | undefined)[] = []
  let left = PEOPLE
  async function open(person: number): Promise<void> {
    const address = `10.79.${Math.floor(person / 250)}.${(person % 250) + 1}`
    const visitor = createVisitor({ 'x-forwarded-for': address }, (answer) => void answers.push(answer))
    try {
      await wait(random() * 5_000)
      for (;;) {
        const page = await visitor.follow(await visitor.get(contracts[person % contracts.length]!.shareUrl))
        if (page.status !== 503) break
        await wait(1_000 * Number(page.headers.get('retry-after') ?? 1))
      }
    } finally {
      left -= 1
      visitor.close()
    }
  }
  const visits = Promise.allSettled(Array.from({ length: PEOPLE }, (_, person) => open(person)))
  return {
    answers,
    async untilShown(): Promise<void> {
      await until('an answer to each person', () => (left === 0 ? true : undefined), 60_000)
      await visits
    },
  }
}

function checkPages({ record, fail }: Scene, answers: readonly (PageAnswer | undefined)[]): void {
  const received = answers.filter((each) => each !== undefined)
  const longestMs = Math.max(...received.map(({ ms }) => ms))
  const refused = received.filter(({ status }) => status === 503)
  const waited = refused.filter(({ ms }) => ms > SLOWNESS_MS)
  const toTheLimit = refused.filter(({ ms }) => ms >= PAGE_MS_MAX)
  record('people', PEOPLE)
  record('answers', received.length)
  record('refusedWithoutAWait', refused.length - waited.length)
  record('refusedAfterAWait', waited.length)
  record('longestWaitMs', Math.round(longestMs))
  if (received.length < answers.length) fail(`${answers.length - received.length} pages had no answer`)
  if (longestMs > PAGE_MS_MAX + SLOWNESS_MS) fail(`a page was answered only after ${Math.round(longestMs)} ms`)
  if (toTheLimit.length === 0) fail('no page waited for the limit of 35 s')
  const other = received.filter(({ status }) => ![200, 303, 503].includes(status))
  if (other.length > 0) fail(`pages were answered ${[...new Set(other.map(({ status }) => status))].join()}`)
  const unclear = refused.filter(
    ({ headers, body }) => !headers.has('retry-after') || !body.includes('Open the link again'),
  )
  if (unclear.length > 0) fail(`${unclear.length} pages with 503 do not say when to open the link again`)
}

interface Probed {
  kind: 'api' | 'console'
  status: number
  /** The status of the installation, if GET /status was called. */
  says: string
  startedAt: number
  ms: number
}

/** Repeatedly creates and reads a contract, calls GET /status, and opens the list of contracts in the console. */
async function startProbes(scene: Scene, { id, shareUrl }: CreatedContract) {
  const { workload, wait } = scene
  const { origin } = new URL(shareUrl)
  const owner = createVisitor({ 'x-forwarded-for': '198.51.100.3' })
  if (!(await signIn(scene, owner, origin, OWNER))) throw new Error('the owner did not sign in')
  const chosen = await owner.get(`${origin}/console/accounts`)
  await owner.submit(chosen, '/accounts', { account: workload.accountId, answer: 'open' })
  const probed: Probed[] = []
  const probe = async (kind: Probed['kind'], work: () => Promise<{ status: number; says?: string } | undefined>) => {
    const startedAt = performance.now()
    const { status, says = '' } = (await work().catch(() => undefined)) ?? { status: 0 }
    probed.push({ kind, status, says, startedAt, ms: performance.now() - startedAt })
  }
  let isOver = false
  const all = (async () => {
    while (!isOver) {
      await probe('api', async () => (await workload.create(2)) && { status: 201 })
      await probe('api', () => workload.api.get(id))
      await probe('api', async () => {
        const { status, body } = await workload.api.call<{ status: string }>('GET', '/status')
        return { status, says: body.status }
      })
      await probe('console', () => owner.get(`${origin}/console/contracts?environment=production`))
      await wait(PROBE_PAUSE_MS)
    }
  })()
  return {
    async stop(): Promise<Probed[]> {
      isOver = true
      await all
      owner.close()
      return probed
    },
  }
}

function checkProbes(scene: Scene, probed: readonly Probed[], frozenAt: number, thawedAt: number): void {
  const { workload, record, fail } = scene
  const refusals = [...workload.refusals().filter(({ of }) => of === 'call'), ...probed].map(({ status }) => status)
  const refused = refusals.filter((status) => status !== 200 && status !== 201)
  if (refused.length > 0) fail(`calls and pages of the console were answered ${[...new Set(refused)].join()}`)
  const during = probed.filter(({ startedAt, ms }) => startedAt + ms > frozenAt && startedAt < thawedAt)
  const statuses = during.filter(
    ({ says, startedAt, ms }) => says !== '' && startedAt > frozenAt + DEGRADED_AFTER_MS && startedAt + ms < thawedAt,
  )
  if (statuses.length === 0 || statuses.some(({ says }) => says !== 'degraded'))
    fail(`GET /status said ${[...new Set(statuses.map(({ says }) => says))].join()} while signing stood still`)
  for (const kind of ['api', 'console'] as const) {
    const timesOf = (list: readonly Probed[]) => list.filter((each) => each.kind === kind).map(({ ms }) => ms)
    const before = timesOf(probed.filter(({ startedAt, ms }) => startedAt + ms < frozenAt))
    const meanwhile = timesOf(during)
    for (const [name, share] of [
      ['P50', 0.5],
      ['P99', 0.99],
    ] as const) {
      const [was, is] = [quantile(before, share), quantile(meanwhile, share)]
      record(`${kind}${name}MsBefore`, was)
      record(`${kind}${name}MsDuring`, is)
      if (is > SLOWER * was) fail(`${kind}: ${name} was ${was} ms before the freeze, and ${is} ms during it`)
    }
  }
}
