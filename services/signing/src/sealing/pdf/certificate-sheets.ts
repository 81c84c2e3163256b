// Draws the evidence certificate. [screens: pdf-01-certificate]
// Owns its layout; its content comes from the chain (certificate.ts).
import { elementAt } from '@paraph/protocol/element-at'
import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import type { Locale } from '@paraph/web/locale'
import { CHECK_COMMANDS } from '@paraph/web/check-commands'
import type { ReadableText } from '../../contract-text/read-text.js'
import { readHidden } from '../../contract-text/hidden-characters.js'
import type { Certificate, Happening } from './certificate.js'
import type { Style } from './fonts.js'
import type { Line } from './lines.js'
import { pdfMessages, type PdfMessages } from './messages.js'
import { drawSigners } from './signers-table.js'
import { COLOUR, formatUtc, PAPER, TEXT_WIDTH, type Look, type Placing, type Sheets } from './sheets.js'

/** The content of the certificate that does not come from the chain. */
export interface CertificateData {
  contractNumber: string
  contractType: ContractType
  senderName: string
  accountName: string
  createdAt: Date
  completedAt: Date
  contentSha256: string
  /** RFC 7638 thumbprint of the key that signed the evidence. */
  keyId: string
}

const look = (style: Style, size: number, more?: Partial<Look>): Look => {
  return { style, size, colour: COLOUR.ink, leading: 1.4, ...more }
}
const TITLE = look('sansBold', 19, { leading: 1.25 })
const HEADING = look('sansBold', 10.5)
const BODY = look('sans', 8.5)
const SOFT = look('sans', 8.5, { colour: COLOUR.soft })
const SMALL: Look = { ...SOFT, size: 7.6 }
const MACHINE = look('mono', 7.6, { leading: 1.6 })

const HAPPENED_COLUMNS = [0, 17, 119, 200, 262] as const
const HAPPENED_WIDTH = 302
const BESIDE_LEFT = 316
const HAPPENED_HEIGHT = 11.8
const HAPPENED = look('sans', 7.6)
const WHOSE_WIDTH = HAPPENED_COLUMNS[4] - HAPPENED_COLUMNS[3] - 4
/** The height of the last section, which is not split between pages. */
const CHECK_HEIGHT = 126

/** Draws the certificate, starting on a new page. */
export function drawCertificate(
  sheets: Sheets,
  { signers, consents, happened }: Certificate,
  contract: CertificateData,
  { counts, hidden }: ReadableText,
  locale: Locale,
): void {
  const messages = pdfMessages(locale)
  const rolesOf = (parties: readonly number[]): string =>
    parties.map((index) => elementAt(signers, index).role).join(', ')
  const bold: Look = { ...HAPPENED, style: 'sansBold' }
  const isNumbered =
    new Set(signers.map(({ role }) => role)).size < signers.length ||
    happened.some(({ parties }) => sheets.break(readHidden(rolesOf(parties)), bold, { width: WHOSE_WIDTH }).length > 1)
  /** Names parties by role if the roles are unique and short, else by number. */
  const whoseOf = ({ what, parties }: Happening): string => {
    if (what === 'created') return messages.parties(signers.length)
    if (what === 'complete') return messages.allOf(signers.length)
    return isNumbered ? messages.partyNumbers(parties.map((index) => index + 1)) : rolesOf(parties)
  }

  sheets.newPage()
  const type = contractTypeNames(locale)[contract.contractType]
  drawText(sheets, 'H1', messages.signedByAll(signers.length), TITLE)
  sheets.move(3)
  drawText(sheets, 'P', messages.sentBy(type, contract.senderName, contract.accountName), SOFT)
  const when = (at: Date): string => formatInstant(at, locale, { seconds: true })
  drawText(sheets, 'P', messages.createdAndComplete(when(contract.createdAt), when(contract.completedAt)), SOFT)

  drawHeading(sheets, messages.whatWasSigned)
  drawText(sheets, 'P', messages.theContractIs(counts, hidden.count), BODY)
  drawText(sheets, 'P', `SHA-256 ${contract.contentSha256.match(/.{8}/g)!.join(' ')}`, MACHINE)

  drawHeading(sheets, messages.whoSigned)
  drawSigners(sheets, signers, messages, isNumbered)
  sheets.move(3)
  const lacks = (name: string, style: Style): boolean => sheets.glyphs.countMissing(name, style).count > 0
  const isLacking = signers.some(
    ({ role, legalName, typedName }) => lacks(role, 'sans') || lacks(legalName, 'serif') || lacks(typedName, 'serif'),
  )
  if (isLacking) drawText(sheets, 'P', messages.missingInNames, SMALL)
  for (const { id, language, text } of consents) {
    drawText(sheets, 'P', messages.consent(language === 'en' ? messages.english : messages.french, id, text), SMALL)
  }

  drawHappened(sheets, happened, whoseOf, messages)
  drawCheck(sheets, contract.keyId, messages)
}

function drawText(sheets: Sheets, tag: string, text: string, style: Look, placing: Placing = {}): void {
  sheets.lines(tag, sheets.break(readHidden(text), style, placing), style, placing)
}

function drawHeading(sheets: Sheets, text: string, placing: Placing = {}): void {
  sheets.move(7)
  drawText(sheets, 'H2', text, HEADING, { ...placing, keepWith: 40 })
  sheets.move(1)
}

/** Draws the timeline, and what the evidence proves: beside the timeline, or below it if the page has too little space. */
function drawHappened(
  sheets: Sheets,
  happened: readonly Happening[],
  whoseOf: (each: Happening) => string,
  messages: PdfMessages,
): void {
  const { root, doc } = sheets
  const whose = happened.map((each) => sheets.break(readHidden(whoseOf(each)), HAPPENED, { width: WHOSE_WIDTH }))
  const height = 30 + whose.reduce((sum, lines) => sum + lines.length, 0) * HAPPENED_HEIGHT + 30
  const hasRoomBeside = sheets.y + Math.max(height, 190) < PAPER.height - PAPER.bottom
  const top = sheets.y
  drawHeading(sheets, messages.whatHappened, { width: HAPPENED_WIDTH })
  const table = doc.struct('Table')
  root.add(table)
  for (const [index, each] of happened.entries()) {
    const rowHeight = elementAt(whose, index).length * HAPPENED_HEIGHT
    sheets.need(rowHeight)
    const at = sheets.y
    const style: Look = { ...HAPPENED, style: each.what === 'signed' ? 'sansBold' : 'sans' }
    const tr = doc.struct('TR')
    table.add(tr)
    const drawCell = (lines: readonly Line[], column: number, look: Look) => {
      const left = PAPER.left + elementAt(HAPPENED_COLUMNS, column)
      const draw = () =>
        lines.forEach((line, below) => sheets.drawLine(line, left, at + 9 + below * HAPPENED_HEIGHT, look))
      tr.add(doc.struct('TD', {}, draw))
    }
    const texts = [String(each.seq), formatUtc(each.at), messages[each.what], whoseOf(each)]
    texts.forEach((text, column) => {
      drawCell(sheets.break(readHidden(text), style, column === 3 ? { width: WHOSE_WIDTH } : {}), column, style)
    })
    const digits: Line = [{ face: 'mono', text: each.digits, isNumber: false, look: 'text' }]
    drawCell([digits], 4, { ...style, style: 'mono', size: 7 })
    tr.end()
    sheets.move(rowHeight)
  }
  table.end()
  sheets.move(2)
  const placing = hasRoomBeside ? { width: HAPPENED_WIDTH } : {}
  drawText(sheets, 'P', messages.timesAreUtc, { ...SOFT, size: 7.4 }, placing)
  const below = sheets.y
  const left = hasRoomBeside ? BESIDE_LEFT : 0
  if (hasRoomBeside) sheets.moveTo(top)
  const proven = [messages.provesText, messages.provesMailbox, messages.provesConsent]
  const unproven = [messages.provesNotIdentity, messages.provesNotAuthority, messages.provesNotQualified]
  drawList(sheets, messages.proves, proven, true, left)
  drawList(sheets, messages.provesNot, unproven, false, left)
  if (hasRoomBeside) sheets.moveTo(Math.max(below, sheets.y))
}

function drawList(sheets: Sheets, title: string, points: readonly string[], isFilled: boolean, left: number): void {
  const { doc } = sheets
  drawHeading(sheets, title, { left, width: TEXT_WIDTH })
  for (const point of points) {
    const lines = sheets.break([point], BODY, { left: left + 10 })
    sheets.need(lines.length * BODY.size * BODY.leading!)
    const y = sheets.y
    sheets.artifact(() => {
      doc.circle(PAPER.left + left + 3, y + 6.2, 2.3)
      if (isFilled) doc.fill(COLOUR.accent)
      else doc.lineWidth(0.8).stroke(COLOUR.soft)
    })
    sheets.lines('P', lines, BODY, { left: left + 10 })
    sheets.move(2)
  }
}

function drawCheck(sheets: Sheets, keyId: string, messages: PdfMessages): void {
  sheets.need(CHECK_HEIGHT)
  drawHeading(sheets, messages.checkOffline)
  drawText(sheets, 'P', messages.saveAttached, BODY)
  drawText(sheets, 'P', keyId, MACHINE)
  sheets.move(3)
  const height = CHECK_COMMANDS.length * MACHINE.size * MACHINE.leading! + 12
  const top = sheets.y
  sheets.artifact(() => sheets.doc.roundedRect(PAPER.left, top, TEXT_WIDTH, height, 2).fill(COLOUR.wash))
  sheets.move(5)
  for (const command of CHECK_COMMANDS) drawText(sheets, 'Code', command, MACHINE, { left: 8 })
  sheets.moveTo(top + height + 5)
  drawText(sheets, 'P', messages.firstPrints, BODY)
}
