// The fonts of the sealed PDF, and which of them has a letter. [evidence: the sealed PDF]
// Owns: the files, the order in which they are asked. What none of them has is printed as its number, never as an empty box.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

/** Serif is what people wrote, sans is what Paraph says, mono is what machines read. */
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
/** Asked one after the other for a letter that the style's own face lacks. */
const INSTEAD: Record<Style, readonly Face[]> = {
  serif: ['serif', 'sans', 'mono', 'symbols'],
  serifBold: ['serifBold', 'sansBold', 'mono', 'symbols'],
  sans: ['sans', 'mono', 'symbols'],
  sansBold: ['sansBold', 'mono', 'symbols'],
  mono: ['mono', 'sans', 'symbols'],
}

/** Letters of one face in a row. */
export interface Piece {
  face: Face
  text: string
  /** Stands for characters that no face has, or that cannot stand there: `[U+1F600]`. */
  isNumber: boolean
}

/** fontkit's own: what it decoded of the file so far. */
interface Tables {
  _tables?: unknown
}

const ofEach = <T>(make: (face: Face) => T): Record<Face, T> =>
  Object.fromEntries(Object.keys(FILES).map((face) => [face, make(face as Face)])) as Record<Face, T>

/** To be opened once for each thread that renders: decoding six fonts takes longer than a short contract. */
export function openFonts() {
  const files = ofEach((face) => readFileSync(resolve(FILES[face])))
  const decoded = ofEach((face) => create(files[face]) as Font & Tables)
  return {
    glyphs: createGlyphs(decoded),
    /**
     * The fonts for one document alone: a glyph keeps the characters that it stood for first, and a PDF says them to whoever copies
     * its text. Shared is what was decoded of the files, which knows of no text.
     */
    forDocument: (): Record<Face, Font> =>
      ofEach((face) => Object.assign(create(files[face]) as Font, { _tables: decoded[face]._tables })),
  }
}

/** A letter with its marks. More marks than any language piles up stand alone: they would cover the lines around them. */
const CLUSTER = /\P{M}\p{M}{0,8}|\p{M}/gsu
const LONE_MARK = /^\p{M}/u

/** `text` in parts that belong together on a line. */
export const splitClusters = (text: string): string[] => text.match(CLUSTER) ?? []

/** Says for each text which faces draw it. */
function createGlyphs(fonts: Record<Face, Font>) {
  const known = new Map<string, Face | null>()

  function faceOf(character: string, style: Style): Face | null {
    const key = style + character
    let face = known.get(key)
    if (face === undefined) {
      face = INSTEAD[style].find((each) => fonts[each].hasGlyphForCodePoint(character.codePointAt(0)!)) ?? null
      known.set(key, face)
    }
    return face
  }

  /** Each character with the face that draws it; null for one that is printed as its number. */
  const facesOf = (text: string, style: Style): [character: string, face: Face | null][] =>
    splitClusters(text).flatMap((cluster) =>
      [...cluster].map((character): [string, Face | null] => [
        character,
        LONE_MARK.test(cluster) ? null : faceOf(character, style),
      ]),
    )

  return {
    /** `text` as pieces, in order; nothing is left out. */
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
    /** How many characters of `text` are printed as their number, and the first of them as it is printed. */
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
