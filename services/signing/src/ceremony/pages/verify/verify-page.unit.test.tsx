// The words of /verify for each thing that a check can find, from real checks of genuine and forged files. [D68]
import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { renderPage } from '@paraph/web/page-answer'
import { sampleChain, sampleSettings, samplePdfInput, SAMPLE_KEYS } from '../../../../test/evidence-fixture.js'
import { signEvidence } from '../../../sealing/jws.js'
import { checkEvidenceKeys, type PublishedKeys } from '../../../sealing/keys.js'
import { renderPdf } from '../../../sealing/pdf/render-pdf.js'
import { sealPdf } from '../../../sealing/pdf/seal-pdf.js'
import { checkEvidence, type EvidenceReport } from '../../../verify/check.js'
import { verifyMessages } from './messages.js'
import { ResultPage, verdictOf, VerifyPage } from './verify-page.js'

type Input = Awaited<ReturnType<typeof samplePdfInput>>

const seal = async (input: Input): Promise<Buffer> =>
  Buffer.from(await sealPdf(await renderPdf(input), SAMPLE_KEYS.seal, { sealedAt: input.sealedAt, reason: 'x' }))

const withFile = (input: Input, name: string, change: (text: string) => string): Input => ({
  ...input,
  attachments: input.attachments.map((each) =>
    each.name === name ? { ...each, bytes: Buffer.from(change(Buffer.from(each.bytes).toString())) } : each,
  ),
})

let published: PublishedKeys
let input: Input
let pdf: Buffer
beforeAll(async () => {
  const opened = await checkEvidenceKeys(sampleSettings())
  if ('faults' in opened) throw new Error(opened.faults.join())
  published = opened.published
  input = await samplePdfInput()
  pdf = await seal(input)
})

const check = (file: Buffer): Promise<EvidenceReport> =>
  checkEvidence(file, { knownKeysPem: published.evidencePem, knownSealsPem: published.sealPem })
const signed = async (lines: readonly string[]) => Buffer.from(await signEvidence(lines, SAMPLE_KEYS.evidence))
const flipped = (file: Buffer, at: number): Buffer => {
  const copy = Buffer.from(file)
  copy[at]! ^= 1
  return copy
}
const frame = (locale: 'en' | 'fr') => ({ locale, styleHref: '/x.css', scriptHref: '/s.js', footName: 'Paraph' })
const pageOf = (report: EvidenceReport | undefined, locale: 'en' | 'fr' = 'en') =>
  renderPage(<ResultPage {...frame(locale)} report={report} />)

describe('the first line', () => {
  it('says of a genuine PDF who signed, that the text is unchanged, and whose key sealed it', async () => {
    const report = await check(pdf)
    expect(verdictOf(report, 'en').title).toBe('Signed by 3 people; the text is unchanged; sealed by this server’s key')
    expect(verdictOf(report, 'fr').title).toBe(
      'Signé par 3 personnes; le texte est inchangé; scellé par la clé de ce serveur',
    )
    expect(pageOf(report)).toContain('Contract number <strong class="unbroken">EXT-20261120-7KQ4MXTA</strong>')
  })

  it('says of evidence alone that the evidence is unchanged; the page says that text and names were not checked', async () => {
    const jws = Buffer.from(await signEvidence(sampleChain().lines, SAMPLE_KEYS.evidence))
    const report = await check(jws)
    expect(verdictOf(report, 'en').title).toBe(
      'Signed by 3 people; the evidence is unchanged; signed by this server’s key',
    )
    expect(pageOf(report)).toContain(verifyMessages('en').textAndNames)
    expect(pageOf(await check(pdf))).not.toContain(verifyMessages('en').textAndNames)
  })

  it('of a sandbox contract is below the bar of a test', async () => {
    const html = pageOf(await check(await seal(await samplePdfInput({ environment: 'sandbox' }))))
    // The evidence is of the sandbox, and its key of production.
    expect(html).toContain('<h1>The contract and its key do not fit together</h1>')
    expect(html).toContain('class="test-bar"')
  })

  it.each([
    ['a changed byte of a sealed PDF', 'seal', async () => flipped(pdf, pdf.indexOf('%%EOF'))],
    ['a text that was exchanged and sealed again', 'text', () => seal(withFile(input, 'contract.txt', () => 'Other.'))],
    [
      'a name that was exchanged and sealed again',
      'names',
      () => seal(withFile(input, 'names.txt', (text) => text.replace('Jane', 'Joan'))),
    ],
    [
      'a further attachment',
      'attachments',
      () => seal({ ...input, attachments: [...input.attachments, { ...input.attachments[0]!, name: 'more.txt' }] }),
    ],
    [
      'evidence that was changed',
      'signature',
      () => seal(withFile(input, 'evidence.jws', (text) => text.slice(0, -4))),
    ],
    ['evidence without an entry', 'chain', () => signed(sampleChain().lines.toSpliced(4, 1))],
    ['evidence that ends before the last signature', 'signatures', () => signed(sampleChain().lines.slice(0, 6))],
    ['a PDF without evidence', 'other', () => renderPdf({ ...input, attachments: [] })],
    ['a PDF that is none', 'other', async () => Buffer.from('%PDF-1.7\nnoise')],
  ] as const)('names what is wrong with %s', async (_what, title, fileOf) => {
    for (const locale of ['en', 'fr'] as const)
      expect(verdictOf(await check(await fileOf()), locale).title).toBe(verifyMessages(locale).titles[title])
  })

  it('says of a genuine PDF of another server that this one did not seal it, and that it may be unchanged', async () => {
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const report = await checkEvidence(pdf, { knownKeysPem: other, knownSealsPem: 'none' })
    expect(verdictOf(report, 'en')).toEqual({
      title: 'This server did not seal this PDF',
      lead: verifyMessages('en').foreignLead,
    })
    expect(pageOf(report)).toContain('Not one byte has changed since it was sealed.')
  })

  it('says that the key was no longer good, and that a key which somebody else has had leaves the age open', async () => {
    const { keyId, publicPem } = SAMPLE_KEYS.evidence
    const jws = Buffer.from(await signEvidence(sampleChain().lines, SAMPLE_KEYS.evidence))
    const under = (note: string) => checkEvidence(jws, { knownKeysPem: `# ${keyId} ${note}\n${publicPem}` })
    const retired = await under('retired-production:2026-11-01')
    expect(verdictOf(retired, 'en').title).toBe('The key was no longer good on that day')
    const later = await under('retired-production:2027-03-31 compromised-since:2027-03-15')
    expect(verdictOf(later, 'en').title).toMatch(/^Signed by 3 people/)
    expect(pageOf(later)).toContain('can backdate evidence')
  })
})

describe('the page', () => {
  it('has a sentence for each check, says which one is not in order, and what nobody can check', async () => {
    const report = await check(await seal(withFile(input, 'contract.txt', () => 'Other.')))
    const html = pageOf(report)
    expect(html.match(/<dt>/g)).toHaveLength(report.checks.length)
    expect(html.match(/class="not-in-order">Not in order</g)).toHaveLength(1)
    expect(html).toContain('It differs from the one that the evidence describes.')
    for (const sentence of verifyMessages('en').never) expect(html).toContain(sentence)
  })

  it('repeats nothing of a hostile file', async () => {
    const html = pageOf(await check(await seal(withFile(input, 'names.txt', (text) => `${text}1 <b>x y z\n`))))
    expect(html).not.toContain('<b>x')
  })

  it.each([
    ['missing', 'Choose a file'],
    ['too_large', 'more than 30\u00A0MB'],
    ['too_costly', 'Treat this file as not checked'],
    ['busy', 'Many people are using this page right now'],
    ['too_old', 'This page was open for too long'],
  ] as const)('says with the form what prevented a check: %s', (problem, words) => {
    const html = renderPage(<VerifyPage {...frame('en')} formToken="F" problem={problem} />)
    expect(html).toMatch(new RegExp(`class="error-summary".*${words}.*${words}`))
    expect(html).toContain('action="/verify" enctype="multipart/form-data"')
  })
})
