// Breaks runs of text into lines of a given width. PURE: the caller measures widths.
// A line breaks after a space or a hyphen, or inside a word that is wider than a line. No character is lost, not even trailing spaces.
import { badgeText, type Run } from '../../contract-text/runs.js'
import { splitClusters, type Glyphs, type Piece, type Style } from './fonts.js'

/** A piece to draw. `badge`: a label in place of invisible characters. */
interface Ink extends Piece {
  look: 'text' | 'badge'
}

/** One line, from left to right. */
export type Line = Ink[]

/** Longer words are measured piece by piece, because measuring a long word is slow. No real word is that long. [stack: pdfkit] */
const WORD_MAX = 60
const TAB = '    '
/** A word with the space or hyphen at its end. */
const WORDS = /[^\s-]*-+(?=\p{L})|[^\s-]*(?:-+(?!\p{L})[^\s-]*)*\s?|\s/gu

/**
 * The lines of `runs`, each at most `width` wide (a wider single character is a line of its own).
 * @param widthOf measures a piece in the unit of `width`
 * @param reflows treats line feeds as spaces
 * @param first width already used on the first line
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
  }: { glyphs: Glyphs; width: number; widthOf: (ink: Piece) => number; reflows?: boolean; first?: number },
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
      const isText = ink.look === 'text' && last?.look === 'text'
      if (isText && last.face === ink.face && last.isNumber === ink.isNumber) last.text += ink.text
      else line.push({ ...ink })
    }
    left -= taken
  }

  for (const run of runs) {
    if (typeof run === 'object') {
      const inks = inksOf(`[${badgeText(run)}]`, 'badge')
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
      // The space at the end of a word may extend beyond the edge.
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
