// Clients and parties that continue their work despite any fault, with seeded random choices, and the history of all answers. Black box:
// uses only HTTP, mails and the operator's port. Owns: the actions and the interpretation of answers. Does not own: whether an answer was
// true (history-checker.ts), the other checks (soundness.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { until } from '../harness/until.js'
import { createApiClient, type Answer, type ContractBody } from '../harness/clients/api-client.js'
import {
  askForCode,
  createVisitor,
  formsOf,
  locationOf,
  signOn,
  type Form,
  type PageAnswer,
  type Visitor,
} from '../harness/clients/ceremony-client.js'
import type { BaseStack } from './base-stack.js'
import type { Call, CallAnswer, PageShows, SignOutcome } from './history-checker.js'

/** A contract whose POST was answered with 201. */
export interface CreatedContract {
  id: string
  shareUrl: string
  partyCount: number
  emails: string[]
}

/** A refused call, a failed page, or a call or page without an answer. */
interface Refusal {
  of: 'call' | 'page'
  /** The title of the failed page. */
  title: string
  /** 0: no answer came, or one that docs/openapi.json does not describe, which always fails the run (scenario.ts). */
  status: number
  hasRetryAfter: boolean
  /** Milliseconds of the wall clock. */
  startedAt: number
}

const NAMES = ['Jane Roe', 'Hélène Côté', 'Nordic Foods Ltd.']
/** What the clients do with a contract, one at random. */
const ENDS = ['sign', 'sign', 'sign', 'some', 'cancel', 'expire', 'leave'] as const
type End = (typeof ENDS)[number]
/** The time after which a party without success gives up. Nothing is guaranteed to a party that does not return. */
const PARTY_MS_MAX = 90_000

/** The answers to the clients, by contract. Times are whole milliseconds of the wall clock, rounded outwards. */
function createHistories() {
  const calls = new Map<string, Call[]>()
  const add = (contractId: string, call: Call): void => {
    const list = calls.get(contractId) ?? []
    list.push(call)
    calls.set(contractId, list)
  }
  return {
    of: (contractId: string): Call[] => calls.get(contractId) ?? [],
    add,
    /** Runs `work` and records its answer; an undefined answer is not recorded. */
    async record<T extends CallAnswer>(
      contractId: string,
      who: string,
      work: () => Promise<T | undefined>,
    ): Promise<T | undefined> {
      const startedAt = Date.now()
      const answer = await work()
      if (answer === undefined) return undefined
      const isLost = 'outcome' in answer && answer.outcome === 'unknown'
      add(contractId, { who, startedAt, endedAt: isLost ? Infinity : Date.now() + 1, answer })
      return answer
    },
    count: () => [...calls.values()].reduce((sum, list) => sum + list.length, 0),
  }
}

/**
 * Creates a workload on `stack`, whose clients work from `start` to `stop`.
 * @param tag distinguishes its mailboxes from those of other workloads
 */
export async function createWorkload(stack: BaseStack, { seed, tag }: { seed: number; tag: string }) {
  const random = createSeededRandom(seed)
  const { accountId, key } = await stack.createAccount(`Faults ${tag}`)
  const api = createApiClient(stack.stack.apiUrl, key)
  const histories = createHistories()
  const created: CreatedContract[] = []
  const refusals: Refusal[] = []
  const counts = { signed: 0, gaveUp: 0 }
  const seenCodes = new Set<string>()
  let contractCount = 0
  let isOver = false

  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!

  /** Records an answer with a status of at least `from`, or a missing answer. */
  function recordRefusal(
    of: Refusal['of'],
    from: number,
    answer: { status: number; headers: Headers; body: unknown } | undefined,
    startedAt: number,
  ): void {
    const status = answer?.status ?? 0
    if (status !== 0 && status < from) return
    const [, title = ''] = /<title>([^<]*)/.exec(typeof answer?.body === 'string' ? answer.body : '') ?? []
    refusals.push({ of, title, status, hasRetryAfter: answer?.headers.has('retry-after') ?? false, startedAt })
  }

  /** One call of the interface; undefined without an answer. */
  async function call<Body>(work: () => Promise<Answer<Body>>): Promise<Answer<Body> | undefined> {
    const startedAt = Date.now()
    const answer = await work().catch(() => undefined)
    recordRefusal('call', 400, answer, startedAt)
    return answer
  }

  /** Repeats a POST with one Idempotency-Key until the answer is 201, like a client that must not create two contracts. */
  async function create(partyCount: number, nameOf = (at: number) => `p${at}`): Promise<CreatedContract | undefined> {
    contractCount += 1
    const order = `${tag}-${seed}-${contractCount}`
    const emails = Array.from({ length: partyCount }, (_, at) => `${nameOf(at)}.${order}@example.test`)
    const body = JSON.stringify({
      contractType: 'nda',
      content: `The parties keep secrets secret. ${order}`,
      parties: emails.map((email, at) => ({ role: `Party ${at}`, legalName: NAMES[at % NAMES.length], email })),
      metadata: { order },
    })
    for (let tries = 0; tries < 400; tries += 1) {
      const answer = await call<ContractBody>(() => api.create(body, { 'Idempotency-Key': order }))
      if (answer?.status === 201) {
        const { id, shareUrl } = answer.body.contract
        const contract = { id, shareUrl, partyCount, emails }
        created.push(contract)
        return contract
      }
      if (answer && ![409, 429, 503].includes(answer.status))
        throw new Error(`POST was answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
      if (isOver) return undefined
      await sleep(50 + random() * 200)
    }
    return undefined
  }

  const read = ({ id }: CreatedContract, who = 'client') =>
    histories.record(id, who, async () => {
      const answer = await call<ContractBody>(() => api.get(id))
      if (answer?.status === 404) return { of: 'read', status: 'absent', signed: [] }
      if (answer?.status !== 200) return undefined
      const { status, parties } = answer.body.contract
      return { of: 'read', status, signed: parties.flatMap(({ hasSigned }, at) => (hasSigned ? [at] : [])) }
    })

  const cancel = ({ id }: CreatedContract) =>
    histories.record(id, 'operator', async () => {
      try {
        await stack.operator.contract.contract.cancel.mutate({ id, reason: 'Fault test' })
        return { of: 'cancel', outcome: 'cancelled' }
      } catch (error) {
        const sentence = error instanceof Error ? error.message : ''
        const refusal = REFUSALS.find(([pattern]) => pattern.test(sentence))?.[1]
        return { of: 'cancel', outcome: refusal ?? 'unknown' }
      }
    })

  /** Makes the contract expire `inMs` from now by the database's clock, and records this moment in the history. */
  async function runOut({ id }: CreatedContract, inMs = 2_000): Promise<void> {
    // Works during a database outage: if the answer of a statement is lost, the next one finds its effect.
    const due = await until(
      'a new time of expiry',
      async () => {
        // Reads the clock only when the row is locked.
        const [row] = await stack
          .query<{ due: Date }>(
            'contract',
            `with locked as (select id from contract where id = $1 for update), moved as (
               update contract set expires_at = clock_timestamp() + $2 * interval '1 millisecond'
                 from locked where contract.id = locked.id and contract.expires_at > clock_timestamp() returning expires_at)
             select expires_at as due from moved union all
             select expires_at from contract where id = $1 and not exists (select 1 from moved)`,
            [id, inMs],
          )
          .catch(() => [])
        return row?.due
      },
      60_000,
    )
    const at = due.getTime()
    histories.add(id, { who: 'clock', startedAt: at - 1, endedAt: at + 2, answer: { of: 'due' } })
  }

  /** The newest unused code that was mailed to `email`. */
  const codeFor = (email: string): string | undefined =>
    stack.mailServer.codesTo(email).findLast((code) => !seenCodes.has(`${email} ${code}`))

  /** Loads a page of the party's link, and records what it shows about the contract, like a read. */
  async function readPage(
    { id }: CreatedContract,
    partyIndex: number,
    load: () => Promise<PageAnswer>,
  ): Promise<{ page: PageAnswer; shows: PageShows | undefined }> {
    const startedAt = Date.now()
    const page = await load()
    const shows = shownOn(page)
    const answer = shows && { of: 'page' as const, partyIndex, shows }
    if (answer) histories.add(id, { who: `party ${partyIndex}`, startedAt, endedAt: Date.now() + 1, answer })
    return { page, shows }
  }

  const readLink = (visitor: Visitor, contract: CreatedContract, partyIndex: number) =>
    readPage(contract, partyIndex, async () => visitor.follow(await visitor.get(contract.shareUrl)))

  /** Opens the link up to the page for a verified mailbox; undefined if a step fails. */
  async function openLink(visitor: Visitor, contract: CreatedContract, partyIndex: number, deadline: number) {
    const first = await readLink(visitor, contract, partyIndex)
    if (first.shows !== 'address') return first
    const email = contract.emails[partyIndex]!
    const codePage = await askForCode(visitor, contract.shareUrl, email)
    if (!formsOf(codePage).some(({ action }) => /\/code\/[^/]+$/.test(action))) return undefined
    let code = codeFor(email)
    while (code === undefined) {
      if (Date.now() > deadline || isOver) return undefined
      await sleep(25)
      code = codeFor(email)
    }
    seenCodes.add(`${email} ${code}`)
    const typed = { code }
    return readPage(contract, partyIndex, async () =>
      visitor.follow(await visitor.submit(codePage, /\/code\/[^/]+$/, typed)),
    )
  }

  /** Opens the link and signs, repeatedly until an answer gives the outcome; then reads the link once more. */
  async function sign(contract: CreatedContract, partyIndex: number): Promise<SignOutcome | undefined> {
    const visitor = createVisitor({ 'x-forwarded-for': addressOf(random) }, (page, startedAt) =>
      recordRefusal('page', 500, page, startedAt),
    )
    const deadline = Date.now() + PARTY_MS_MAX
    let last: SignOutcome | undefined
    try {
      while (Date.now() < deadline) {
        const { page, shows } = (await openLink(visitor, contract, partyIndex, deadline).catch(() => undefined)) ?? {}
        if (shows === 'signed' || shows === 'completed') return 'signed'
        if (shows === 'closed' || shows === 'cancelled' || shows === 'expired') return last
        if (page && shows === 'form') {
          last = await signOnce(visitor, contract, partyIndex, page)
          if (last === 'signed') counts.signed += 1
          if (last === 'signed' || last === 'cancelled' || last === 'expired') {
            await readLink(visitor, contract, partyIndex).catch(() => undefined)
            return last
          }
        }
        if (isOver) return last
        await sleep(100 + random() * 300)
      }
      counts.gaveUp += 1
      return last
    } finally {
      visitor.close()
    }
  }

  async function signOnce(
    visitor: Visitor,
    { id }: CreatedContract,
    partyIndex: number,
    review: PageAnswer,
  ): Promise<SignOutcome> {
    const attemptId = formsOf(review).find(isSignForm)?.fields['signAttemptId'] ?? ''
    const recorded = await histories.record(id, `party ${partyIndex}`, async () => {
      const answer = await signOn(visitor, review, NAMES[partyIndex]!).catch(() => undefined)
      return { of: 'sign', partyIndex, attemptId, outcome: answer ? outcomeShown(answer) : 'unknown' }
    })
    return recorded!.outcome
  }

  /** Plays one contract from its POST to a random end, and reads it all the time. */
  async function runContract(ends: readonly End[]): Promise<void> {
    const contract = await create(2 + (random() < 0.2 ? 1 : 0))
    if (!contract) return
    const kind = pick(ends)
    let isRead = true
    const reading = (async () => {
      while (isRead) {
        await read(contract)
        await sleep(60 + random() * 120)
      }
    })()
    const parties = contract.emails.map((_, at) => at)
    const signing = kind === 'leave' ? [] : kind === 'some' ? parties.slice(1) : parties
    const work: Promise<unknown>[] = signing.map(async (at) => {
      await sleep(random() * 300)
      return sign(contract, at)
    })
    if (kind === 'cancel') work.push(sleep(random() * 1_500).then(() => cancel(contract)))
    if (kind === 'expire') work.push(sleep(random() * 500).then(() => runOut(contract)))
    await Promise.all(work)
    // The sweep of due contracts publishes the event of the expiry.
    if (kind === 'expire')
      await until(
        'the end of the contract',
        async () => (/^(expired|signed|cancelled)$/.test((await read(contract))?.status ?? '') ? true : undefined),
        60_000,
      )
    isRead = false
    await reading
    await read(contract, 'client, at last')
  }

  let clients: Promise<void>[] = []
  let failure: unknown

  return {
    api,
    accountId,
    histories,
    created,
    counts,
    create,
    read,
    cancel,
    runOut,
    sign,
    /**
     * Starts `count` clients, each of which plays one contract after another.
     * @param without an end that no contract gets
     */
    start(count: number, { without }: { without?: End } = {}): void {
      const ends = ENDS.filter((each) => each !== without)
      isOver = false
      clients = Array.from({ length: count }, async () => {
        try {
          while (!isOver) await runContract(ends)
        } catch (error) {
          failure ??= error
        }
      })
    },
    /** Lets every client finish its work. @throws an error of a client that no fault excuses */
    async stop(): Promise<void> {
      isOver = true
      await Promise.all(clients)
      if (failure) throw failure instanceof Error ? failure : new Error(String(failure))
    },
    /**
     * Every call with a status from 400 on or without an answer, and every page with a status from 500 on or without an answer.
     * Empty if the fault has no visible effect.
     */
    refusals: (): readonly Refusal[] => refusals,
  }
}

export type Workload = Awaited<ReturnType<typeof createWorkload>>

const REFUSALS = [
  [/Everyone has signed/, 'already_signed'],
  [/has expired/, 'already_expired'],
  [/already cancelled/, 'already_cancelled'],
] as const

const HEADINGS: Readonly<Record<string, PageShows>> = {
  'You have signed': 'signed',
  'Everyone has signed': 'completed',
  'This contract was cancelled': 'cancelled',
  'This contract has expired': 'expired',
  'This link has closed': 'closed',
  'We cannot find that contract': 'absent',
}

const isSignForm = ({ action }: Form): boolean => action.endsWith('/sign')

/** What a page shows about the contract, by its heading or its form; undefined if it shows nothing. */
function shownOn(page: PageAnswer): PageShows | undefined {
  const heading = /<h1>([^<]*)<\/h1>/.exec(page.body)?.[1] ?? ''
  if (Object.hasOwn(HEADINGS, heading)) return HEADINGS[heading]
  if (page.status !== 200) return undefined
  const forms = formsOf(page)
  if (forms.some(isSignForm)) return 'form'
  return forms.some(({ action }) => action.endsWith('/code')) ? 'address' : undefined
}

/** The outcome that the answer to the sign form shows to the person. */
function outcomeShown({ status, body, ...answer }: PageAnswer): SignOutcome {
  if (status === 303) return /\/done\b/.test(locationOf({ status, body, ...answer })) ? 'signed' : 'not_signed'
  if (/You have signed|Everyone has signed/.test(body) || /Your signature was recorded on/.test(body)) return 'signed'
  if (/We could not accept that form/.test(body)) return 'not_signed'
  if (/Nothing was signed\./.test(body)) return 'given_up'
  if (/You have not signed/.test(body)) {
    if (/contract was cancelled/.test(body)) return 'cancelled'
    if (/has just expired|contract has expired/.test(body)) return 'expired'
    return 'not_signed'
  }
  if (/Nothing was changed/.test(body)) return 'not_signed'
  return 'unknown'
}

/** A random client address, because one address may request only 600 codes an hour. [D16] */
const addressOf = (random: () => number): string =>
  [10, 256, 256, 254].map((below, at) => (at === 0 ? 10 : Math.floor(random() * below) + (at === 3 ? 1 : 0))).join('.')
