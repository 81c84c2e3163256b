// Verifies many contracts: the verifier reads every range, and its memory does not grow with the number of contracts.
// test/e2e/operations/invariants.e2e.test.ts writes violations into a real stack. PARAPH_VERIFY_CONTRACTS sets the number of contracts,
// for measurements.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { FIRST_MS, openInstallation, type Installation } from '../test/installation-fixture.js'
import { verifyInvariants } from './verify-invariants.js'

const CONTRACTS = Number(process.env['PARAPH_VERIFY_CONTRACTS'] ?? 1_000)

let installation: Installation
beforeAll(async () => {
  installation = await openInstallation(CONTRACTS)
}, 600_000)
afterAll(() => installation?.close())

it('the verifier checks every contract, event and mail of a large installation in constant memory', async () => {
  const { rss } = process.memoryUsage()
  const { violations, checks, tookMs } = await verifyInvariants(installation.urls, {
    since: undefined,
    contractId: undefined,
    withinSeconds: 60,
  })
  const grownMiB = Math.round((process.memoryUsage().rss - rss) / 1_048_576)
  if (CONTRACTS > 1_000) process.stdout.write(`${CONTRACTS} contracts: ${tookMs} ms, ${grownMiB} MiB more\n`)
  expect(violations).toEqual([])
  const looked = Object.assign({}, ...checks.map((check) => check.looked)) as Record<string, number>
  expect(looked).toMatchObject({
    contracts: CONTRACTS,
    chains: CONTRACTS,
    deliveries: 2 * CONTRACTS,
    'events in outboxes': CONTRACTS,
    'messages on the bus': CONTRACTS,
    'inbox rows': 2 * CONTRACTS,
    'events published, per consumer': 2 * CONTRACTS,
  })
  expect(grownMiB).toBeLessThan(200)
}, 600_000)

it('the verifier finds a violation in the last contract, also by its id or with --since, and ignores contracts from before --since', async () => {
  const last = `contract-${FIRST_MS + CONTRACTS * 1_000}-`
  await installation.change('contract', `update contract set version = 2 where id like '${last}%'`)
  const verify = (scope: { since?: Date; contractId?: string }) =>
    verifyInvariants(
      installation.urls,
      { since: undefined, contractId: undefined, withinSeconds: 60, ...scope },
      { pauseMs: 0 },
    )
  const [found] = (await verify({})).violations
  expect(found?.subject).toContain(last)
  expect((await verify({ contractId: found!.subject })).violations.map(({ subject }) => subject)).toContain(
    found!.subject,
  )
  const after = (ms: number) => verify({ since: new Date(FIRST_MS + ms) })
  expect((await after(CONTRACTS * 1_000 - 500)).checks[0]?.looked).toMatchObject({ contracts: 1 })
  expect((await after(CONTRACTS * 1_000 - 500)).violations.map(({ invariant }) => invariant)).toContain('I4')
  expect((await after(CONTRACTS * 1_000 + 500)).checks[0]?.looked).toEqual({})
}, 600_000)
