import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ContractDatabase } from '@paraph/contract/database'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { checkEvidence } from '@paraph/signing/verify/check'
import { isFinished, contradictionsIn, readAftermath } from '@paraph/signing/test/aftermath-fixture'
import type { SigningDatabase } from '@paraph/signing/database'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox, type ContractBody } from '../../harness/clients/api-client.js'
import {
  askForCode,
  createVisitor,
  locationOf,
  proveMailbox,
  signOn,
  type PageAnswer,
} from '../../harness/clients/ceremony-client.js'
import { expectKillAt } from '../../harness/stack/fail-points.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraph,
  startStack,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { download, untilSealed } from '../../harness/clients/sealed-contract.js'
import { until } from '../../harness/until.js'

/** Fail points during a signature, one between every two steps: SIGNING in the signing service, CONTRACT in the contract service. */
const SIGNING = ['begun', 'submitted', 'answered', 'finished'].map((step) => `sign.${step}`)
const CONTRACT = ['locked', 'stored', 'committed'].map((step) => `sign.${step}`)
/** Fail points during the check of an attempt without an answer: SWEEP in the signing service, SETTLE in the contract service. */
const SWEEP = ['answered', 'finished'].map((step) => `sweep.${step}`)
const FINISH = ['locked', 'stored', 'committed'].map((step) => `finish.${step}`)
const EVIDENCE = ['recorded', 'asked', 'performed', 'marked', 'committed'].map((step) => `evidence.${step}`)
const SEAL = ['claimed', 'made', 'stored', 'committed'].map((step) => `seal.${step}`)
const CODE = ['claimed', 'pushed', 'wiped', 'committed'].map((step) => `code.${step}`)
const END = ['locked', 'stored', 'committed']

type ServiceName = 'contract' | 'signing'

let running: RunningStack
let points: string
let databases: ReturnType<typeof openDatabases>
beforeAll(async () => {
  points = await mkdtemp(join(tmpdir(), 'paraph-points-'))
  const environment = { FAIL_POINT_DIR: points, SIGN_UNSETTLED_SECONDS: '1', PARAPH_RESTART_MS_MAX: '100' }
  running = await startStack(await makeDataFolder(), environment)
  databases = openDatabases()
})
afterAll(async () => {
  if (running) await untilAllSealed()
  await databases?.close()
  await running?.close()
  await rm(points, { recursive: true, force: true })
})

function openDatabases() {
  const logger = { warn: () => undefined }
  const contract = createDatabase<ContractDatabase>(openPool(databaseUrlOf(running.stack, 'contract'), logger))
  const signing = createDatabase<SigningDatabase>(openPool(databaseUrlOf(running.stack, 'signing'), logger))
  return { contract, signing, close: () => Promise.all([contract.destroy(), signing.destroy()]) }
}

const expectKill = (service: ServiceName, point: string) => expectKillAt(running, { points, service, point })

/** Skips the minute for which a killed process keeps the lease of a seal. */
const skipLeasesOfSeals = () =>
  databases.signing.updateTable('seal_task').set({ claimed_until: null }).where('done_at', 'is', null).execute()

/** A kill can also hit the seal of the contract before. */
async function untilAllSealed(): Promise<void> {
  await skipLeasesOfSeals()
  await until('every seal', async () => {
    const open = await databases.signing
      .selectFrom('seal_task')
      .select('contract_id')
      .where('done_at', 'is', null)
      .execute()
    return open.length === 0 ? true : undefined
  })
}

interface Party {
  legalName: string
  email: string
  visitor: ReturnType<typeof createVisitor>
}

let contractCount = 0

/** Creates a contract with two parties. `prove` opens the review page of a party. */
async function begin() {
  const { apiUrl, liveKey, mailboxUrl } = running.stack
  const api = createApiClient(apiUrl, liveKey)
  contractCount += 1
  const parties: Party[] = ['Jane Roe', 'Hélène Côté'].map((legalName, index) => ({
    legalName,
    email: `p${index}.${contractCount}@example.test`,
    visitor: createVisitor(),
  }))
  const answer = await api.create({
    contractType: 'nda',
    content: 'The parties keep secrets secret.',
    parties: parties.map(({ legalName, email }) => ({ role: 'Party', legalName, email })),
  })
  expect(answer.status).toBe(201)
  const { id, shareUrl } = answer.body.contract
  const prove = (party: Party): Promise<PageAnswer> => proveMailbox(party.visitor, shareUrl, party.email, mailboxUrl)
  return {
    id,
    shareUrl,
    parties: parties as [Party, Party],
    prove,
    read: async () => (await api.get(id)).body.contract,
  }
}

type Ceremony = Awaited<ReturnType<typeof begin>>

type Outcome = 'signed' | 'not signed' | 'unknown'

/** The outcome of a signature that an answer to the form, or a page of the share link, shows to the party. */
function outcomeOf(answer: PageAnswer): Outcome {
  if (answer.status === 303) return /\/done\b/.test(locationOf(answer)) ? 'signed' : 'not signed'
  if (/You have signed|Everyone has signed/.test(answer.body)) return 'signed'
  if (/We do not know yet whether your signature was recorded/.test(answer.body)) return 'unknown'
  if (/You have not signed|Nothing was signed|Read, then sign/.test(answer.body)) return 'not signed'
  throw new Error(`This page shows no outcome of a signature: ${answer.status} ${answer.body.slice(0, 2_000)}`)
}

/** Waits until no attempt is open, then opens the share link like a returning visitor until the answer is not 503. */
async function comeBack({ id, shareUrl }: Ceremony, { visitor }: Party): Promise<PageAnswer> {
  await until('the end of every attempt', async () => {
    const open = await databases.signing
      .selectFrom('sign_attempt')
      .select('id')
      .where('contract_id', '=', id)
      .where('state', '=', 'submitted')
      .executeTakeFirst()
    return open ? undefined : true
  })
  return until('a page of the share link that is not a 503', async () => {
    const page = await visitor.follow(await visitor.get(shareUrl))
    return page.status === 503 ? undefined : page
  })
}

/** Compares the outcome shown to the party (`before`) with the final outcome at the link and the API. Then signs, if not signed yet. */
async function signAfterAll(ceremony: Ceremony, at: 0 | 1, before: Outcome): Promise<void> {
  const party = ceremony.parties[at]
  const page = await comeBack(ceremony, party)
  const outcome = outcomeOf(page)
  expectWithMessage(outcome, 'the outcome that the share link shows').not.toBe('unknown')
  expect((await ceremony.read()).parties[at]!.hasSigned).toBe(outcome === 'signed')
  if (before !== 'unknown') expectWithMessage(outcome, 'the final outcome equals the outcome shown first').toBe(before)
  if (outcome === 'signed') return
  expect(outcomeOf(await signOn(party.visitor, page, party.legalName))).toBe('signed')
}

/** Waits until all work has finished, and expects that rows, events, attempts and evidence chain agree. */
async function expectTruth({ id }: Ceremony): Promise<void> {
  const { contract, signing } = databases
  await until('all work to finish', async () => ((await isFinished(contract, signing, id)) ? true : undefined), 60_000)
  const aftermath = (await readAftermath(contract, signing, id))!
  expectWithMessage(contradictionsIn(aftermath), aftermath.lines.join('\n')).toEqual([])
}

async function expectAllSigned(ceremony: Ceremony): Promise<void> {
  const expected: Partial<ContractBody['contract']> = {
    status: 'signed',
    signingProgress: { signed: 2, total: 2, pending: 0, percentage: 100 },
  }
  expect(await ceremony.read()).toMatchObject(expected)
  for (const party of ceremony.parties) expect((await comeBack(ceremony, party)).body).toContain('Everyone has signed')
  await expectTruth(ceremony)
}

const serviceOf = (point: string): ServiceName =>
  CONTRACT.includes(point) || FINISH.includes(point) ? 'contract' : 'signing'

describe('every outcome shown to a party is true after kill -9 [D41, F16, I1-I6, I10]', () => {
  const cases = [...SIGNING, ...CONTRACT].flatMap((point) => [
    { point, who: 'first' },
    { point, who: 'last' },
  ])
  it.each(cases)('at $point, during the $who signature', async ({ point, who }) => {
    const ceremony = await begin()
    const at = who === 'first' ? 0 : 1
    const reviews = await Promise.all(ceremony.parties.map(ceremony.prove))
    const sign = (index: 0 | 1) =>
      signOn(ceremony.parties[index].visitor, reviews[index]!, ceremony.parties[index].legalName)
    if (at === 1) expect(outcomeOf(await sign(0))).toBe('signed')
    const killed = await expectKill(serviceOf(point), point)
    const outcome = outcomeOf(await sign(at))
    await killed()
    await signAfterAll(ceremony, at, outcome)
    if (at === 0) await signAfterAll(ceremony, 1, 'not signed')
    await expectAllSigned(ceremony)
  })

  it.each([...SWEEP, ...FINISH])('at %s, during the check of a signing attempt without an answer', async (point) => {
    const ceremony = await begin()
    const [review] = await Promise.all(ceremony.parties.map(ceremony.prove))
    const asking = serviceOf(point)
    // The attempt gets no answer, because the first kill hits the other service during the signature.
    const lost = asking === 'signing' ? expectKill('contract', 'sign.locked') : expectKill('signing', 'sign.submitted')
    const killed = await Promise.all([lost, expectKill(asking, point)])
    const outcome = outcomeOf(await signOn(ceremony.parties[0].visitor, review!, ceremony.parties[0].legalName))
    for (const each of killed) await each()
    expect(outcome).toBe('unknown')
    await signAfterAll(ceremony, 0, outcome)
    await signAfterAll(ceremony, 1, 'not signed')
    await expectAllSigned(ceremony)
  })

  it.each(EVIDENCE)('at %s, during the recording of events in the evidence chain', async (point) => {
    const ceremony = await begin()
    const reviews = await Promise.all(ceremony.parties.map(ceremony.prove))
    expect(outcomeOf(await signOn(ceremony.parties[0].visitor, reviews[0]!, ceremony.parties[0].legalName))).toBe(
      'signed',
    )
    const killed = await expectKill('signing', point)
    const outcome = outcomeOf(await signOn(ceremony.parties[1].visitor, reviews[1]!, ceremony.parties[1].legalName))
    await killed()
    await signAfterAll(ceremony, 1, outcome)
    await expectAllSigned(ceremony)
  })

  it.each(SEAL)('at %s, during the sealing, which creates one seal and one event [D30]', async (point) => {
    const ceremony = await begin()
    const { id, shareUrl, parties } = ceremony
    const reviews = await Promise.all(parties.map(ceremony.prove))
    expect(outcomeOf(await signOn(parties[0].visitor, reviews[0]!, parties[0].legalName))).toBe('signed')
    const killed = await expectKill('signing', point)
    const outcome = outcomeOf(await signOn(parties[1].visitor, reviews[1]!, parties[1].legalName))
    await killed()
    await signAfterAll(ceremony, 1, outcome)
    await skipLeasesOfSeals()
    await untilSealed(parties[1].visitor, shareUrl)
    const files = await download(parties[1].visitor, shareUrl)
    const { checks } = await checkEvidence(files['copy.pdf'])
    expect(checks.filter(({ holds }) => !holds)).toEqual([])
    for (const { email } of parties) await createMailbox(running.stack.mailboxUrl).waitFor(email, 'Everyone has signed')
    const { rows } = await withClient(databaseUrlOf(running.stack, 'signing'), (client) =>
      client.query('select type from outbox where key = $1', [id]),
    )
    expect(rows).toEqual([{ type: 'signing.evidence_sealed' }])
    await expectAllSigned(ceremony)
  })

  it.each(CODE)('at %s, during the sending of a code', async (point) => {
    const ceremony = await begin()
    const [party, other] = ceremony.parties
    const { mailboxUrl } = running.stack
    const killed = await expectKill('signing', point)
    await askForCode(party.visitor, ceremony.shareUrl, party.email).catch(() => undefined)
    await killed()
    // Skips the twelve seconds for which the killed process keeps the lease of the code.
    await withClient(databaseUrlOf(running.stack, 'signing'), (client) =>
      client.query('update code_send set leased_until = null'),
    )
    // Requests a code again: within a minute, the service sends no second code, and the first code works. [D16]
    const page = await askForCode(party.visitor, ceremony.shareUrl, party.email)
    const code = await createMailbox(mailboxUrl).waitForCode(party.email)
    const review = await party.visitor.follow(await party.visitor.submit(page, /\/code\/[^/]+$/, { code }))
    expect(outcomeOf(await signOn(party.visitor, review, party.legalName))).toBe('signed')
    expect(outcomeOf(await signOn(other.visitor, await ceremony.prove(other), other.legalName))).toBe('signed')
    await expectAllSigned(ceremony)
    const mails = await createMailbox(mailboxUrl).listTo(party.email)
    expect(mails.filter(({ Subject }) => Subject.includes('one-time code'))).toHaveLength(1)
  })

  it.each(END)('at cancel.%s, during the cancellation of the contract', async (step) => {
    const ceremony = await begin()
    const reviews = await Promise.all(ceremony.parties.map(ceremony.prove))
    expect(outcomeOf(await signOn(ceremony.parties[0].visitor, reviews[0]!, ceremony.parties[0].legalName))).toBe(
      'signed',
    )
    const killed = await expectKill('contract', `cancel.${step}`)
    const cancel = () => paraph(running.folder, 'contract', 'cancel', ceremony.id, '--reason', 'Test')
    expect((await cancel()).code).toBe(1)
    await killed()
    const isCancelled = (await ceremony.read()).status === 'cancelled'
    const again = await cancel()
    expect([again.code, /already cancelled/.test(again.stderr)]).toEqual(isCancelled ? [1, true] : [0, false])
    const answer = await signOn(ceremony.parties[1].visitor, reviews[1]!, ceremony.parties[1].legalName)
    expect([answer.status, outcomeOf(answer)]).toEqual([409, 'not signed'])
    expect(await ceremony.read()).toMatchObject({ status: 'cancelled', signingProgress: { signed: 1 } })
    await expectTruth(ceremony)
  })

  it.each(END)('at expire.%s, during the expiry of the contract', async (step) => {
    const ceremony = await begin()
    const reviews = await Promise.all(ceremony.parties.map(ceremony.prove))
    expect(outcomeOf(await signOn(ceremony.parties[0].visitor, reviews[0]!, ceremony.parties[0].legalName))).toBe(
      'signed',
    )
    const killed = await expectKill('contract', `expire.${step}`)
    await withClient(databaseUrlOf(running.stack, 'contract'), (client) =>
      client.query('update contract set expires_at = clock_timestamp() where id = $1', [ceremony.id]),
    )
    await killed()
    expect(await ceremony.read()).toMatchObject({ status: 'expired', signingProgress: { signed: 1 } })
    const answer = await signOn(ceremony.parties[1].visitor, reviews[1]!, ceremony.parties[1].legalName)
    expect([answer.status, outcomeOf(answer)]).toEqual([409, 'not signed'])
    await expectTruth(ceremony)
  })
})
