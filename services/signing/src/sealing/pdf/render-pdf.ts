// Renders the PDF before it is sealed: the text, the certificate, the attached files. [evidence: the sealed PDF]
// Owns the order of these parts, and the head and foot of every page.
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { readText } from '@paraph/web/contract-text/read-text'
import type { DrawnBrand } from '../../brand/brands.js'
import { createBrandFrame } from './brand-frame.js'
import type { Certificate } from './certificate/certificate.js'
import { drawCertificate, type CertificateData } from './certificate/draw-certificate.js'
import { drawContract } from './contract-sheets.js'
import { chooseHan, type Style } from './fonts.js'
import { COLOUR, PAPER, RIGHT } from './look.js'
import { pdfMessages } from './messages.js'
import { createSheets } from './sheets.js'

export interface Attachment {
  name: string
  type: string
  description: string
  /** What the file is to the document. [ISO 32000-2 7.11.3] */
  relationship: 'Source' | 'Data' | 'Supplement'
  bytes: Uint8Array
}

export interface PdfInput {
  /** The exact stored text. */
  content: string
  certificate: Certificate
  contract: CertificateData
  isSandbox: boolean
  locale: Locale
  attachments: readonly Attachment[]
  version: string
  sealedAt: Date
  /** What the operator approved for the account; without it, the pages have Paraph's word mark and accent. [D59] */
  brand?: DrawnBrand | undefined
  /** The name of the installation, for the foot of pages with a brand. [D59] */
  footName: string
}

type Align = 'left' | 'center' | 'right'

const STROKE = 'M2 15C30 4 78 1 96 5C110 9 76 21 52 20C36 19 44 11 60 11C80 11 94 19 118 9'

/** The unsigned PDF. Accepts any text; CPU time and memory grow with the length of the text. */
export async function renderPdf(input: PdfInput): Promise<Buffer> {
  const { content, certificate, contract, isSandbox, locale, attachments, version, sealedAt, brand } = input
  const messages = pdfMessages(locale)
  const text = readText(content)
  const sheets = createSheets({
    title: contract.contractNumber,
    language: LANGUAGE_TAG[locale],
    now: sealedAt,
    han: chooseHan([content, ...namesOf(input)].join('\n')),
    accent: brand?.accent ?? COLOUR.accent,
  })
  const { doc } = sheets
  sheets.newPage()
  drawContract(sheets, text, messages, contract.contentSha256)
  const certificateFrom = doc.bufferedPageRange().count + 1
  drawCertificate(sheets, certificate, contract, text, locale)
  for (const { bytes, ...about } of attachments) {
    doc.file(Buffer.from(bytes), { ...about, creationDate: sealedAt, modifiedDate: sealedAt })
  }
  const frame = brand && createBrandFrame(sheets, { ...input, brand, accountName: contract.accountName })
  return sheets.finish(({ number, count }) => {
    const put = (align: Align, text: string, face: Style, size: number, y: number, colour: string): void => {
      sheets.select(face).fontSize(size).fillColor(colour)
      const width = doc.widthOfString(text)
      const x = { left: PAPER.left, center: (PAPER.width - width) / 2, right: RIGHT - width }[align]
      doc.text(text, x, y, { lineBreak: false, baseline: 'alphabetic' })
    }
    if (isSandbox) {
      doc.rect(0, 0, PAPER.width, 20).fill(COLOUR.caution)
      put('center', messages.testLine, 'sansBold', 9, 13.5, COLOUR.ink)
    }
    if (frame) frame.drawHead()
    else {
      put('left', 'Paraph', 'sansBold', 14, 60, COLOUR.ink)
      doc
        .save()
        .translate(PAPER.left - 2, 60)
        .scale(0.42)
        .path(STROKE)
        .lineWidth(2.7)
        .lineCap('round')
        .stroke(COLOUR.accent)
        .restore()
    }
    if (number >= certificateFrom) put('right', messages.evidenceCertificate, 'sans', 8.5, 54, COLOUR.ink)
    put('right', contract.contractNumber, 'sansBold', 8.5, 66, COLOUR.ink)
    sheets.rule(80, 0.5, COLOUR.rule)
    const foot = PAPER.height - 56
    sheets.rule(foot - 14, 0.5, COLOUR.rule)
    if (frame) frame.drawFoot(foot)
    else put('left', `Paraph ${version}`, 'sans', 8, foot, COLOUR.soft)
    put('right', messages.page(number, count), 'sans', 8, foot, COLOUR.soft)
  })
}

const namesOf = ({ contract, certificate }: PdfInput): string[] => [
  contract.senderName,
  contract.accountName,
  ...certificate.signers.flatMap(({ role, legalName, typedName }) => [role, legalName, typedName]),
]
