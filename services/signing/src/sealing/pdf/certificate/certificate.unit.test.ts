import { mailboxOf } from '@paraph/protocol/text-rules'
import { describe, expect, it } from '@jest/globals'
import { everyEntryChain } from '../../../../test/every-entry-fixture.js'
import { sampleChain, SAMPLE_PARTIES } from '../../../../test/evidence-fixture.js'
import { sha256Hex, type EntryType } from '../../../chain/entry.js'
import { CONSENT } from '../../../signature/consent-text.js'
import { pdfMessages } from '../messages.js'
import { readCertificate } from './certificate.js'

const parties = SAMPLE_PARTIES.map(({ role, legalName, email }) => ({ role, legalName, mailbox: mailboxOf(email) }))
const consents = (['en', 'fr'] as const).map((language) => ({ id: CONSENT.id, language, text: CONSENT.text[language] }))
const { lines, disclosures } = sampleChain()
/** Every type of entry in the chain of a completed contract. */
const TYPES: Record<Exclude<EntryType, 'contract.expired' | 'contract.cancelled'>, string> = {
  'contract.created': 'created',
  'code.sent': 'codeSent',
  'code.locked': 'codesLocked',
  'code.verified': 'addressConfirmed',
  'text.shown': 'textShown',
  'consent.given': 'consentGiven',
  'signature.submitted': 'submitted',
  'signature.refused': 'refused',
  'party.declined': 'declined',
  'party.readdressed': 'readdressed',
  'signature.accepted': 'signed',
  'contract.completed': 'complete',
}
const certificate = readCertificate(lines, disclosures, parties, consents)

describe('the certificate of a chain [D29, D30, D39]', () => {
  it('shows the role, legal name, typed name and time of each signature', () => {
    expect(certificate.signers.map(({ role, legalName, typedName }) => [role, legalName, typedName])).toEqual(
      SAMPLE_PARTIES.map(({ role, legalName, typedName }) => [role, legalName, typedName]),
    )
    for (const { signedAt } of certificate.signers) expect(signedAt.getTime()).toBeGreaterThan(0)
  })

  it('shows each entry with its number and the first digits of its hash', () => {
    expect(certificate.happened.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1))
    expect(certificate.leftOut).toEqual([])
    for (const { seq, digits } of certificate.happened) expect(digits).toBe(sha256Hex(lines[seq - 1]!).slice(0, 8))
  })

  it('names the parties of each entry, also for the mailbox of a code', () => {
    expect(certificate.happened.map(({ what, parties: whose }) => [what, ...whose]).slice(0, 6)).toEqual([
      ['created'],
      ['addressConfirmed', 0],
      ['textShown', 0],
      ['consentGiven', 0],
      ['submitted', 0],
      ['signed', 0],
    ])
  })

  it('contains no mailbox, network address or browser', () => {
    expect(JSON.stringify(certificate)).not.toMatch(/@|198\.51|Mozilla/)
  })

  it('quotes each given consent once, in the language shown', () => {
    expect(certificate.consents).toEqual([consents[0]])
    const french = sampleChain({ language: 'fr' })
    expect(readCertificate(french.lines, french.disclosures, parties, consents).consents).toEqual([consents[1]])
  })

  it('shows an entry of any type, or counts it among those that a sentence of the certificate names', () => {
    const chain = everyEntryChain()
    const { happened, leftOut } = readCertificate(chain.lines, chain.disclosures, parties, consents)
    const all = chain.lines.map((line) => JSON.parse(line) as { seq: number; type: keyof typeof TYPES })
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(Object.keys(TYPES)))
    const shown = happened.map(({ seq, what }) => [seq, what])
    const named = leftOut.flatMap(({ what, seqs }) => seqs.map((seq) => [seq, what]))
    expect([...shown, ...named].toSorted(([one], [other]) => Number(one) - Number(other))).toEqual(
      all.map(({ seq, type }) => [seq, TYPES[type]]),
    )
    expect(leftOut.map(({ what, seqs }) => pdfMessages('en')[what](seqs))).toEqual([
      'Not shown: entries 2, 13, 19, which record when a code was sent.',
    ])
  })

  it('is not created for a chain without a signature, a name or a known consent, or with an unknown entry', () => {
    const unsigned = lines.filter((line) => !line.includes('"signature.accepted"'))
    expect(() => readCertificate(unsigned, disclosures, parties, consents)).toThrow('no signature of party 0')
    expect(() => readCertificate(lines, [], parties, consents)).toThrow('no disclosure')
    expect(() => readCertificate(lines, disclosures, parties, [])).toThrow('unknown consent')
    const strange = lines.with(4, lines[4]!.replace('signature.submitted', 'signature.dreamt'))
    expect(() => readCertificate(strange, disclosures, parties, consents)).toThrow('Invalid option')
  })
})
