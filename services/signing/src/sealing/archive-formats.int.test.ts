// The signed PDF keeps every rule of PDF/UA-1 (readable with a screen reader) and PDF/A-3 (readable for decades), by veraPDF.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { samplePdfInput, SAMPLE_KEYS } from '../../test/evidence-fixture.js'
import { OTHER_SCRIPTS } from '../../test/other-scripts-fixture.js'
import { jpegLogo, pngLogo } from '../../test/picture-fixture.js'
import { checkWithVeraPdf, prepareVeraPdf } from '../../test/verapdf-fixture.js'
import { renderPdf } from './pdf/render-pdf.js'
import { sealPdf } from './pdf/seal-pdf.js'

/** Text of every kind: labels of invisible characters, columns, deep headings without a title, a list. */
const MIXED =
  '1. TERMS\n\n1.1.1 DEEP\n\nPay \u202E001 and \u{1F600}.\n\n(a) one\n\n(b) two\n\nName    Amount    Day\nLund    1,000    Monday\nRoe    2,000    Friday\n'
const SAMPLES: Record<string, NonNullable<Parameters<typeof samplePdfInput>[0]>> = {
  english: {},
  french: { language: 'fr', environment: 'sandbox' },
  mixed: { content: MIXED },
  ...OTHER_SCRIPTS,
  opaqueLogo: { brand: { accent: '#0b6e4f', logo: pngLogo() } },
  logoWithAlpha: { brand: { accent: '#0b6e4f', logo: pngLogo({ kind: 'rgba' }) } },
  palette: { brand: { accent: null, logo: pngLogo({ kind: 'palette', alphas: [0, 128] }) } },
  greyLogo: { brand: { accent: null, logo: pngLogo({ kind: 'greyAlpha', bits: 16 }) }, environment: 'sandbox' },
  jpegLogo: { brand: { accent: '#0b6e4f', logo: jpegLogo() } },
  greyJpeg: { brand: { accent: '#0b6e4f', logo: jpegLogo('grey') }, content: MIXED },
  named: { brand: { accent: '#0b6e4f', logo: null } },
}

let folder: string
let files: string[]
beforeAll(async () => {
  await prepareVeraPdf()
  folder = await mkdtemp(join(tmpdir(), 'paraph-archive-'))
  files = await Promise.all(
    Object.entries(SAMPLES).map(async ([name, sample]) => {
      const file = join(folder, `${name}.pdf`)
      const input = await samplePdfInput(sample)
      const about = { sealedAt: input.sealedAt, reason: input.contract.contractNumber }
      await writeFile(file, await sealPdf(await renderPdf(input), SAMPLE_KEYS.seal, about))
      return file
    }),
  )
}, 300_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the signed PDF, by veraPDF', () => {
  // 3a contains the rules of 3u.
  it.each([
    ['PDF/UA-1', 'ua1'],
    ['PDF/A-3', '3a'],
  ] as const)(
    'breaks no rule of %s, in any language and with any logo [D59]',
    async (_, flavour) => {
      const results = await checkWithVeraPdf(flavour, files)
      expect(results.map(({ file }) => file)).toEqual(files)
      for (const { passedRules } of results) expect(passedRules).toBeGreaterThan(100)
      expect(results.flatMap(({ file, failures }) => failures.map((failure) => `${file}: ${failure}`))).toEqual([])
    },
    240_000,
  )
})
