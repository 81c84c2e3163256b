// Breaks runs of text into lines of a given width. PURE: the caller measures widths.
// A line breaks after a space or a hyphen, between characters of Chinese and Japanese by their rules, or inside a word that is wider than a
// line. No character is lost, not even trailing spaces.
import { createRequire } from 'node:module'
import { badgeText, type Run } from '@paraph/web/contract-text/runs'
import { readLevels } from './bidi.js'
import { chooseRtl, isRtlFace, splitClusters, type Glyphs, type Piece, type Style } from './fonts.js'

/** A piece to draw. `badge`: a label in place of invisible characters. */
export interface Ink extends Piece {
  look: 'text' | 'badge'
  /** Odd where the text runs from right to left. [UAX #9] */
  level: number
}

export interface Line {
  /** In the order of the text. */
  inks: Ink[]
  /** True if the paragraph runs from right to left. */
  isRtl: boolean
}

/** Longer words are measured piece by piece, because measuring a long word is slow. No real word is that long. [stack: pdfkit] */
const WORD_MAX = 60
const TAB = '    '
/** Stands for a badge where the directions of a block are read: neither a letter nor a number. */
const OBJECT = '\uFFFC'
/** A word with the space or hyphen at its end. */
const WORDS = /[^\s-]*-+(?=\p{L})|[^\s-]*(?:-+(?!\p{L})[^\s-]*)*\s?|\s/gu
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u

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
  const texts = runs.map((run) =>
    typeof run === 'object' ? run : (reflows ? run.replaceAll('\n', ' ') : run).replaceAll('\t', TAB),
  )
  const whole = texts.map((text) => (typeof text === 'object' ? OBJECT : text)).join('')
  const bidi = readLevels(whole)
  const isRtl = bidi?.isRtl ?? false
  const rtl = bidi && chooseRtl(whole)
  const lines: Line[] = [{ inks: [], isRtl }]
  let left = width - first
  /** The place in `whole`. */
  let at = 0

  const newLine = (): void => {
    lines.push({ inks: [], isRtl })
    left = width
  }
  const put = (inks: readonly Ink[], taken: number): void => {
    const line = lines.at(-1)!.inks
    for (const ink of inks) {
      const last = line.at(-1)
      if (last && continues(last, ink)) last.text += ink.text
      else line.push({ ...ink })
    }
    left -= taken
  }

  for (const text of texts) {
    if (typeof text === 'object') {
      const level = bidi?.levels[at] ?? 0
      const inks = glyphs.cut(`[${badgeText(text)}]`, style).map((piece): Ink => ({ ...piece, look: 'badge', level }))
      const wide = widthOfAll(inks)
      if (wide > left && lines.at(-1)!.inks.length > 0) newLine()
      put(inks, wide)
      at += OBJECT.length
      continue
    }
    text.split('\n').forEach((part, index) => {
      if (index > 0) {
        newLine()
        at += 1
      }
      for (const [word] of part.matchAll(WORDS)) {
        for (const piece of UNSPACED.test(word) ? splitUnspaced(word) : [word]) if (piece !== '') putWord(piece)
      }
    })
  }
  if (bidi) for (const { inks } of lines) resetTrailingSpaces(inks, isRtl ? 1 : 0)
  return lines

  function putWord(word: string): void {
    if (word.length <= WORD_MAX) {
      const inks = inksOf(word)
      const wide = widthOfAll(inks)
      // The space at the end of a word may extend beyond the edge.
      const inked = word.endsWith(' ') ? widthOfAll(inksOf(word.trimEnd())) : wide
      if (inked > left && inked <= width) newLine()
      if (inked <= left) {
        put(inks, wide)
        at += word.length
        return
      }
    }
    for (const cluster of splitClusters(word)) {
      const inks = inksOf(cluster)
      const wide = widthOfAll(inks)
      if (wide > left && cluster !== ' ' && lines.at(-1)!.inks.length > 0) newLine()
      put(inks, wide)
      at += cluster.length
    }
  }

  /** The pieces of the text at `at`. */
  function inksOf(text: string): Ink[] {
    if (!bidi) return glyphs.cut(text, style).map((piece): Ink => ({ ...piece, look: 'text', level: 0 }))
    const inks: Ink[] = []
    for (let from = 0; from < text.length;) {
      const level = bidi.levels[at + from]!
      let to = from + 1
      while (to < text.length && bidi.levels[at + to] === level) to += 1
      const pieces = glyphs.cut(text.slice(from, to), style, level % 2 === 1 ? rtl : undefined)
      inks.push(...pieces.map((piece): Ink => ({ ...piece, look: 'text', level })))
      from = to
    }
    return inks
  }

  function widthOfAll(inks: readonly Ink[]): number {
    return inks.reduce((sum, ink) => sum + widthOf(ink), 0)
  }
}

/** The characters of a piece in the order in which its font draws them: the fonts of right-to-left scripts draw from the right. */
export function drawnText({ face, text, look, level, isNumber }: Ink): string {
  const isAsDrawn = look === 'badge' || isNumber || (level % 2 === 1) === isRtlFace(face)
  return isAsDrawn ? text : splitClusters(text).reverse().join('')
}

const continues = (last: Ink, ink: Ink): boolean =>
  last.look === 'text' &&
  ink.look === 'text' &&
  last.face === ink.face &&
  last.isNumber === ink.isNumber &&
  last.level === ink.level

/** Spaces at the end of a line take the direction of the paragraph. [UAX #9 L1] */
function resetTrailingSpaces(inks: Ink[], level: number): void {
  const last = inks.at(-1)
  const kept = last?.text.trimEnd() ?? ''
  if (!last || last.level === level || kept.length === last.text.length) return
  const spaces = { ...last, text: last.text.slice(kept.length), level }
  inks.splice(-1, 1, ...(kept === '' ? [] : [{ ...last, text: kept }]), spaces)
}

type LineBreaker = new (text: string) => { nextBreak(): { position: number } | null }

const load = createRequire(import.meta.url)
let LineBreaker: LineBreaker | undefined

/** A word of a script without spaces, cut where a line may break: not before a full stop, not after an opening bracket. [UAX #14] */
function splitUnspaced(word: string): string[] {
  // Loaded at the first such word. The package has no types.
  LineBreaker ??= load('linebreak') as LineBreaker
  const breaker = new LineBreaker(word)
  const pieces: string[] = []
  let from = 0
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    pieces.push(word.slice(from, next.position))
    from = next.position
  }
  return pieces
}
