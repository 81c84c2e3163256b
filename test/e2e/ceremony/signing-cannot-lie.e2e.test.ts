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

/** The points at which a process can be killed during a signature: between every two steps of both services. */
const SIGNING = ['begun', 'noting', 'submitted', 'answered', 'settling', 'settled'].map((step) => `sign.${step}`)
const CONTRACT = ['locked', 'stored', 'committed'].map((step) => `sign.${step}`)
/** During the check of an attempt without an answer: in the calling service, and in the called one. */
const ASKING = ['answered', 'settling', 'settled'].map((step) => `sweep.${step}`)
const ANSWERING = ['locked', 'stored', 'committed'].map((step) => `settle.${step}`)
const EVIDENCE = ['noted', 'asked', 'performed', 'marked', 'committed'].map((step) => `evidence.${step}`)
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

interface Party {
  legalName: string
  email: string
  visitor: ReturnType<typeof createVisitor>
}

let stories = 0

/** A contract of two parties, both on their review pages. */
async function begin() {
  const { apiUrl, liveKey, mailboxUrl } = running.stack
  const api = createApiClient(apiUrl, liveKey)
  stories += 1
  const parties: Party[] = ['Jane Roe', 'Hélène Côté'].map((legalName, index) => ({
    legalName,
    email: `p${index}.${stories}@example.test`,
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

type Story = Awaited<ReturnType<typeof begin>>

type Told = 'signed' | 'not signed' | 'unknown'

/** The outcome that an answer to the sign form, or a page of the link, shows to the person. */
function wordsOf(answer: PageAnswer): Told {
  if (answer.status === 303) return /\/done\b/.test(locationOf(answer)) ? 'signed' : 'not signed'
  if (/You have signed|Everyone has signed/.test(answer.body)) return 'signed'
  if (/We do not know yet whether your signature was recorded/.test(answer.body)) return 'unknown'
  if (/You have not signed|Nothing was signed|Read, then sign/.test(answer.body)) return 'not signed'
  throw new Error(`This page says nothing of a signature: ${answer.status} ${answer.body.slice(0, 2_000)}`)
}

/** Opens the link like a returning visitor, until every attempt is finished and the page is shown. */
async function comeBack({ id, shareUrl }: Story, { visitor }: Party): Promise<PageAnswer> {
  await until('the result of every attempt', async () => {
    const open = await databases.signing
      .selectFrom('sign_attempt')
      .select('id')
      .where('contract_id', '=', id)
      .where('state', '=', 'submitted')
      .executeTakeFirst()
    return open ? undefined : true
  })
  return until('the page of the link', async () => {
    const page = await visitor.follow(await visitor.get(shareUrl))
    return page.status === 503 ? undefined : page
  })
}

/** Compares the outcome shown to the person with the final state of link, API and both databases; then the party signs. */
async function signAfterAll(story: Story, at: 0 | 1, told: Told): Promise<void> {
  const party = story.parties[at]
  const page = await comeBack(story, party)
  const said = wordsOf(page)
  expectWithMessage(said, 'the link shows the outcome').not.toBe('unknown')
  expect((await story.read()).parties[at]!.hasSigned).toBe(said === 'signed')
  if (told !== 'unknown') expectWithMessage(said, 'the shown outcome stays true').toBe(told)
  if (said === 'signed') return
  expect(wordsOf(await signOn(party.visitor, page, party.legalName))).toBe('signed')
}

/** When all work has finished, rows, events, attempts and chain agree. */
async function expectTruth({ id }: Story): Promise<void> {
  const { contract, signing } = databases
  await until('all work to finish', async () => ((await isFinished(contract, signing, id)) ? true : undefined), 60_000)
  const aftermath = (await readAftermath(contract, signing, id))!
  expectWithMessage(contradictionsIn(aftermath), aftermath.lines.join('\n')).toEqual([])
}

async function expectAllSigned(story: Story): Promise<void> {
  const expected: Partial<ContractBody['contract']> = {
    status: 'signed',
    signingProgress: { signed: 2, total: 2, pending: 0, percentage: 100 },
  }
  expect(await story.read()).toMatchObject(expected)
  for (const party of story.parties) expect((await comeBack(story, party)).body).toContain('Everyone has signed')
  await expectTruth(story)
}

const serviceOf = (point: string): ServiceName =>
  CONTRACT.includes(point) || ANSWERING.includes(point) ? 'contract' : 'signing'

describe('every outcome shown to a party is true after kill -9 [D41, F16, I1-I6, I10]', () => {
  const cases = [...SIGNING, ...CONTRACT].flatMap((point) => [
    { point, who: 'first' },
    { point, who: 'last' },
  ])
  it.each(cases)('at $point, during the $who signature', async ({ point, who }) => {
    const story = await begin()
    const at = who === 'first' ? 0 : 1
    const reviews = await Promise.all(story.parties.map(story.prove))
    const sign = (index: 0 | 1) => signOn(story.parties[index].visitor, reviews[index]!, story.parties[index].legalName)
    if (at === 1) expect(wordsOf(await sign(0))).toBe('signed')
    const killed = await expectKill(serviceOf(point), point)
    const told = wordsOf(await sign(at))
    await killed()
    await signAfterAll(story, at, told)
    if (at === 0) await signAfterAll(story, 1, 'not signed')
    await expectAllSigned(story)
  })

  it.each([...ASKING, ...ANSWERING])('at %s, during the check of an attempt without an answer', async (point) => {
    const story = await begin()
    const [review] = await Promise.all(story.parties.map(story.prove))
    const asking = serviceOf(point)
    // The answer never arrives, because the other service dies.
    const lost = asking === 'signing' ? expectKill('contract', 'sign.locked') : expectKill('signing', 'sign.submitted')
    const killed = await Promise.all([lost, expectKill(asking, point)])
    const told = wordsOf(await signOn(story.parties[0].visitor, review!, story.parties[0].legalName))
    for (const each of killed) await each()
    expect(told).toBe('unknown')
    await signAfterAll(story, 0, told)
    await signAfterAll(story, 1, 'not signed')
    await expectAllSigned(story)
  })

  it.each(EVIDENCE)('at %s, during the recording of events in the evidence', async (point) => {
    const story = await begin()
    const reviews = await Promise.all(story.parties.map(story.prove))
    expect(wordsOf(await signOn(story.parties[0].visitor, reviews[0]!, story.parties[0].legalName))).toBe('signed')
    const killed = await expectKill('signing', point)
    const told = wordsOf(await signOn(story.parties[1].visitor, reviews[1]!, story.parties[1].legalName))
    await killed()
    await signAfterAll(story, 1, told)
    await expectAllSigned(story)
  })

  it.each(SEAL)('at %s, during the sealing: one seal, published once [D30]', async (point) => {
    const story = await begin()
    const { id, shareUrl, parties } = story
    const reviews = await Promise.all(parties.map(story.prove))
    expect(wordsOf(await signOn(parties[0].visitor, reviews[0]!, parties[0].legalName))).toBe('signed')
    const killed = await expectKill('signing', point)
    const told = wordsOf(await signOn(parties[1].visitor, reviews[1]!, parties[1].legalName))
    await killed()
    await signAfterAll(story, 1, told)
    // Skips the minute for which a dead process has the lease of a seal.
    await withClient(databaseUrlOf(running.stack, 'signing'), (client) =>
      client.query('update seal_task set claimed_until = null'),
    )
    await untilSealed(parties[1].visitor, shareUrl)
    const files = await download(parties[1].visitor, shareUrl)
    const { checks } = await checkEvidence(files['copy.pdf'])
    expect(checks.filter(({ holds }) => !holds)).toEqual([])
    for (const { email } of parties) await createMailbox(running.stack.mailboxUrl).waitFor(email, 'Everyone has signed')
    const { rows } = await withClient(databaseUrlOf(running.stack, 'signing'), (client) =>
      client.query('select type from outbox where key = $1', [id]),
    )
    expect(rows).toEqual([{ type: 'signing.evidence_sealed' }])
    await expectAllSigned(story)
  })

  it.each(CODE)('at %s, during the sending of a code', async (point) => {
    const story = await begin()
    const [party, other] = story.parties
    const { mailboxUrl } = running.stack
    const killed = await expectKill('signing', point)
    await askForCode(party.visitor, story.shareUrl, party.email).catch(() => undefined)
    await killed()
    // Skips the twelve seconds for which a dead worker has the lease of a code.
    await withClient(databaseUrlOf(running.stack, 'signing'), (client) =>
      client.query('update code_send set leased_until = null'),
    )
    // The code page again: within the minute no further code is sent, and the first one works. [D16]
    const page = await askForCode(party.visitor, story.shareUrl, party.email)
    const code = await createMailbox(mailboxUrl).waitForCode(party.email)
    const review = await party.visitor.follow(await party.visitor.submit(page, /\/code\/[^/]+$/, { code }))
    expect(wordsOf(await signOn(party.visitor, review, party.legalName))).toBe('signed')
    expect(wordsOf(await signOn(other.visitor, await story.prove(other), other.legalName))).toBe('signed')
    await expectAllSigned(story)
    const mails = await createMailbox(mailboxUrl).listTo(party.email)
    expect(mails.filter(({ Subject }) => Subject.includes('one-time code'))).toHaveLength(1)
  })

  it.each(END)('at cancel.%s, during the cancellation of the contract', async (step) => {
    const story = await begin()
    const reviews = await Promise.all(story.parties.map(story.prove))
    expect(wordsOf(await signOn(story.parties[0].visitor, reviews[0]!, story.parties[0].legalName))).toBe('signed')
    const killed = await expectKill('contract', `cancel.${step}`)
    const cancel = () => paraph(running.folder, 'contract', 'cancel', '--id', story.id, '--reason', 'Test')
    expect((await cancel()).code).toBe(1)
    await killed()
    const isCancelled = (await story.read()).status === 'cancelled'
    const again = await cancel()
    expect([again.code, /already cancelled/.test(again.stderr)]).toEqual(isCancelled ? [1, true] : [0, false])
    const told = await signOn(story.parties[1].visitor, reviews[1]!, story.parties[1].legalName)
    expect([told.status, wordsOf(told)]).toEqual([409, 'not signed'])
    expect(await story.read()).toMatchObject({ status: 'cancelled', signingProgress: { signed: 1 } })
    await expectTruth(story)
  })

  it.each(END)('at expire.%s, during the expiry of the contract', async (step) => {
    const story = await begin()
    const reviews = await Promise.all(story.parties.map(story.prove))
    expect(wordsOf(await signOn(story.parties[0].visitor, reviews[0]!, story.parties[0].legalName))).toBe('signed')
    const killed = await expectKill('contract', `expire.${step}`)
    await withClient(databaseUrlOf(running.stack, 'contract'), (client) =>
      client.query('update contract set expires_at = clock_timestamp() where id = $1', [story.id]),
    )
    await killed()
    expect(await story.read()).toMatchObject({ status: 'expired', signingProgress: { signed: 1 } })
    const told = await signOn(story.parties[1].visitor, reviews[1]!, story.parties[1].legalName)
    expect([told.status, wordsOf(told)]).toEqual([409, 'not signed'])
    await expectTruth(story)
  })
})
