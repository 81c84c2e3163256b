// "What happened" on the certificate: a row for each entry of the chain that it shows. [screens: pdf-01-certificate]
import { elementAt } from '@paraph/protocol/element-at'
import { readHidden } from '@paraph/web/contract-text/hidden-characters'
import type { Certificate, Happening } from './certificate.js'
import { drawHeading, drawText, HEADING_HEIGHT, SOFT } from './sections.js'
import type { Line } from '../lines.js'
import { COLOUR, lineHeight, PAPER, type Look } from '../look.js'
import type { PdfMessages } from '../messages.js'
import { formatUtc, type Sheets } from '../sheets.js'

const COLUMNS = [0, 17, 113, 200, 262] as const
const WHOSE = 3
/** The right edge of the table. */
export const TIMELINE_WIDTH = 302
/** The longest name of a party in one line. */
export const WHOSE_WIDTH = COLUMNS[4] - COLUMNS[WHOSE] - 4
const ROW_HEIGHT = 10.9
const BASELINE = 8.4
export const TIMELINE_LOOK: Look = { style: 'sans', size: 7.6, colour: COLOUR.ink }
const HEAD: Look = { ...TIMELINE_LOOK, colour: COLOUR.soft }
const DIGITS: Look = { style: 'mono', size: 7 }
const NOTE: Look = { ...SOFT, size: 7.4 }
const ABOVE_NOTE = 2

interface Row {
  cells: readonly (readonly Line[])[]
  look: Look
}

/**
 * Breaks the table into lines.
 * @param whoseOf the parties of an entry, as text
 * @returns its height on one page, and a function that draws it
 */
export function measureTimeline(
  sheets: Sheets,
  { happened, leftOut }: Certificate,
  whoseOf: (each: Happening) => string,
  messages: PdfMessages,
) {
  const rows = happened.map((each): Row => {
    const look: Look = { ...TIMELINE_LOOK, style: each.what === 'signed' ? 'sansBold' : 'sans' }
    const texts = [String(each.seq), formatUtc(each.at), messages[each.what], whoseOf(each)]
    const cells = texts.map((text, column) =>
      sheets.break(readHidden(text), look, column === WHOSE ? { width: WHOSE_WIDTH } : {}),
    )
    return { look, cells: [...cells, sheets.break([each.digits], DIGITS)] }
  })
  const head: Row = {
    look: HEAD,
    cells: [messages.line, messages.time, messages.event, messages.party, 'SHA-256'].map((text) =>
      sheets.break([text], HEAD),
    ),
  }
  const note = [messages.linesAreChained, ...leftOut.map(({ what, seqs }) => messages[what](seqs))].join(' ')
  const noteHeight = sheets.break([note], NOTE, { width: TIMELINE_WIDTH }).length * lineHeight(NOTE)
  const table = [head, ...rows].reduce((sum, row) => sum + heightOf(row), 0)

  return {
    height: HEADING_HEIGHT + table + ABOVE_NOTE + noteHeight,
    /** @param isNarrow leaves space beside the table */
    draw(isNarrow: boolean): void {
      const placing = isNarrow ? { width: TIMELINE_WIDTH } : {}
      drawHeading(sheets, messages.whatHappened, placing)
      const struct = sheets.doc.struct('Table')
      sheets.root.add(struct)
      drawRow('TH', head)
      for (const row of rows) {
        if (sheets.need(heightOf(row))) sheets.artifact(() => drawCells(head))
        drawRow('TD', row)
      }
      struct.end()
      sheets.move(ABOVE_NOTE)
      drawText(sheets, 'P', note, NOTE, placing)

      function drawRow(tag: 'TH' | 'TD', row: Row): void {
        const tr = sheets.doc.struct('TR')
        struct.add(tr)
        row.cells.forEach((_, column) => tr.add(sheets.cell(tag, () => drawCell(row, column))))
        tr.end()
        sheets.move(heightOf(row))
      }
    },
  }

  /** The column headings at the top of a further page, which screen readers skip. */
  function drawCells(row: Row): void {
    row.cells.forEach((_, column) => drawCell(row, column))
    sheets.move(heightOf(row))
  }

  function drawCell({ cells, look }: Row, column: number): void {
    const left = PAPER.left + elementAt(COLUMNS, column)
    const own = column === COLUMNS.length - 1 && look !== HEAD ? { ...look, ...DIGITS } : look
    elementAt(cells, column).forEach((line, below) => {
      sheets.drawLine(line, left, sheets.y + BASELINE + below * ROW_HEIGHT, own)
    })
  }
}

const heightOf = ({ cells }: Row): number => Math.max(...cells.map((lines) => lines.length)) * ROW_HEIGHT
