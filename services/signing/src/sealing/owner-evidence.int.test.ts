import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PRINCIPAL } from '@paraph/contract/test/contract-fixture'
import type { Principal } from '@paraph/protocol/principal'
import { openRpcFixture } from '@paraph/rpc/test/caller-fixture'
import { refusalOf } from '@paraph/rpc/link'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import type { ContractView } from '../clients/contract.js'
import { eraseContract } from '../chain/erasure.js'
import { append, openChain, readLines } from '../chain/chain-store.js'
import { sha256Hex, Personal, type EntryData, type EntryType } from '../chain/entry.js'
import { readChain } from '../chain/chain-reader.js'
import { checkDisclosures } from '../chain/disclosures.js'
import type { StoredDocument } from '../documents/documents.js'
import type { Reports } from '../reports/report.js'
import { createRpcRouter, type RpcRouter } from '../rpc-router.js'
import { storeSealed } from './queue.js'

type Line = Awaited<ReturnType<typeof openRpcFixture<RpcRouter>>>
let fixture: CeremonyFixture
let gateway: Line
let notification: Line
/** The reports in this service's table. */
let reported: Awaited<ReturnType<Reports['list']>> = []
beforeAll(async () => {
  fixture = await openCeremonyFixture()
  const router = createRpcRouter({
    ...fixture,
    reports: {
      list: () => Promise.resolve(reported),
      find: (id) => Promise.resolve(reported.find((each) => each.id === id)),
      countOpen: () => Promise.resolve({ count: reported.length, isMore: false }),
      handle: () => Promise.resolve(true),
    },
    onSimulated: () => undefined,
  })
  gateway = await openRpcFixture({ caller: 'gateway', callee: 'signing', router })
  notification = await openRpcFixture({ caller: 'notification', callee: 'signing', router })
})
afterAll(async () => {
  await Promise.all([gateway.close(), notification.close()])
  await fixture.close()
})

const asOwner = (principal: Principal = PRINCIPAL) => gateway.rpcFor(principal).evidence

const enter = ({ contractId }: ContractView, type: EntryType, data: EntryData) =>
  fixture.database.transaction().execute((trx) => append(trx, contractId, type, data))

/** A contract whose party 1 has confirmed its mailbox and signed. */
async function createSignedContract(): Promise<ContractView> {
  const view = await fixture.createContract(2)
  await fixture.database.transaction().execute((trx) => openChain(trx, view))
  const { contentSha256, parties } = view
  const [sessionId, attemptId] = [randomUUID(), randomUUID()]
  const mailbox = new Personal(parties[1]!.email.toUpperCase())
  await enter(view, 'code.sent', { codeId: 'c', sentAt: view.createdAt, mailbox })
  await enter(view, 'code.verified', {
    sessionId,
    mailbox,
    ip: new Personal('192.0.2.7'),
    userAgent: new Personal('A'),
  })
  await enter(view, 'text.shown', { partyIndex: 1, contentSha256, language: 'en', sessionId })
  await enter(view, 'signature.submitted', { partyIndex: 1, attemptId, sessionId, typedName: new Personal('Person 1') })
  return view
}

/** A document whose bytes are in its row. */
function inRow(text: string): StoredDocument {
  const content = Buffer.from(text)
  return { content, objectKey: null, size: content.length, sha256: sha256Hex(text) }
}

const sealIt = ({ contractId, accountId, environment }: ContractView) =>
  fixture.database
    .transaction()
    .execute((trx) =>
      storeSealed(
        trx,
        { contractId, accountId, environment, partyCount: 2 },
        { keyId: 'k', jws: inRow('a.b.c'), pdf: inRow('%PDF-') },
      ),
    )

const eraseIt = ({ contractId }: ContractView) =>
  fixture.database.transaction().execute((trx) => eraseContract(trx, contractId, new Date()))

describe("the history of an owner's contract [D30]", () => {
  it('is newest first, and names the party of an entry by its index or by the mailbox that the entry commits to', async () => {
    const view = await createSignedContract()
    const lines = await readLines(fixture.database, view.contractId)
    const { entries, ...rest } = await asOwner().story.query({ contractId: view.contractId })
    const second = [{ index: 1, role: 'Party' }]
    expect(entries).toEqual(
      [
        { type: 'contract.created', parties: [] },
        { type: 'code.sent', parties: second },
        { type: 'code.verified', parties: second },
        { type: 'text.shown', parties: second },
        { type: 'signature.submitted', parties: second },
      ]
        .map((entry, index) => ({
          ...entry,
          seq: index + 1,
          at: (JSON.parse(lines[index]!) as { at: string }).at,
          hashStart: sha256Hex(lines[index]!).slice(0, 8),
          decline: null,
        }))
        .toReversed(),
    )
    expect(rest).toEqual({ hasOlder: false, isClosed: false, copies: { state: 'preparing' } })
  })

  it('says why a party declined, and after an erasure no longer in words [D57, D43]', async () => {
    const view = await createSignedContract()
    const declined = { partyIndex: 1, declinedAt: view.createdAt, reason: 'disagree', note: new Personal('Too long.') }
    await enter(view, 'party.declined', declined)
    const read = async () => (await asOwner().story.query({ contractId: view.contractId })).entries[0]
    expect(await read()).toMatchObject({ decline: { reason: 'disagree', note: 'Too long.' } })
    await fixture.database.transaction().execute((trx) => eraseContract(trx, view.contractId, new Date()))
    expect(await read()).toMatchObject({ decline: { reason: 'disagree', note: null } })
  })

  it('is paged backwards, and is closed with the chain', async () => {
    const view = await createSignedContract()
    await enter(view, 'contract.cancelled', { at: view.createdAt, actor: 'owner' })
    const { contractId } = view
    const first = await asOwner().story.query({ contractId, limit: 4 })
    const second = await asOwner().story.query({ contractId, limit: 4, beforeSeq: 3 })
    expect([...first.entries, ...second.entries].map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2, 1])
    expect([first.hasOlder, second.hasOlder, first.isClosed]).toEqual([true, false, true])
  })

  it('of an erased contract contains the entries but no roles [D43]', async () => {
    const view = await createSignedContract()
    await eraseIt(view)
    const { entries } = await asOwner().story.query({ contractId: view.contractId })
    expect(entries.map(({ type }) => type)).toContain('code.verified')
    expect(entries.flatMap(({ parties }) => parties)).toEqual([
      { index: 1, role: null },
      { index: 1, role: null },
    ])
  })

  it('is empty before the first event of the contract', async () => {
    const { contractId } = await fixture.createContract()
    expect(await asOwner().story.query({ contractId })).toMatchObject({ entries: [], isClosed: false })
    expect(await asOwner().export.query({ contractId })).toBeNull()
    expect(await asOwner().openings.query({ contractId })).toEqual({ text: null })
  })
})

describe('the files for an owner [D30]', () => {
  it('are, before the sealing, the unsigned chain, marked as such, and all its disclosures', async () => {
    const view = await createSignedContract()
    const { contractId } = view
    const file = await asOwner().export.query({ contractId })
    expect(file).toMatchObject({ state: 'unsigned', isClosed: false, fileName: 'evidence-so-far.jsonl' })
    const chain = readChain(file!.text.trimEnd().split('\n'))
    if ('fault' in chain) throw new Error(chain.fault)
    const { text } = await asOwner().openings.query({ contractId })
    expect(checkDisclosures(text!, chain.entries)).toEqual({ count: 6 + 1 + 3 + 1 })
    for (const value of ['P1@EXAMPLE.TEST', '192.0.2.7', 'Person 0']) expect(text).toContain(value)
  })

  it('are the signed file and the PDF after the sealing, and the signed file alone after an erasure [D43]', async () => {
    const view = await createSignedContract()
    const { contractId } = view
    expect(await asOwner().copy.query({ contractId })).toEqual({ pdf: null })
    await sealIt(view)
    const signed = { state: 'sealed', isClosed: true, fileName: 'evidence.jws', text: 'a.b.c\n' }
    expect(await asOwner().export.query({ contractId })).toEqual(signed)
    expect(await asOwner().copy.query({ contractId })).toEqual({ pdf: Buffer.from('%PDF-').toString('base64') })
    expect((await asOwner().story.query({ contractId })).copies).toMatchObject({ state: 'ready' })
    await eraseIt(view)
    expect(await asOwner().export.query({ contractId })).toEqual(signed)
    expect(await asOwner().copy.query({ contractId })).toEqual({ pdf: null })
    expect(await asOwner().openings.query({ contractId })).toEqual({ text: null })
  })
})

describe('the authorisation of the evidence procedures [D10, D44, D45]', () => {
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => refusalOf(error),
    )
  const callsOf = (line: Pick<Line['rpc'], 'evidence'>, contractId: string) => [
    () => line.evidence.story.query({ contractId }),
    () => line.evidence.export.query({ contractId }),
    () => line.evidence.openings.query({ contractId }),
    () => line.evidence.copy.query({ contractId }),
  ]

  it('treats contracts of another account or environment like unknown ids', async () => {
    const view = await createSignedContract()
    await sealIt(view)
    const said = new Set<string>()
    const asked: [Principal, string][] = [
      [PRINCIPAL, 'contract-1795183380000-aaaaaaaaa'],
      [{ ...PRINCIPAL, accountId: 'acc_stranger' }, view.contractId],
      [{ ...PRINCIPAL, environment: 'sandbox' }, view.contractId],
    ]
    for (const [principal, contractId] of asked) {
      for (const call of callsOf(gateway.rpcFor(principal), contractId)) {
        const refused = await refusal(call())
        said.add(`${refused?.code}: ${refused?.message}`)
      }
    }
    expect([...said]).toEqual([expect.stringMatching(/^not_found: /)])
  })

  it('refuses the gateway without an account, and allows the notification service only the PDF for a mail [D24]', async () => {
    const view = await createSignedContract()
    await sealIt(view)
    for (const call of callsOf(gateway.rpc, view.contractId))
      expect(await refusal(call())).toMatchObject({ code: 'invalid_key' })
    const [history, file, disclosures, copy] = callsOf(notification.rpcFor(PRINCIPAL), view.contractId)
    for (const call of [history!, file!, disclosures!])
      expect(await refusal(call())).toMatchObject({ code: 'invalid_key' })
    expect(await copy!()).toMatchObject({ pdf: expect.any(String) })
  })

  it('reports a failure and shows nothing while the contract service is unavailable', async () => {
    const { contractId } = await createSignedContract()
    fixture.setLine('down')
    try {
      expect(await refusal(asOwner().story.query({ contractId }))).toMatchObject({ code: 'unavailable' })
    } finally {
      fixture.setLine('up')
    }
  })
})

it('the operator gets each report with the account, number, status and sender of its contract [P8, D75]', async () => {
  const { contractId, accountId, environment, contractNumber, status, senderName } = await fixture.createContract(2)
  reported = [contractId, 'contract-1-none'].map((id) => ({
    id: randomUUID(),
    contractId: id,
    accountId,
    handledAt: null,
    handledBy: null,
    note: null,
    reason: 'impersonation',
    message: 'It is not them.',
    createdAt: new Date(0),
  }))
  const { reports } = await gateway.rpc.report.list.query({})
  expect(reports.map(({ contract }) => contract)).toEqual([{ environment, contractNumber, status, senderName }, null])
  const [report] = reported
  expect(await gateway.rpc.report.show.query({ id: report!.id })).toMatchObject({ accountId, contract: { status } })
  const unknown = gateway.rpc.report.show.query({ id: randomUUID() })
  expect(await unknown.catch((error: unknown) => refusalOf(error))).toMatchObject({ code: 'not_found' })
})
