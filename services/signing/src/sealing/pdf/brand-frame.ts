// The left of the head and of the foot of every page of an account with a brand: its logo or its name, and whose service it is. [D59]
import { elementAt } from '@paraph/protocol/element-at'
import { readHidden } from '@paraph/web/contract-text/hidden-characters'
import type { DrawnBrand } from '../../brand/brands.js'
import type { Line } from './lines.js'
import { COLOUR, PAPER, TEXT_WIDTH, type Look } from './look.js'
import type { Sheets } from './sheets.js'

const LOGO = { width: 120, height: 26, middle: 57 }
/** 96 pixels an inch: with fewer, a picture looks blurred. */
const POINTS_A_PIXEL_MAX = 0.75

const NAME: Look = { style: 'sansBold', size: 14 }
/** For a name that needs two lines. */
const LONG_NAME: Look = { style: 'sansBold', size: 9.5 }
/** The last line stands beside the contract number. */
const BASELINE = 66
const LONG_LEADING = 12
/** Leaves space for the contract number, which is at most 135 wide. */
const NAME_WIDTH = TEXT_WIDTH - 150

const FOOT: Look = { style: 'sans', size: 8, colour: COLOUR.soft }

interface BrandFrame {
  brand: Pick<DrawnBrand, 'logo'>
  accountName: string
  /** The name of the installation. */
  footName: string
  /** Of Paraph. */
  version: string
}

/** Returns functions that draw on the current page. */
export function createBrandFrame(sheets: Sheets, { brand, accountName, footName, version }: BrandFrame) {
  // The version is that of Paraph, so it does not stand behind another name.
  const foot = footName === 'Paraph' ? `via Paraph ${version}` : `via ${footName}`
  const via = elementAt(sheets.breakInto(1, readHidden(foot), FOOT, TEXT_WIDTH / 2), 0)
  return {
    drawHead: brand.logo ? measureLogo(sheets, brand.logo) : measureName(sheets, accountName),
    drawFoot: (baseline: number): void => sheets.drawLine(via, PAPER.left, baseline, FOOT),
  }
}

function measureLogo({ doc }: Sheets, { type, width, height, bytes }: NonNullable<DrawnBrand['logo']>): () => void {
  const scale = Math.min(LOGO.width / width, LOGO.height / height, POINTS_A_PIXEL_MAX)
  const size = { width: width * scale, height: height * scale }
  // pdfkit writes the picture of a URL once, for all pages.
  const url = `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
  return () => void doc.image(url, PAPER.left, LOGO.middle - size.height / 2, size)
}

function measureName(sheets: Sheets, accountName: string): () => void {
  const name = readHidden(accountName)
  const isShort = sheets.break(name, NAME, { width: NAME_WIDTH }).length === 1
  const look = isShort ? NAME : LONG_NAME
  const lines = sheets.breakInto(isShort ? 1 : 2, name, look, NAME_WIDTH)
  const first = BASELINE - (lines.length - 1) * LONG_LEADING
  const widths = lines.map((line) => sheets.widthOfLine(line, look.size))
  // Lines that run from right to left begin at one edge too: that of the widest.
  const indentOf = (line: Line, index: number): number =>
    line.isRtl ? Math.max(...widths) - elementAt(widths, index) : 0
  return () =>
    lines.forEach((line, index) =>
      sheets.drawLine(line, PAPER.left + indentOf(line, index), first + index * LONG_LEADING, look),
    )
}
