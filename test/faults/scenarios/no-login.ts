// Postgres runs, and refuses the connections of a service: its role has lost the login, or its database accepts no connections. [F30, P21, D32, D40]
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { createVisitor } from '../../harness/clients/ceremony-client.js'
import { until } from '../../harness/until.js'
import type { FaultStack } from '../fault-stack.js'
import type { Scenario, Scene } from '../scenario.js'
import type { CreatedContract } from '../workload.js'

/** As after a restart of Postgres. */
const BACK_MS_MAX = 10_000

const REFUSALS = {
  'no login': (service: ServiceName, isRefused: boolean) =>
    `alter role ${service}_runtime ${isRefused ? 'nologin' : 'login'}`,
  'no connections': (service: ServiceName, isRefused: boolean) =>
    `alter database ${service} allow_connections ${!isRefused}`,
} as const
type Refusal = keyof typeof REFUSALS

export const noLogin: Scenario = {
  fault: 'F30',
  name: 'no-login',
  done: 'Postgres refuses the connections of one service for 15 s under load: its role may not log in, or its database accepts no connections; a round is each of the four services both ways',
  holds:
    'no call and no page is answered 500; each 503 has Retry-After; GET /status is 200 `degraded` for a key seen before; no service process exits; calls succeed within 10 s of the end',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 8 },
  full: { rounds: 3, scale: 1 },
  clients: 4,
  async play(scene) {
    const { workload, rounds, record, fail } = scene
    const known = (await workload.create(2))!
    const figures = { refusedCalls: 0, refusedPages: 0, longestUntilACreatedContractMs: 0 }
    for (let round = 0; round < rounds; round += 1)
      for (const service of SERVICES)
        for (const refusal of Object.keys(REFUSALS) as Refusal[]) {
          const seenBefore = workload.refusals().length
          const backMs = await refuse(scene, service, refusal, known)
          figures.longestUntilACreatedContractMs = Math.max(figures.longestUntilACreatedContractMs, Math.round(backMs))
          if (backMs > BACK_MS_MAX)
            fail(`${service}, ${refusal}: a contract was created only ${backMs} ms after the end`)
          const refused = workload.refusals().slice(seenBefore)
          figures.refusedCalls += refused.filter(({ of }) => of === 'call').length
          figures.refusedPages += refused.filter(({ of }) => of === 'page').length
          // A retry that meets its own first try is answered 409.
          const wrong = refused.filter(
            ({ status, hasRetryAfter }) => !(status === 503 && hasRetryAfter) && status !== 409,
          )
          for (const each of wrong) fail(`${service}, ${refusal}: ${JSON.stringify(each)}`)
        }
    for (const [name, figure] of Object.entries(figures)) record(name, figure)
    if (figures.refusedCalls === 0 || figures.refusedPages === 0) fail('no call or no page met the fault')
  },
}

/** @returns the milliseconds from the end of the refusal until a contract was created and its link opened */
async function refuse(scene: Scene, service: ServiceName, refusal: Refusal, known: CreatedContract): Promise<number> {
  const { stack, workload, scaledMs, wait, fail } = scene
  await setRefused(stack, service, refusal, true)
  try {
    await wait(scaledMs(15) / 2)
    if (service === 'gateway') {
      const { status, body } = await workload.api.call<{ status: string }>('GET', '/status')
      if (status !== 200 || body.status !== 'degraded') fail(`${refusal}: GET /status: ${status} ${body.status}`)
    }
    const page = await openPage(known)
    if (page.status !== 200 && !(page.status === 503 && page.headers.has('retry-after')))
      fail(`${service}, ${refusal}: the link was answered ${page.status}`)
    await wait(scaledMs(15) / 2)
  } finally {
    await setRefused(stack, service, refusal, false)
  }
  const endedAt = performance.now()
  await workload.create(2)
  await until('a page', async () => ((await openPage(known)).status === 200 ? true : undefined), 60_000)
  return performance.now() - endedAt
}

async function setRefused(
  { query }: FaultStack,
  service: ServiceName,
  refusal: Refusal,
  isRefused: boolean,
): Promise<void> {
  // Not even a superuser enters a database that accepts no connections.
  await query('bus', REFUSALS[refusal](service, isRefused))
  if (isRefused)
    await query(
      'bus',
      `select pg_terminate_backend(pid) from pg_stat_activity
        where ${refusal === 'no login' ? 'usename' : 'datname'} = $1 and pid <> pg_backend_pid()`,
      [refusal === 'no login' ? `${service}_runtime` : service],
    )
}

/** Opens the share link, as one client address does. */
export async function openPage({ shareUrl }: CreatedContract) {
  const visitor = createVisitor({ 'x-forwarded-for': '10.78.0.1' })
  try {
    return await visitor.follow(await visitor.get(shareUrl))
  } finally {
    visitor.close()
  }
}
