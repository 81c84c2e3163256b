// Pictures of pages of the sealed PDF of a sample contract, rendered by pdftoppm (poppler).
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { samplePdfInput, SAMPLE_KEYS } from '@paraph/signing/test/evidence-fixture'
import { createWorkerPool } from '@paraph/signing/sealing/pdf/worker-pool'

type Sample = NonNullable<Parameters<typeof samplePdfInput>[0]>

/** A negative `page` counts from the last page, which is -1. */
interface PdfPicture {
  file: string
  page: number
  sample: Sample
  /** Dots per inch; 96 is one pixel to a CSS pixel. */
  resolution: number
}

export const PDF_PICTURES: readonly PdfPicture[] = [
  { file: 'pdf-01-certificate.png', page: -1, sample: {}, resolution: 96 },
  { file: 'pdf-01f-certificate-french.png', page: -1, sample: { language: 'fr' }, resolution: 96 },
  { file: 'pdf-01s-certificate-sandbox.png', page: -1, sample: { environment: 'sandbox' }, resolution: 96 },
  { file: 'pdf-02-text.png', page: 1, sample: {}, resolution: 96 },
  { file: 'pdf-02s-text-sandbox.png', page: 1, sample: { environment: 'sandbox' }, resolution: 96 },
]

/** The pictures of docs/images. */
export const PDF_IMAGES: readonly PdfPicture[] = [{ ...PDF_PICTURES[0]!, resolution: 192 }]

/** Renders `pictures` and passes each to `keep`. */
export async function drawPdfs(
  pictures: readonly PdfPicture[],
  keep: (file: string, png: Buffer) => Promise<void>,
): Promise<void> {
  const run = promisify(execFile)
  const folder = await mkdtemp(join(tmpdir(), 'paraph-pdf-'))
  const pool = createWorkerPool()
  try {
    for (const { file, page, sample, resolution } of pictures) {
      const pdf = join(folder, 'copy.pdf')
      const input = await samplePdfInput(sample)
      await writeFile(pdf, await pool.make({ input, sealKey: SAMPLE_KEYS.seal, reason: file }))
      const { stdout } = await run('pdfinfo', [pdf])
      const pages = Number(/^Pages: +(\d+)$/m.exec(stdout)![1])
      const number = String(page < 0 ? pages + 1 + page : page)
      const options = ['-png', '-r', String(resolution), '-singlefile', '-f', number, '-l', number]
      await run('pdftoppm', [...options, pdf, join(folder, 'page')])
      await keep(file, await readFile(join(folder, 'page.png')))
    }
  } finally {
    await pool.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
