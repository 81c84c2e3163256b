// The certificate pages of contracts with very long, very many and unusual names, as a third-party PDF tool (poppler) extracts their text.
// [D14, D30, screens: pdf-01-certificate]
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { samplePdfInput, type SampleParty } from '@paraph/signing/test/evidence-fixture'
import { renderPdf } from '@paraph/signing/sealing/pdf/render-pdf'

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

/** The words of each certificate page, without header and footer. Omits the first page, which contains the text of the contract. */
async function pagesOf(parties: readonly SampleParty[]): Promise<Word[][]> {
  const file = join(folder, 'certificate.pdf')
  await writeFile(file, await renderPdf(await samplePdfInput({ content: 'Short.', parties })))
  const { stdout } = await run('pdftotext', ['-bbox', file, '-'], { maxBuffer: 64 * 1024 * 1024 })
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
    const [role, legalName] = ['甲'.repeat(100), '國'.repeat(200)]
    const pages = await pagesOf([party(0, { role, legalName }), party(1)])
    expect(pages.flat().filter(isOutside)).toEqual([])
    const text = textOf(pages)
    expect(text.match(/\[U\+7532\]/g)).toHaveLength(100)
    expect(text.match(/\[U\+570B\]/g)).toHaveLength(400)
    expect(text).toContain('The attached names.txt has them all.')
    const withRows = pages.filter((words) => textOf([words]).includes('[U+'))
    expect(withRows.length).toBeGreaterThan(1)
    for (const words of withRows) expect(textOf([words])).toContain('Role Legal name Typed when signing')
  })

  it('names each of 50 parties who share one mailbox, and lists them for each confirmation of the mailbox', async () => {
    const pages = await pagesOf(Array.from({ length: 50 }, (_, at) => party(at, { email: 'office@example.test' })))
    expect(pages.flat().filter(isOutside)).toEqual([])
    const text = textOf(pages)
    for (let at = 1; at <= 50; at += 1) expect(text).toContain(`${at}. Member ${at} Person ${at} Person ${at} 2026-`)
    expect(text.match(/Mailbox confirmed Parties 1-50/g)).toHaveLength(50)
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
})
