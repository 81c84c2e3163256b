// The evidence certificate on paper. [screens: pdf-01-certificate]
// Owns where things stand on it. What it says comes from the chain (certificate.ts).
import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import type { Locale } from '@paraph/web/locale'
import { CHECK_COMMANDS } from '../check-commands.js'
import type { Counts } from '../contract-text/counts.js'
import { readHidden } from '../contract-text/hidden-characters.js'
import type { Certificate, Happening } from './certificate.js'
import type { Style } from './fonts.js'
import type { Line } from './lines.js'
import type { PdfWords } from './pdf-words.js'
import { COLOUR, PAPER, TEXT_WIDTH, type Look, type Sheets } from './sheets.js'

/** What the certificate says besides the chain. */
export interface CertificateFacts {
  contractNumber: string
  contractType: ContractType
  senderName: string
  accountName: string
  createdAt: Date
  completedAt: Date
  contentSha256: string
  counts: Counts
  /** Hidden characters of the text. */
  hidden: number
  /** RFC 7638 thumbprint of the key that signed the evidence. */
  keyId: string
}

const look = (style: Style, size: number, more: Partial<Look> = {}): Look => ({
  style,
  size,
  colour: COLOUR.ink,
  leading: 1.4,
  ...more,
})
const TITLE = look('sansBold', 19, { leading: 1.25 })
const HEADING = look('sansBold', 10.5)
const SAID = look('sans', 8.5)
const SOFT = look('sans', 8.5, { colour: COLOUR.soft })
const MACHINE = look('mono', 7.6, { leading: 1.6 })
const NAME = look('serif', 10)
const ROW = look('sans', 8.2)

const SIGNER_COLUMNS = [0, 62, 186, 310, 427] as const
const HAPPENED_COLUMNS = [0, 17, 119, 200, 262] as const
const HAPPENED_WIDTH = 302
const BESIDE_LEFT = 316
const HAPPENED_HEIGHT = 11.8
/** The last section stays together. */
const CHECK_HEIGHT = 126

/** Begins a page and draws the certificate on it, and on as many more as it takes. */
export function drawCertificate(
  sheets: Sheets,
  { signers, consents, happened }: Certificate,
  facts: CertificateFacts,
  words: PdfWords,
  locale: Locale,
): void {
  const { root, doc } = sheets
  sheets.newPage()
  const type = contractTypeNames(locale)[facts.contractType]
  say('H1', words.signedByAll(signers.length), TITLE)
  sheets.move(3)
  say('P', words.sentBy(type, facts.senderName, facts.accountName), SOFT)
  const when = (at: Date): string => formatInstant(at, locale, { seconds: true })
  say('P', words.createdAndComplete(when(facts.createdAt), when(facts.completedAt)), SOFT)

  heading(words.whatWasSigned)
  say('P', words.theContractIs(facts.counts, facts.hidden), SAID)
  say('P', `SHA-256 ${facts.contentSha256.match(/.{8}/g)!.join(' ')}`, MACHINE)

  heading(words.whoSigned)
  drawSigners()
  sheets.move(3)
  for (const { id, language, text } of consents) {
    say('P', words.consent(language === 'en' ? words.english : words.french, id, text), { ...SOFT, size: 7.6 })
  }

  drawHappened()
  drawCheck()

  function say(
    tag: string,
    text: string,
    style: Look,
    placing: { left?: number; width?: number; keepWith?: number } = {},
  ): void {
    sheets.lines(tag, sheets.break(readHidden(text), style, placing), style, placing)
  }

  function heading(text: string, placing: { left?: number; width?: number } = {}): void {
    sheets.move(7)
    say('H2', text, HEADING, { ...placing, keepWith: 40 })
    sheets.move(1)
  }

  function drawSigners(): void {
    const heads = [words.role, words.legalName, words.typedName, words.signedAt, words.mailbox]
    const widthOf = (column: number): number =>
      (SIGNER_COLUMNS[column + 1] ?? TEXT_WIDTH + 6) - SIGNER_COLUMNS[column]! - 8
    const cell = (text: string, column: number, style: Look): Line[] =>
      sheets.break(readHidden(text), style, { width: widthOf(column) })
    const table = doc.struct('Table')
    root.add(table)
    row(
      'TH',
      heads.map((head, column) => ({
        lines: cell(head, column, { ...ROW, colour: COLOUR.soft }),
        style: { ...ROW, colour: COLOUR.soft },
      })),
      false,
    )
    for (const { role, legalName, typedName, signedAt } of signers) {
      row(
        'TD',
        [
          { lines: cell(role, 0, ROW), style: ROW },
          { lines: cell(legalName, 1, NAME), style: NAME },
          { lines: cell(typedName, 2, NAME), style: NAME },
          { lines: cell(utc(signedAt), 3, ROW), style: ROW },
          { lines: cell(words.confirmedByCode, 4, ROW), style: ROW },
        ],
        true,
      )
    }
    table.end()

    function row(tag: 'TH' | 'TD', cells: readonly { lines: Line[]; style: Look }[], isSigned: boolean): void {
      const heights = cells.map(
        ({ lines, style }, column) => lines.length * style.size * 1.4 + (isSigned && column === 2 ? 12 : 0),
      )
      const height = Math.max(...heights) + 6
      sheets.need(height)
      const top = sheets.y
      const tr = doc.struct('TR')
      table.add(tr)
      cells.forEach(({ lines, style }, column) => {
        tr.add(
          doc.struct(tag, {}, () => {
            lines.forEach((line, index) => {
              sheets.drawLine(
                line,
                PAPER.left + SIGNER_COLUMNS[column]!,
                top + 4 + (index + 0.8) * style.size * 1.4,
                style,
              )
            })
          }),
        )
      })
      tr.end()
      artifact(() => {
        if (isSigned)
          flourish(PAPER.left + SIGNER_COLUMNS[2] - 2, top + 4 + cells[2]!.lines.length * NAME.size * 1.4, 56)
        doc
          .moveTo(PAPER.left, top + height)
          .lineTo(PAPER.left + TEXT_WIDTH, top + height)
          .lineWidth(isSigned ? 0.5 : 0.9)
          .stroke(isSigned ? COLOUR.rule : COLOUR.soft)
      })
      sheets.moveTo(top + height)
    }
  }

  function drawHappened(): void {
    const height = 30 + happened.length * HAPPENED_HEIGHT + 30
    const hasRoomBeside = sheets.y + Math.max(height, 190) < PAPER.height - PAPER.bottom
    const top = sheets.y
    heading(words.whatHappened, { width: HAPPENED_WIDTH })
    const table = doc.struct('Table')
    root.add(table)
    for (const each of happened) {
      sheets.need(HAPPENED_HEIGHT)
      const at = sheets.y
      const isSigned = each.what === 'signed'
      const style: Look = { ...ROW, size: 7.6, style: isSigned ? 'sansBold' : 'sans' }
      const tr = doc.struct('TR')
      table.add(tr)
      const texts = [String(each.seq), utc(each.at), words[each.what], whoseOf(each)]
      texts.forEach((text, column) => {
        const width = HAPPENED_COLUMNS[column + 1]! - HAPPENED_COLUMNS[column]! - 4
        const [line] = sheets.break(readHidden(text), style, { width })
        tr.add(
          doc.struct('TD', {}, () => sheets.drawLine(line!, PAPER.left + HAPPENED_COLUMNS[column]!, at + 9, style)),
        )
      })
      const digits: Line = [{ face: 'mono', text: each.digits, isNumber: false, look: 'text' }]
      tr.add(
        doc.struct('TD', {}, () =>
          sheets.drawLine(digits, PAPER.left + HAPPENED_COLUMNS[4], at + 9, { ...style, style: 'mono', size: 7 }),
        ),
      )
      tr.end()
      sheets.move(HAPPENED_HEIGHT)
    }
    table.end()
    sheets.move(2)
    say('P', words.timesAreUtc, { ...SOFT, size: 7.4 }, hasRoomBeside ? { width: HAPPENED_WIDTH } : {})
    const below = sheets.y
    const left = hasRoomBeside ? BESIDE_LEFT : 0
    if (hasRoomBeside) sheets.moveTo(top)
    drawList(words.proves, words.provesList, true, left)
    drawList(words.provesNot, words.provesNotList, false, left)
    if (hasRoomBeside) sheets.moveTo(Math.max(below, sheets.y))
  }

  function whoseOf({ what, roles }: Happening): string {
    if (what === 'created') return words.parties(signers.length)
    if (what === 'complete') return words.allOf(signers.length)
    return roles.join(', ')
  }

  function drawList(title: string, points: readonly string[], isFilled: boolean, left: number): void {
    heading(title, { left, width: TEXT_WIDTH })
    for (const point of points) {
      const lines = sheets.break([point], SAID, { left: left + 10 })
      sheets.need(lines.length * SAID.size * SAID.leading!)
      const y = sheets.y
      artifact(() => {
        doc.circle(PAPER.left + left + 3, y + 6.2, 2.3)
        if (isFilled) doc.fill(COLOUR.accent)
        else doc.lineWidth(0.8).stroke(COLOUR.soft)
      })
      sheets.lines('P', lines, SAID, { left: left + 10 })
      sheets.move(2)
    }
  }

  function drawCheck(): void {
    sheets.need(CHECK_HEIGHT)
    heading(words.checkOffline)
    say('P', words.saveAttached, SAID)
    say('P', facts.keyId, MACHINE)
    sheets.move(3)
    const height = CHECK_COMMANDS.length * MACHINE.size * MACHINE.leading! + 12
    const top = sheets.y
    artifact(() => doc.roundedRect(PAPER.left, top, TEXT_WIDTH, height, 2).fill(COLOUR.wash))
    sheets.move(5)
    for (const command of CHECK_COMMANDS) say('Code', command, MACHINE, { left: 8 })
    sheets.moveTo(top + height + 5)
    say('P', words.firstPrints, SAID)
  }

  function artifact(draw: () => void): void {
    doc.markContent('Artifact')
    draw()
    doc.endMarkedContent()
  }

  function flourish(x: number, y: number, width: number): void {
    const scale = width / 120
    doc.save().translate(x, y).scale(scale).path(FLOURISH).fill(COLOUR.accent).restore()
  }
}

const utc = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '')

/** As in libs/web mark.tsx. */
const FLOURISH =
  'M2 15Q2 15.1 5.4 14Q8.7 12.8 12.2 12Q15.7 11.2 19.1 10.6Q22.5 9.9 25.9 9.3Q29.3 8.7 32.8 8.1Q36.2 7.5 39.6 7.1Q43 6.6 46.4 6.2Q49.9 5.8 53.5 5.5Q57.1 5.2 60.5 5Q64 4.8 67.5 4.7Q70.9 4.6 74.4 4.6Q77.9 4.6 81.3 4.8Q84.8 4.9 88.2 5.3Q91.6 5.6 94.5 6.5Q97.4 7.4 97.6 7.5Q97.7 7.5 98 7.7Q98.3 7.9 97.9 8.6Q97.5 9.3 95 10.5Q92.6 11.8 89.3 12.9Q86 14.1 82.7 15Q79.4 15.9 75.9 16.6Q72.5 17.3 69.1 17.7Q65.7 18.2 62.2 18.5Q58.8 18.7 55.4 18.7Q52 18.7 48.9 18Q45.8 17.2 45.3 16.9Q44.9 16.6 44.6 16.5Q44.4 16.5 44.4 16Q44.4 15.5 45.4 14.9Q46.5 14.3 49.6 13.5Q52.7 12.7 56.1 12.5Q59.4 12.3 62.9 12.4Q66.3 12.6 69.8 13Q73.3 13.4 76.7 13.8Q80.1 14.3 83.7 14.7Q87.3 15.1 90.7 15.1Q94.2 15 97.8 14.6Q101.4 14.2 104.8 13.3Q108.2 12.5 111.5 11.4Q114.9 10.4 116.5 9.7Q118 9.1 118 9Q118 8.9 116.4 9.5Q114.8 10.1 111.4 11.1Q108.1 12.1 104.7 12.5Q101.3 13 97.7 13Q94.2 13 90.9 12.7Q87.5 12.4 84 12Q80.5 11.6 77 11.1Q73.6 10.6 70.1 10.3Q66.5 9.9 62.9 9.8Q59.4 9.7 55.9 10.2Q52.3 10.6 49 11.8Q45.7 13 44.7 13.8Q43.7 14.7 43 15.3Q42.3 15.9 42.2 17.1Q42.1 18.3 43.3 19.2Q44.4 20.1 48.1 20.7Q51.8 21.3 55.4 21.2Q58.9 21.2 62.4 20.9Q65.9 20.5 69.4 20Q72.9 19.4 76.4 18.7Q79.9 17.9 83.2 16.9Q86.6 15.9 89.9 14.6Q93.2 13.3 95.7 11.7Q98.2 10.1 99 9.4Q99.8 8.7 100.2 7.6Q100.7 6.6 100 5.7Q99.4 4.8 95.7 3.8Q92 2.9 88.5 2.6Q84.9 2.3 81.4 2.2Q77.9 2 74.4 2.1Q70.9 2.1 67.4 2.2Q63.9 2.4 60.4 2.6Q56.9 2.8 53.3 3.2Q49.7 3.5 46.2 3.9Q42.7 4.3 39.3 4.8Q35.9 5.3 32.4 5.9Q28.9 6.5 25.5 7.3Q22.1 8.1 18.8 9.1Q15.4 10.1 12 11.3Q8.6 12.5 5.3 13.7Q2 14.9 2 15Z'
