// Renders the PDF before it is sealed: the text, the certificate, the attached files. [evidence: the sealed PDF]
// Owns their order, and the head and foot of every page.
import type { Locale } from '@paraph/web/locale'
import { LANGUAGE_TAG } from '@paraph/web/locale'
import { readText } from '../../contract-text/read-text.js'
import type { Certificate } from './certificate.js'
import { drawCertificate, type CertificateData } from './certificate-sheets.js'
import { drawContract } from './contract-sheets.js'
import { pdfMessages } from './messages.js'
import { COLOUR, createSheets, PAPER, TEXT_WIDTH } from './sheets.js'

export interface Attachment {
  name: string
  type: string
  description: string
  bytes: Uint8Array
}

export interface PdfInput {
  /** The exact stored text. */
  content: string
  certificate: Certificate
  contract: Omit<CertificateData, 'counts' | 'hidden'>
  isSandbox: boolean
  locale: Locale
  attachments: readonly Attachment[]
  version: string
  sealedAt: Date
}

const STROKE = 'M2 15C30 4 78 1 96 5C110 9 76 21 52 20C36 19 44 11 60 11C80 11 94 19 118 9'

/** The unsigned PDF. Accepts any text; CPU and memory grow with its length. */
export async function renderPdf({
  content,
  certificate,
  contract,
  isSandbox,
  locale,
  attachments,
  version,
  sealedAt,
}: PdfInput): Promise<Buffer> {
  const messages = pdfMessages(locale)
  const text = readText(content)
  const sheets = createSheets({ title: contract.contractNumber, language: LANGUAGE_TAG[locale], now: sealedAt })
  const { doc } = sheets
  sheets.newPage()
  drawContract(sheets, text, messages, { sha256: contract.contentSha256 })
  const certificateFrom = doc.bufferedPageRange().count + 1
  drawCertificate(
    sheets,
    certificate,
    { ...contract, counts: text.counts, hidden: text.hidden.count },
    messages,
    locale,
  )
  for (const { name, type, description, bytes } of attachments) {
    doc.file(Buffer.from(bytes), { name, type, description, creationDate: sealedAt, modifiedDate: sealedAt })
  }
  return sheets.finish(({ number, count }) => {
    const right = PAPER.left + TEXT_WIDTH
    const put = (value: string, face: string, size: number, y: number, colour: string, isRight = false): void => {
      doc.font(face).fontSize(size).fillColor(colour)
      const x = isRight ? right - doc.widthOfString(value) : PAPER.left
      doc.text(value, x, y, { lineBreak: false, baseline: 'alphabetic' })
    }
    if (isSandbox) {
      doc.rect(0, 0, PAPER.width, 20).fill(COLOUR.caution)
      doc.font('sansBold').fontSize(9).fillColor(COLOUR.ink)
      const x = (PAPER.width - doc.widthOfString(messages.testLine)) / 2
      doc.text(messages.testLine, x, 13.5, { lineBreak: false, baseline: 'alphabetic' })
    }
    put('Paraph', 'sansBold', 14, 60, COLOUR.ink)
    doc
      .save()
      .translate(PAPER.left - 2, 60)
      .scale(0.42)
      .path(STROKE)
      .lineWidth(2.7)
      .lineCap('round')
      .stroke(COLOUR.accent)
      .restore()
    if (number >= certificateFrom) put(messages.evidenceCertificate, 'sans', 8.5, 54, COLOUR.ink, true)
    put(contract.contractNumber, 'sansBold', 8.5, 66, COLOUR.ink, true)
    doc.moveTo(PAPER.left, 80).lineTo(right, 80).lineWidth(0.5).stroke(COLOUR.rule)
    const foot = PAPER.height - 56
    doc
      .moveTo(PAPER.left, foot - 14)
      .lineTo(right, foot - 14)
      .lineWidth(0.5)
      .stroke(COLOUR.rule)
    put(`Paraph ${version}`, 'sans', 8, foot, COLOUR.soft)
    put(messages.page(number, count), 'sans', 8, foot, COLOUR.soft, true)
  })
}
