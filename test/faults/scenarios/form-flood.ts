// A thousand open forms, and how long everything else takes meanwhile. [F39, P26]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createApiClient } from '../../harness/clients/api-client.js'
import { createVisitor, formsOf } from '../../harness/clients/ceremony-client.js'
import { quantile } from '../../harness/quantile.js'
import type { Scenario, Scene } from '../scenario.js'
import { signIn } from './guessing.js'

const OPEN = 1_000
/** How many times as long an answer may take at the 99th percentile; in a short run, which has too few answers for it, at the median. */
const RATIO_MAX = { full: 1.5, short: 3 }
/** Calls that follow each other at once would take both cores of a small machine by themselves. */
const PAUSE_MS = 100

/** What a client needs for a form: an address, and the cookie and the token that its browser got with the page. */
interface FormClient {
  url: string
  address: string
  cookie: string
  body: string
}

type Probe = readonly [name: string, ask: () => Promise<number>]

export const formFlood: Scenario = {
  fault: 'F39',
  name: 'form-flood',
  done: 'a thousand forms are kept open, at sign-in to the console and then at one share link, each from one address and from a thousand',
  holds:
    'every form gets an answer; the API, the page of another contract and the console of another account take at most 1.5 times as long at the 99th percentile as between the floods of the same run',
  buses: ['postgres'],
  // The limits have tests of their own (form-limits.int.test.ts), and this takes a minute.
  suiteBuses: [],
  suite: { rounds: 1, scale: 5 },
  full: { rounds: 5, scale: 1 },
  clients: 0,
  async play(scene) {
    const { workload } = scene
    const flooded = (await workload.create(2))!
    const { origin } = new URL(flooded.shareUrl)
    const probes = await makeProbes(scene, origin)
    await measure(probes, 2_000)
    for (const [target, page] of [
      ['signIn', `${origin}/console/sign-in`],
      ['link', flooded.shareUrl],
    ] as const)
      for (const addresses of [1, OPEN]) {
        await compare(scene, `${target}${addresses}`, await makeClients(page, addresses), probes)
      }
  },
}

/** Measures in turn without and with the flood. */
async function compare(
  { rounds, scaledMs, record, fail }: Scene,
  name: string,
  clients: FormClient[],
  probes: Probe[],
) {
  const quiet = new Map<string, number[]>()
  const flooded = new Map<string, number[]>()
  const answers: Record<string, number> = {}
  for (let round = 0; round < rounds; round += 1) {
    await measure(probes, scaledMs(20), quiet)
    const end = await startFlood(clients)
    try {
      await measure(probes, scaledMs(20), flooded)
    } finally {
      for (const [status, times] of Object.entries(await end())) answers[status] = (answers[status] ?? 0) + times
    }
  }
  record(
    `${name}Answers`,
    Object.entries(answers)
      .map(([status, times]) => `${status}: ${times}`)
      .join(', '),
  )
  if (answers['lost']) fail(`${name}: ${answers['lost']} forms got no answer`)
  const isFull = scaledMs(1) >= 1_000
  const [share, ratioMax] = isFull ? [0.99, RATIO_MAX.full] : [0.5, RATIO_MAX.short]
  for (const [probe] of probes) {
    const [without, during] = [quiet, flooded].map((times) => quantile(times.get(probe) ?? [], share)) as [
      number,
      number,
    ]
    const ratio = Math.round((100 * during) / without) / 100
    record(`${name} ${probe}`, `${without} ms, ${during} ms, ${ratio}`)
    if (ratio > ratioMax) fail(`${name}: ${probe} took ${ratio} times as long`)
  }
}

/** Asks each probe again and again, on a connection of its own, for `ms`; adds the milliseconds of each answer to `times`. */
async function measure(probes: readonly Probe[], ms: number, times = new Map<string, number[]>()): Promise<void> {
  const until = performance.now() + ms
  await Promise.all(
    probes.map(async ([name, ask]) => {
      const list = times.get(name) ?? []
      times.set(name, list)
      while (performance.now() < until) {
        const startedAt = performance.now()
        const status = await ask()
        if (status >= 300) throw new Error(`${name} was answered ${status}`)
        list.push(performance.now() - startedAt)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }),
  )
}

async function makeProbes(scene: Scene, origin: string): Promise<Probe[]> {
  const { stack, workload } = scene
  const { key } = await stack.createAccount('Beside the flood')
  const api = createApiClient(stack.stack.apiUrl, key)
  const other = (await workload.create(2))!
  const owner = createVisitor({ 'x-forwarded-for': '198.51.100.1' })
  const email = 'owner.beside@example.test'
  await stack.operator.gateway.account.create.mutate({ name: 'Beside the flood', email, tier: 'load' })
  if (!(await signIn(scene, owner, origin, email))) throw new Error('the owner did not sign in')
  const party = createVisitor({ 'x-forwarded-for': '198.51.100.2' })
  let count = 0
  const newContract = () => {
    count += 1
    const emails = ['a', 'b'].map((name) => `${name}${count}.beside@example.test`)
    const parties = emails.map((email) => ({ role: 'Party', legalName: 'Party', email }))
    return { contractType: 'nda', content: 'Nothing.', parties }
  }
  return [
    ['create', async () => (await api.create(newContract())).status],
    ['read', async () => (await workload.api.get(other.id)).status],
    ['page', async () => (await party.get(other.shareUrl)).status],
    ['console', async () => (await owner.get(`${origin}/console/account`)).status],
  ]
}

/** Clients that send the form of one browser from `addresses` addresses. */
async function makeClients(page: string, addresses: number): Promise<FormClient[]> {
  const visitor = createVisitor({ 'x-forwarded-for': '203.0.113.1' })
  const opened = await visitor.get(page)
  visitor.close()
  const form = formsOf(opened).find(({ fields }) => 'formToken' in fields && 'email' in fields)
  if (!form) throw new Error(`${page} has no form: ${opened.status}`)
  const url = new URL(form.action, page).href
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
  return Array.from({ length: addresses }, (_, at) => ({
    url,
    cookie,
    address: `203.0.${Math.trunc(at / 250)}.${(at % 250) + 1}`,
    body: new URLSearchParams({ ...form.fields, email: `stranger${at}@flood.example` }).toString(),
  }))
}

/** @returns ends the flood; resolves with the number of answers by status */
async function startFlood(clients: FormClient[]): Promise<() => Promise<Record<string, number>>> {
  const script = fileURLToPath(new URL('../form-flood.mjs', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ open: OPEN, clients }))
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return async () => {
    const last = once(lines, 'line')
    child.kill('SIGTERM')
    return JSON.parse(String((await last)[0])) as Record<string, number>
  }
}
