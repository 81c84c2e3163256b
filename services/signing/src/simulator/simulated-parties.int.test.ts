import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createCodeSending, type CodeToPush } from '@paraph/codes/code-sending'
import { bodyOf, PRINCIPAL, requestOf } from '@paraph/contract/test/contract-fixture'
import type { Environment } from '@paraph/protocol/environment'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import type { SigningDatabase } from '../database.js'
import { queueSimulatedParties, signAsParty } from './queue-simulated.js'
import { createSimulatedParties } from './simulated-parties.js'

const WAIT = { timeout: 30_000, interval: 20 }

let fixture: CeremonyFixture
let simulated: ReturnType<typeof createSimulatedParties>
beforeAll(async () => {
  fixture = await openCeremonyFixture()
  simulated = createSimulatedParties(fixture)
})
afterAll(() => fixture.close())

/** Creates a contract and queues its parties, as the event of its creation does. */
async function createContract(emails: string[], environment: Environment = 'sandbox') {
  const body = bodyOf(emails.length)
  const parties = body.parties.map((party, index) => ({ ...party, email: emails[index]! }))
  const principal = { ...PRINCIPAL, environment }
  const { contract } = await fixture.contracts.creation.create({ ...body, parties }, requestOf({ principal }))
  const view = await fixture.contract.ceremony.byId.query({ contractId: contract.id })
  await fixture.database.transaction().execute((trx) => queueSimulatedParties(trx, view!))
  return contract.id
}

/** The states of the contract's parties as the contract service has them. */
const signedOf = async (contractId: string) =>
  (await fixture.contract.ceremony.byId.query({ contractId }))!.parties.map(({ signedAt }) => signedAt !== null)

/** Pushes every code that is due; `hears`: whether the process lives long enough to sign with them. */
async function pushCodes({ hears = true } = {}): Promise<CodeToPush[]> {
  const pushed: CodeToPush[] = []
  const sending = createCodeSending<SigningDatabase>({ ...fixture, push: async (code) => void pushed.push(code) })
  while (await sending.next());
  if (hears) for (const code of pushed) await simulated.hear(code)
  return pushed
}

/** Works through the parties that are due. */
async function askForCodes(): Promise<void> {
  while (await simulated.next());
}

it('a party of a sandbox contract signs by itself, by a code, a session and the text, and others do not [D63]', async () => {
  const id = await createContract(['signs+buyer@simulator.test', 'never@simulator.test', 'jane@example.test'])
  await askForCodes()
  await pushCodes()
  expect(await signedOf(id)).toEqual([true, false, false])
  const byAPerson = ['code.verified', 'text.shown', 'consent.given', 'signature.submitted', 'signature.accepted']
  expect(await fixture.chainOf(id)).toEqual(['contract.created', ...byAPerson])
})

it('two parties of one mailbox sign with one code [D63]', async () => {
  const id = await createContract(['signs@simulator.test', 'signs@simulator.test'])
  await askForCodes()
  await pushCodes()
  expect(await signedOf(id)).toEqual([true, true])
})

it('a party signs after the time that its address says, and not before [D63]', async () => {
  const id = await createContract(['signs-after-600s@simulator.test', 'signs@simulator.test'])
  await askForCodes()
  await pushCodes()
  expect(await signedOf(id)).toEqual([false, true])
  await sql`update simulated_party set due_at = clock_timestamp() where contract_id = ${id}`.execute(fixture.database)
  await askForCodes()
  await pushCodes()
  expect(await signedOf(id)).toEqual([true, true])
})

it('a party asks for another code if the process died before it signed [D63]', async () => {
  const id = await createContract(['signs@simulator.test', 'never@simulator.test'])
  await askForCodes()
  expectWithMessage(await pushCodes({ hears: false }), 'the codes of the dead process').toHaveLength(1)
  expect(await signedOf(id)).toEqual([false, false])
  // The lease of the party and the pause between two codes pass.
  await sql`update simulated_party set leased_until = clock_timestamp() where contract_id = ${id}`.execute(
    fixture.database,
  )
  for (const table of ['code_send', 'one_time_code'])
    await sql`update ${sql.table(table)} set created_at = created_at - interval '5 minutes' where scope = ${id}`.execute(
      fixture.database,
    )
  await askForCodes()
  await pushCodes()
  await waitFor(async () => expect(await signedOf(id)).toEqual([true, false]), WAIT)
})

it('a person of a sandbox contract signs by itself when the owner asks for it, and of no production contract [D63]', async () => {
  const [sandbox, production] = [
    await createContract(['jane@example.test', 'never@simulator.test']),
    await createContract(['jane@example.test', 'joe@example.test'], 'production'),
  ]
  const ask = async (contractId: string, partyIndex: number) =>
    signAsParty(fixture.database, (await fixture.contract.ceremony.byId.query({ contractId }))!, partyIndex)
  expect([await ask(sandbox, 0), await ask(sandbox, 2), await ask(production, 0)]).toEqual([true, false, false])
  await askForCodes()
  await pushCodes()
  expect(await signedOf(sandbox)).toEqual([true, false])
  expect(await signedOf(production)).toEqual([false, false])
})

it('no party of a production contract signs by itself, whatever its address [D63]', async () => {
  const id = await createContract(['signs@simulator.test', 'signs+b@simulator.test'], 'production')
  await askForCodes()
  expect(await pushCodes()).toEqual([])
  // A code that a person asked for does not sign either.
  const view = (await fixture.contract.ceremony.byId.query({ contractId: id }))!
  const typed = view.parties[0]!.email
  await fixture.codes.request(view, { typed, isResend: false }, { clientAddress: '192.0.2.1', userAgent: 'test' })
  expect(await pushCodes()).toHaveLength(1)
  expect(await signedOf(id)).toEqual([false, false])
})
