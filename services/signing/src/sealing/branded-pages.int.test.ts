// The pages of a sealed PDF with a brand, as poppler reads and draws them. [D59]
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SAMPLE_KEYS, samplePdfInput } from '../../test/evidence-fixture.js'
import { jpegLogo, pngLogo } from '../../test/picture-fixture.js'
import { COLOUR } from './pdf/look.js'
import { renderPdf, type PdfInput } from './pdf/render-pdf.js'
import { sealPdf } from './pdf/seal-pdf.js'

const run = promisify(execFile)
const ACCENT = '#0b6e4f'
const PAGES = 3

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paraph-brand-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function sealed(brand: PdfInput['brand'], more: Partial<PdfInput> = {}): Promise<string> {
  const input = await samplePdfInput({ brand })
  const about = { sealedAt: input.sealedAt, reason: input.contract.contractNumber }
  const file = join(folder, 'copy.pdf')
  await writeFile(file, await sealPdf(await renderPdf({ ...input, ...more }), SAMPLE_KEYS.seal, about))
  return file
}

/** The lines of each page, without those of its head and its foot. */
async function readPages(file: string) {
  const { stdout } = await run('pdftotext', ['-layout', file, '-'])
  return stdout
    .split('\f')
    .slice(0, PAGES)
    .map((page) => page.trim().split('\n'))
    .map((lines) => ({ foot: lines.at(-1)!, text: lines.slice(2, -1).join('\n'), head: lines.slice(0, 2).join('\n') }))
}

/** The pictures of each page: their kind, width and height, and the number of their object. */
async function listPictures(file: string): Promise<string[][]> {
  const { stdout } = await run('pdfimages', ['-list', file])
  const rows = stdout.trim().split('\n').slice(2)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .map((cells) => [...cells.slice(0, 1), ...cells.slice(2, 5), cells[10]!])
}

/** The number of pixels of the last page in exactly this colour. */
async function countPixels(file: string, colour: string): Promise<number> {
  const page = String(PAGES)
  const { stdout } = await run('pdftoppm', ['-r', '72', '-f', page, '-l', page, file], {
    encoding: 'buffer',
    maxBuffer: 16 * 1_048_576,
  })
  const wanted = Buffer.from(colour.slice(1), 'hex')
  let count = 0
  for (let at = stdout.length - 612 * 792 * 3; at < stdout.length; at += 3)
    if (stdout.subarray(at, at + 3).equals(wanted)) count += 1
  return count
}

describe('the pages of a sealed PDF with a brand [D59]', () => {
  it.each([
    ['a PNG', pngLogo(), ['image']],
    ['a PNG with alpha', pngLogo({ kind: 'rgba' }), ['image', 'smask']],
    ['a JPEG', jpegLogo(), ['image']],
  ])('show the logo, %s, on every page from one copy in the file', async (_, logo, kinds) => {
    const pictures = await listPictures(await sealed({ accent: ACCENT, logo }))
    const ofPage = (page: number) =>
      kinds.map((kind) => [String(page), kind, String(logo.width), String(logo.height), pictures[0]![4]])
    expect(pictures).toEqual(Array.from({ length: PAGES }, (__, at) => ofPage(at + 1)).flat())
  })

  it('have the same text as those without a brand, except for the head and the foot', async () => {
    const plain = await readPages(await sealed(undefined))
    const branded = await readPages(await sealed({ accent: ACCENT, logo: pngLogo() }))
    const named = await readPages(await sealed({ accent: null, logo: null }, { footName: 'Acme Sign' }))
    const texts = (pages: typeof plain) => pages.map(({ text }) => text)
    expect(texts(plain).join('').length).toBeGreaterThan(4_000)
    expect(texts(branded)).toEqual(texts(plain))
    expect(texts(named)).toEqual(texts(plain))
    for (const { head, foot } of plain) {
      expect(head).toContain('Paraph')
      expect(foot).toMatch(/^Paraph 2\.0\.0 +Page \d of 3$/)
    }
    for (const { head, foot } of branded) {
      expect(head).not.toMatch(/Paraph|Nordic/)
      expect(foot).toMatch(/^via Paraph 2\.0\.0 +Page \d of 3$/)
    }
    for (const { head, foot } of named) {
      expect(head).toContain('Nordic Foods Ltd.')
      expect(foot).toMatch(/^via Acme Sign +Page \d of 3$/)
    }
  })

  it('have the accent of the brand in the place of ours', async () => {
    const branded = await sealed({ accent: ACCENT, logo: null })
    expect(await countPixels(branded, ACCENT)).toBeGreaterThan(20)
    expect(await countPixels(branded, COLOUR.accent)).toBe(0)
    const plain = await sealed({ accent: null, logo: null })
    expect(await countPixels(plain, ACCENT)).toBe(0)
    expect(await countPixels(plain, COLOUR.accent)).toBeGreaterThan(20)
  })
})
