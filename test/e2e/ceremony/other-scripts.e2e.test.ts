// The signed PDF of contracts in Arabic, Hebrew, Chinese, Japanese and Korean, as a third-party PDF tool (poppler) extracts their text.
// [evidence 6]
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { samplePdfInput } from '@paraph/signing/test/evidence-fixture'
import { OTHER_SCRIPTS } from '@paraph/signing/test/other-scripts-fixture'
import { renderPdf } from '@paraph/signing/sealing/pdf/render-pdf'

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paraph-scripts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The text of the PDF. Poppler puts a control character where the direction of a line changes. */
async function textOf(pdf: Buffer): Promise<string> {
  const file = join(folder, 'contract.pdf')
  await writeFile(file, pdf)
  const { stdout } = await run('pdftotext', [file, '-'])
  return stdout.replaceAll(/[\u202A-\u202E]/g, ' ')
}

/** Words and numbers. Poppler moves the punctuation between words that run from right to left. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}]+|\p{N}(?:[\p{N}.,-]*\p{N})?/gu) ?? []
/** Poppler breaks a line of Chinese or Japanese where the page does. */
const withoutSpaces = (text: string): string => text.replaceAll(/\s+/gu, '')

describe('the signed PDF', () => {
  it.each(Object.entries(OTHER_SCRIPTS))(
    'contains every word of a contract in %s and every name',
    async (script, sample) => {
      const text = await textOf(await renderPdf(await samplePdfInput(sample)))
      expect(text).not.toMatch(/\[U\+|The fonts of this PDF/)
      const names = sample.parties.flatMap(({ role, legalName }) => [role, legalName])
      const paragraphs = [...sample.content.split('\n'), ...names]
      if (script === 'chinese' || script === 'japanese') {
        const whole = withoutSpaces(text)
        expect(paragraphs.map(withoutSpaces).filter((each) => !whole.includes(each))).toEqual([])
      } else {
        const found = new Set(wordsOf(text))
        expect(paragraphs.flatMap(wordsOf).filter((word) => !found.has(word))).toEqual([])
      }
    },
  )
})
