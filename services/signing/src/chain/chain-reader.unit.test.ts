import { describe, expect, it } from '@jest/globals'
import { GENESIS, sha256Hex } from './entry.js'
import { sampleChain } from '../../test/evidence-fixture.js'
import { readChain, readSignatures, type Entry } from './chain-reader.js'

const { lines } = sampleChain()

/** The entries after `change`, linked again: the chain of a forger who has the key. */
function rechained(change: (entries: Entry[]) => Entry[]): Entry[] {
  const before = lines.map((line) => JSON.parse(line) as Entry)
  const entries = change(before)
  let prev = GENESIS
  const renumbered = entries.map((entry, index) => {
    const { at } = before[Math.min(index, before.length - 1)]!
    const line = JSON.stringify({ ...entry, at, seq: index + 1, prev })
    prev = sha256Hex(line)
    return line
  })
  const chain = readChain(renumbered)
  if ('fault' in chain) throw new Error(chain.fault)
  return chain.entries
}

describe('lines as a chain [D30]', () => {
  it('are read as entries when each contains the hash of the line before', () => {
    expect(readChain(lines)).toHaveProperty('entries.length', 17)
  })

  it.each([
    ['one is missing', lines.toSpliced(4, 1)],
    ['one is repeated', lines.toSpliced(4, 0, lines[4]!)],
    ['two are swapped', lines.toSpliced(4, 2, lines[5]!, lines[4]!)],
    ['the first is missing', lines.slice(1)],
    ['a digit changes', lines.toSpliced(4, 1, lines[4]!.replace('"partyIndex":0', '"partyIndex":1'))],
    ['one is not JSON', lines.toSpliced(16, 1, '{')],
    ['one is not canonical', lines.toSpliced(16, 1, `${lines[16]} `)],
    ['one has a duplicate key', lines.toSpliced(16, 1, lines[16]!.replace('{', '{"seq":1,'))],
    ['one has a time of another form [P38]', lines.toSpliced(16, 1, lines[16]!.replace(/T[0-9:.]+Z/, ''))],
    ['one lacks required fields', lines.toSpliced(16, 1, '{"seq":17}')],
  ])('are refused with the number of the wrong line when %s', (_what, broken) => {
    expect(readChain(broken)).toHaveProperty('fault', expect.stringMatching(/^Line \d+ /))
  })
})

describe('the signatures of a chain [D30, D41]', () => {
  it('are counted when each party confirmed its mailbox, saw the text, consented and signed, in this order', () => {
    expect(readSignatures(rechained((entries) => entries))).toEqual({ count: 3 })
  })

  const without = (type: string) => (entries: Entry[]) =>
    entries.filter((entry) => entry.type !== type || entry.data['sessionId'] !== 'session-1')
  it.each([
    ['code.verified', without('code.verified')],
    ['text.shown', without('text.shown')],
    ['consent.given', without('consent.given')],
    ['signature.submitted', without('signature.submitted')],
    // Consent precedes the display of the text.
    ['text.shown', (entries: Entry[]) => entries.toSpliced(7, 2, entries[8]!, entries[7]!)],
  ])('are refused when no %s precedes a signature', (missing, change) => {
    expect(readSignatures(rechained(change))).toEqual({
      fault: `Before the signature of party 2 there is no ${missing}.`,
    })
  })

  it('are refused when one signature is for another text', () => {
    const other = (entries: Entry[]) =>
      entries.map((entry) =>
        entry.type === 'signature.submitted' && entry.data['partyIndex'] === 1
          ? { ...entry, data: { ...entry.data, contentSha256: '0'.repeat(64) } }
          : entry,
      )
    expect(readSignatures(rechained(other))).toHaveProperty('fault')
  })

  it('are refused when a party has no signature or two, when a stranger signed, and when the completion is missing', () => {
    const accepted = (partyIndex: number) => (entry: Entry) =>
      entry.type === 'signature.accepted' && entry.data['partyIndex'] === partyIndex
    const signaturesAfter = (change: (entries: Entry[]) => Entry[]) => readSignatures(rechained(change))
    expect(signaturesAfter((all) => all.filter((entry) => !accepted(2)(entry)))).toEqual({
      fault: 'Party 3 of 3 has 0 signatures.',
    })
    expect(signaturesAfter((all) => all.toSpliced(-1, 0, all.find(accepted(2))!))).toEqual({
      fault: 'Party 3 of 3 has 2 signatures.',
    })
    const stranger = (all: Entry[]) => {
      const own = all.find(accepted(2))!
      return all.toSpliced(-1, 0, { ...own, data: { ...own.data, partyIndex: 7 } })
    }
    expect(signaturesAfter(stranger)).toEqual({ fault: 'Somebody signed who is no party.' })
    expect(signaturesAfter((all) => all.slice(0, -1))).toEqual({ fault: 'The contract was not completed.' })
  })

  it.each<[string, (entries: Entry[]) => Entry[]]>([
    ['ends twice', (all) => all.toSpliced(5, 0, { ...all.at(-1)!, type: 'contract.cancelled' })],
    ['ends with a wrong total', (all) => all.with(-1, { ...all.at(-1)!, data: { ...all.at(-1)!.data, total: 99 } })],
    [
      'does not say when it ends',
      (all) => all.with(-1, { ...all.at(-1)!, data: { ...all.at(-1)!.data, completedAt: '1' } }),
    ],
    ['has one party', (all) => all.with(0, { ...all[0]!, data: { ...all[0]!.data, parties: [{}] } })],
    [
      'names no session',
      (all) =>
        all.map((entry) => {
          const { sessionId: _session, attemptId: _attempt, ...data } = entry.data
          return { ...entry, data }
        }),
    ],
  ])('are refused when the chain %s', (_what, change) => {
    expect(readSignatures(rechained(change))).toHaveProperty('fault')
  })

  it('are refused when the chain does not begin with the entry contract.created', () => {
    expect(readSignatures([])).toHaveProperty('fault')
    expect(readSignatures(rechained((all) => all.slice(1)))).toHaveProperty('fault')
  })
})
