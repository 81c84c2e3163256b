// The colours, sizes and faces of the signed PDF.
import type { Style } from './fonts.js'

export const COLOUR = {
  ink: '#15181b',
  soft: '#4b535a',
  rule: '#c9cdcf',
  accent: '#26399e',
  danger: '#a3231b',
  /** For the sandbox only, as on the web pages. */
  caution: '#ffdf6b',
  wash: '#f1f2f1',
} as const

/** In points, like every length in this folder. */
export const PAPER = { width: 612, height: 792, left: 56, right: 56, top: 90, bottom: 76 } as const
export const TEXT_WIDTH = PAPER.width - PAPER.left - PAPER.right
/** The right edge of the text. */
export const RIGHT = PAPER.left + TEXT_WIDTH

export interface Look {
  style: Style
  size: number
  colour?: string
  /** Line height as a multiple of the size. */
  leading?: number
}

/** The height of one line. */
export const lineHeight = ({ size, leading = 1.45 }: Look): number => size * leading
