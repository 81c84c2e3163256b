// The certificate pages of contracts with very long, very many and unusual names, as a third-party PDF tool (poppler) extracts their text.
// [D14, D30, screens: pdf-01-certificate]
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { samplePdfInput, SAMPLE_PARTIES, type SampleParty } from '@paraph/signing/test/evidence-fixture'
import { everyEntryChain } from '@paraph/signing/test/every-entry-fixture'
import { readCertificate } from '@paraph/signing/sealing/pdf/certificate/certificate'
import { renderPdf, type PdfInput } from '@paraph/signing/sealing/pdf/render-pdf'

const run = promisify(execFile)
/** The area for the content of a page (sheets.ts), in points from the top left corner. */
const FRAME = { top: 80, bottom: 722, left: 55, right: 557 }
const isHeadOrFoot = ({ top, bottom }: Word): boolean => bottom < FRAME.top || (top > 727 && bottom < 739)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paraph-certificate-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const party = (index: number, more: Partial<SampleParty> = {}): SampleParty => ({
  role: `Member ${index + 1}`,
  legalName: `Person ${index + 1}`,
  email: `p${index}@example.test`,
  typedName: more.legalName ?? `Person ${index + 1}`,
  ...more,
})

interface Word {
  text: string
  left: number
  top: number
  right: number
  bottom: number
}

/** The words of each certificate page, without header and footer. */
const pagesOf = async (parties: readonly SampleParty[]): Promise<Word[][]> =>
  wordsOf(await samplePdfInput({ content: 'Short.', parties }))

/** In the order in which screen readers read them. Omits the first page, which contains the text of the contract. */
async function wordsOf(input: PdfInput): Promise<Word[][]> {
  const file = join(folder, 'certificate.pdf')
  await writeFile(file, await renderPdf(input))
  const { stdout } = await run('pdftotext', ['-raw', '-bbox', file, '-'], { maxBuffer: 64 * 1024 * 1024 })
  const pages = stdout.split('<page ').slice(2)
  return pages.map((page) =>
    [...page.matchAll(/<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]*)</g)]
      .map(([, left, top, right, bottom, text]) => ({
        text: text!,
        left: Number(left),
        top: Number(top),
        right: Number(right),
        bottom: Number(bottom),
      }))
      .filter((word) => !isHeadOrFoot(word)),
  )
}

const isOutside = ({ top, bottom, left, right }: Word): boolean =>
  top < FRAME.top || bottom > FRAME.bottom || left < FRAME.left || right > FRAME.right

const textOf = (pages: readonly Word[][]): string => pages.flatMap((words) => words.map(({ text }) => text)).join(' ')

describe('the certificate', () => {
  it('prints every character of the longest names, with a table header on every page', async () => {
    const [role, legalName] = ['ก'.repeat(100), 'ข'.repeat(200)]
    const pages = await pagesOf([party(0, { role, legalName }), party(1)])
    expect(pages.flat().filter(isOutside)).toEqual([])
    const text = textOf(pages)
    expect(text.match(/\[U\+0E01\]/g)).toHaveLength(100)
    expect(text.match(/\[U\+0E02\]/g)).toHaveLength(400)
    expect(text).toContain('The attached names.txt contains the full names.')
    const withRows = pages.filter((words) => textOf([words]).includes('[U+'))
    expect(withRows.length).toBeGreaterThan(1)
    for (const words of withRows) expect(textOf([words])).toContain('Role Legal name Name typed')
  })

  it('names each of 50 parties who share one mailbox, and lists them for each confirmation of the mailbox', async () => {
    const pages = await pagesOf(Array.from({ length: 50 }, (_, at) => party(at, { email: 'office@example.test' })))
    expect(pages.flat().filter(isOutside)).toEqual([])
    const text = textOf(pages)
    for (let at = 1; at <= 50; at += 1) expect(text).toContain(`${at}. Member ${at} Person ${at} Person ${at} 2026-`)
    expect(text.match(/Address confirmed Parties 1-50/g)).toHaveLength(50)
    for (let at = 1; at <= 50; at += 1) expect(text).toMatch(new RegExp(`Signed Party ${at} [0-9a-f]{8}`))
  })

  it('numbers the signatures of parties whose roles are the same or too long for a line', async () => {
    const same = textOf(await pagesOf([party(0, { role: 'Buyer' }), party(1, { role: 'Buyer' })]))
    expect(same).toMatch(/1\. Buyer .*2\. Buyer .*Signed Party 1 .*Signed Party 2/)
    const long = 'The holders of all shares of the second class'
    const cut = textOf(await pagesOf([party(0, { role: long }), party(1, { role: `${long} who are absent` })]))
    expect(cut).toMatch(/Signed Party 1 .*Signed Party 2/)
    const short = textOf(await pagesOf([party(0, { role: 'Buyer' }), party(1, { role: 'Seller' })]))
    expect(short).toMatch(/Signed Buyer .*Signed Seller/)
  })

  it('prints a line for every entry, also for wrong codes and refused signatures, or names its number', async () => {
    const input = await samplePdfInput({ content: 'Short.' })
    const { lines, disclosures } = everyEntryChain()
    const parties = SAMPLE_PARTIES.map(({ role, legalName, email }) => ({ role, legalName, mailbox: mailboxOf(email) }))
    const certificate = readCertificate(lines, disclosures, parties, input.certificate.consents)
    const text = textOf(await wordsOf({ ...input, certificate }))
    const printed = [...text.matchAll(/ (\d+) \d{4}-\d{2}-\d{2} [\d:.]+ (?!Confirmed)/g)].map(([, seq]) => Number(seq))
    const [, named = ''] = /Not shown: entries ([\d, ]+), which record when a code was sent\./.exec(text) ?? []
    expect([...printed, ...named.split(', ').map(Number)].toSorted((one, other) => one - other)).toEqual(
      lines.map((_, index) => index + 1),
    )
    expect(text).toMatch(/100 wrong codes Party 1 .*Signature submitted Party 1 .*Signature refused Party 1/)
  })

  it('puts the commands that check it on the page of the timeline, or with other content on the next', async () => {
    for (const count of [2, 3]) {
      const pages = await pagesOf(Array.from({ length: count }, (_, at) => party(at)))
      expect(pages.map((words) => textOf([words]).includes('sha256sum contract.txt'))).toEqual([true])
    }
    for (const count of [4, 5, 6, 12]) {
      const pages = await pagesOf(Array.from({ length: count }, (_, at) => party(at)))
      expect(pages.flat().filter(isOutside)).toEqual([])
      expect(textOf([pages.at(-1)!])).toMatch(/What this proves .*sha256sum contract\.txt/)
    }
  })
})
