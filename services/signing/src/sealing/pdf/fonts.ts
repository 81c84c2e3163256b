// The fonts of the sealed PDF and the fallback from one to the next. [evidence: the sealed PDF]
// A character that no font has is printed as its number, never as an empty box.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

/** Serif for text that people wrote, sans for Paraph's own text, mono for machine-readable text. */
export type Style = 'serif' | 'serifBold' | 'sans' | 'sansBold' | 'mono'
type Face = Style | 'symbols'

const { resolve } = createRequire(import.meta.url)
const FILES: Record<Face, string> = {
  serif: '@expo-google-fonts/noto-serif/400Regular/NotoSerif_400Regular.ttf',
  serifBold: '@expo-google-fonts/noto-serif/700Bold/NotoSerif_700Bold.ttf',
  sans: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  sansBold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
  mono: '@expo-google-fonts/noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf',
  symbols: '@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf',
}
/** The faces to try for a character, in order. */
const FALLBACKS: Record<Style, readonly Face[]> = {
  serif: ['serif', 'sans', 'mono', 'symbols'],
  serifBold: ['serifBold', 'sansBold', 'mono', 'symbols'],
  sans: ['sans', 'mono', 'symbols'],
  sansBold: ['sansBold', 'mono', 'symbols'],
  mono: ['mono', 'sans', 'symbols'],
}

/** Consecutive characters of one face. */
export interface Piece {
  face: Face
  text: string
  /** True if `text` is numbers such as `[U+1F600]`, for characters that no face has and for marks without a letter. */
  isNumber: boolean
}

/** fontkit's internal cache of the decoded tables of a file. */
interface Tables {
  _tables?: unknown
}

const ofEach = <T>(make: (face: Face) => T): Record<Face, T> =>
  Object.fromEntries(Object.keys(FILES).map((face) => [face, make(face as Face)])) as Record<Face, T>

/** Call once per thread: decoding six fonts takes longer than rendering a short contract. */
export function openFonts() {
  const files = ofEach((face) => readFileSync(resolve(FILES[face])))
  const decoded = ofEach((face) => create(files[face]) as Font & Tables)
  return {
    glyphs: createGlyphs(decoded),
    /**
     * New font objects for one document. A glyph keeps the characters for which it was first used, and a PDF reader copies these
     * characters as text. Shared fonts would leak them between documents, so that documents share only the decoded tables.
     */
    forDocument: (): Record<Face, Font> =>
      ofEach((face) => Object.assign(create(files[face]) as Font, { _tables: decoded[face]._tables })),
  }
}

/** A letter with its marks. Marks beyond eight become clusters of their own, because they would cover other lines. */
const CLUSTER = /\P{M}\p{M}{0,8}|\p{M}/gsu
const LONE_MARK = /^\p{M}/u

/** `text` as clusters that a line break must not divide. */
export const splitClusters = (text: string): string[] => text.match(CLUSTER) ?? []

/** Finds the faces that draw a text. */
function createGlyphs(fonts: Record<Face, Font>) {
  const known = new Map<string, Face | null>()

  function faceOf(character: string, style: Style): Face | null {
    const key = style + character
    let face = known.get(key)
    if (face === undefined) {
      face = FALLBACKS[style].find((each) => fonts[each].hasGlyphForCodePoint(character.codePointAt(0)!)) ?? null
      known.set(key, face)
    }
    return face
  }

  /** Each character with its face; null if the character is printed as its number. */
  const facesOf = (text: string, style: Style): [character: string, face: Face | null][] =>
    splitClusters(text).flatMap((cluster) =>
      [...cluster].map((character): [string, Face | null] => [
        character,
        LONE_MARK.test(cluster) ? null : faceOf(character, style),
      ]),
    )

  return {
    /** `text` as pieces, in order and complete. */
    cut(text: string, style: Style): Piece[] {
      const pieces: Piece[] = []
      for (const [character, face] of facesOf(text, style)) {
        const isNumber = face === null
        const shown = isNumber ? numberOf(character) : character
        const last = pieces.at(-1)
        if (last && last.face === (face ?? style) && last.isNumber === isNumber) last.text += shown
        else pieces.push({ face: face ?? style, text: shown, isNumber })
      }
      return pieces
    },
    /** Counts the characters that are printed as their number; `example` is the first of them in that form. */
    countMissing(text: string, style: Style): { count: number; example: string } {
      const missing = facesOf(text, style).filter(([character, face]) => face === null && !isSpace(character))
      return { count: missing.length, example: missing[0] === undefined ? '' : numberOf(missing[0][0]) }
    },
  }
}

export type Glyphs = ReturnType<typeof createGlyphs>

const isSpace = (character: string): boolean => /\s/u.test(character)

const numberOf = (character: string): string =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`
