import { mailboxOf } from '@paraph/protocol/text-rules'
import { describe, expect, it } from '@jest/globals'
import { sampleChain, SAMPLE_PARTIES } from '../../../test/evidence-fixture.js'
import { sha256Hex } from '../../chain/entry.js'
import { CONSENT } from '../../signature/consent-text.js'
import { readCertificate } from './certificate.js'

const parties = SAMPLE_PARTIES.map(({ role, legalName, email }) => ({ role, legalName, mailbox: mailboxOf(email) }))
const consents = (['en', 'fr'] as const).map((language) => ({ id: CONSENT.id, language, text: CONSENT.text[language] }))
const { lines, disclosures } = sampleChain()
const certificate = readCertificate(lines, disclosures, parties, consents)

describe('the certificate of a chain [D29, D30, D39]', () => {
  it('shows the role, legal name, typed name and time of each signature', () => {
    expect(certificate.signers.map(({ role, legalName, typedName }) => [role, legalName, typedName])).toEqual(
      SAMPLE_PARTIES.map(({ role, legalName, typedName }) => [role, legalName, typedName]),
    )
    for (const { signedAt } of certificate.signers) expect(signedAt.getTime()).toBeGreaterThan(0)
  })

  it('keeps the sequence numbers of the selected entries, each with the first digits of its hash', () => {
    expect(certificate.happened.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17])
    for (const { seq, digits } of certificate.happened) expect(digits).toBe(sha256Hex(lines[seq - 1]!).slice(0, 8))
  })

  it('names the parties of each entry, also for the mailbox of a code', () => {
    expect(certificate.happened.map(({ what, parties: whose }) => [what, ...whose]).slice(0, 5)).toEqual([
      ['created'],
      ['mailboxConfirmed', 0],
      ['textShown', 0],
      ['consentGiven', 0],
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

  it('is not created for a chain without a signature, a name or a known consent', () => {
    const unsigned = lines.filter((line) => !line.includes('"signature.accepted"'))
    expect(() => readCertificate(unsigned, disclosures, parties, consents)).toThrow('no signature of party 0')
    expect(() => readCertificate(lines, [], parties, consents)).toThrow('no disclosure')
    expect(() => readCertificate(lines, disclosures, parties, [])).toThrow('unknown consent')
  })
})
