// The worker thread that renders and seals PDFs, so that an expensive text does not block the pages. [evidence: the sealed PDF]
import { parentPort } from 'node:worker_threads'
import type { SealKey } from '../keys.js'
import { renderPdf, type PdfInput } from './render-pdf.js'
import { sealPdf } from './seal-pdf.js'

export interface PdfJob {
  input: PdfInput
  sealKey: SealKey
  reason: string
}

export type PdfAnswer = { pdf: Uint8Array } | { error: string }

parentPort!.on('message', ({ input, sealKey, reason }: PdfJob) => {
  void make()
    // Omits the message of an error, which may contain contract text.
    .catch((error: unknown): PdfAnswer => ({
      error: error instanceof Error ? `${error.name} in ${placeOf(error)}` : 'unknown',
    }))
    .then((answer) => parentPort!.postMessage(answer))

  async function make(): Promise<PdfAnswer> {
    const pdf = await renderPdf(input)
    return { pdf: await sealPdf(pdf, sealKey, { sealedAt: input.sealedAt, reason }) }
  }
})

const placeOf = ({ stack = '' }: Error): string => /([\w-]+\.[jt]s:\d+)/.exec(stack)?.[1] ?? 'an unknown place'
