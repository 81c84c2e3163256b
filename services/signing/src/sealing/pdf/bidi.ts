// The order of text in which lines run from right to left, or hold words and numbers of the other direction. PURE. [UAX #9]
import { createRequire } from 'node:module'
import type { Bidi } from 'bidi-js'

/** Anything with a place in a line: an odd level runs from right to left. */
interface Placed {
  level: number
}

/** The levels of one block of text. */
export interface Levels {
  /** The level of each UTF-16 unit. */
  levels: Uint8Array
  /** True if the lines run from right to left. */
  isRtl: boolean
}

/** The characters of Hebrew, Arabic and the other scripts that run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const load = createRequire(import.meta.url)
let loaded: Bidi | undefined
/** Loaded at the first text that needs it. The types describe a module; Node finds the same function without its name. */
const bidi = (): Bidi => (loaded ??= (load('bidi-js') as () => Bidi)())

/** The levels of a block; undefined if it runs from left to right throughout. Its first letter decides the direction, as `dir="auto"` does. */
export function readLevels(text: string): Levels | undefined {
  if (!RIGHT_TO_LEFT.test(text)) return undefined
  const isRtl = RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? '')
  return { levels: bidi().getEmbeddingLevels(text, isRtl ? 'rtl' : 'ltr').levels, isRtl }
}

/** The character to draw where text runs from right to left: an opening bracket opens to the left. */
export const mirrorOf = (character: string): string => bidi().getMirroredCharacter(character) ?? character

/** The pieces of a line from left to right. [UAX #9 L2] */
export function inVisualOrder<T extends Placed>(pieces: readonly T[]): readonly T[] {
  if (pieces.every(({ level }) => level === 0)) return pieces
  const highest = Math.max(...pieces.map(({ level }) => level))
  const ordered = [...pieces]
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      const length = ordered.slice(from).findIndex((piece) => piece.level < level)
      const to = length === -1 ? ordered.length : from + length
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = to
    }
  }
  return ordered
}
