// Breaks runs of text into lines of a width. PURE but for the widths, which come from outside.
// A line breaks behind a space or a hyphen, and inside what has none for a whole line; nothing is lost, a space at the end neither.
import { chipText, type Run } from '../contract-text/runs.js'
import { splitClusters, type Glyphs, type Piece, type Style } from './fonts.js'

/** A piece as it is drawn. `chip`: stands for characters that cannot be seen. */
export interface Ink extends Piece {
  look: 'text' | 'chip'
}

/** One line: what stands on it, from left to right. */
export type Line = Ink[]

/** Longer ones are cut before anybody measures them: nothing that a person wrote is so long. [stack: pdfkit] */
const WORD_MAX = 60
const TAB = '    '
/** A word with what follows it: one space, or the hyphen at its end. */
const WORDS = /[^\s-]*-+(?=\p{L})|[^\s-]*(?:-+(?!\p{L})[^\s-]*)*\s?|\s/gu

/**
 * The lines of `runs`, each at most `width` wide (a single character that is wider stands alone).
 * @param widthOf of a text in a face, in the unit of `width`
 * @param reflows line feeds are spaces
 * @param first width that is taken on the first line already
 */
export function breakLines(
  runs: readonly Run[],
  style: Style,
  {
    glyphs,
    width,
    widthOf,
    reflows = false,
    first = 0,
  }: {
    glyphs: Glyphs
    width: number
    widthOf: (ink: Piece) => number
    reflows?: boolean
    first?: number
  },
): Line[] {
  const lines: Line[] = [[]]
  let left = width - first

  const newLine = (): void => {
    lines.push([])
    left = width
  }
  const put = (inks: readonly Ink[], taken: number): void => {
    const line = lines.at(-1)!
    for (const ink of inks) {
      const last = line.at(-1)
      if (
        last &&
        last.face === ink.face &&
        last.look === ink.look &&
        last.isNumber === ink.isNumber &&
        ink.look === 'text'
      )
        last.text += ink.text
      else line.push({ ...ink })
    }
    left -= taken
  }

  for (const run of runs) {
    if (typeof run === 'object') {
      const inks = inksOf(`[${chipText(run)}]`, 'chip')
      const wide = widthOfAll(inks)
      if (wide > left && lines.at(-1)!.length > 0) newLine()
      put(inks, wide)
      continue
    }
    const text = (reflows ? run.replaceAll('\n', ' ') : run).replaceAll('\t', TAB)
    text.split('\n').forEach((part, index) => {
      if (index > 0) newLine()
      for (const [word] of part.matchAll(WORDS)) if (word !== '') putWord(word)
    })
  }
  return lines

  function putWord(word: string): void {
    if (word.length <= WORD_MAX) {
      const inks = inksOf(word, 'text')
      const wide = widthOfAll(inks)
      // A space may hang over the edge.
      const inked = word.endsWith(' ') ? widthOfAll(inksOf(word.trimEnd(), 'text')) : wide
      if (inked <= left) return put(inks, wide)
      if (inked <= width) {
        newLine()
        return put(inks, wide)
      }
    }
    for (const cluster of splitClusters(word)) {
      const inks = inksOf(cluster, 'text')
      const wide = widthOfAll(inks)
      if (wide > left && cluster !== ' ' && lines.at(-1)!.length > 0) newLine()
      put(inks, wide)
    }
  }

  function inksOf(text: string, look: Ink['look']): Ink[] {
    return glyphs.cut(text, style).map((piece) => ({ ...piece, look }))
  }

  function widthOfAll(inks: readonly Ink[]): number {
    return inks.reduce((sum, ink) => sum + widthOf(ink), 0)
  }
}
