// The fonts of the signed PDF and the fallback from one to the next. [evidence: the sealed PDF]
// A character that no font has is printed as its number, never as an empty box.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import { mirrorOf } from './bidi.js'

/** Serif for text that people wrote, sans for Paraph's own text, mono for machine-readable text. */
export type Style = 'serif' | 'serifBold' | 'sans' | 'sansBold' | 'mono'
/** A face of letters that run from right to left. */
export type RtlFace = 'arabic' | 'hebrew'
/** The shapes of Han characters differ between these languages. */
export type HanFace = 'chinese' | 'japanese' | 'korean'
export type Face = Style | 'symbols' | RtlFace | HanFace

const { resolve } = createRequire(import.meta.url)
const FILES: Record<Face, string> = {
  serif: '@expo-google-fonts/noto-serif/400Regular/NotoSerif_400Regular.ttf',
  serifBold: '@expo-google-fonts/noto-serif/700Bold/NotoSerif_700Bold.ttf',
  sans: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  sansBold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
  mono: '@expo-google-fonts/noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf',
  symbols: '@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf',
  // Amiri draws one glyph for each letter. Noto Sans Arabic draws dots and letters apart and joins lam and alef, so that a reader that copies
  // text from the PDF gets other letters.
  arabic: '@expo-google-fonts/amiri/400Regular/Amiri_400Regular.ttf',
  hebrew: '@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
  chinese: '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  japanese: '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
  korean: '@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf',
}
/** The faces to try for a character, in order. */
const FALLBACKS: Record<Style, readonly Face[]> = {
  serif: ['serif', 'sans', 'mono', 'symbols'],
  serifBold: ['serifBold', 'sansBold', 'mono', 'symbols'],
  sans: ['sans', 'mono', 'symbols'],
  sansBold: ['sansBold', 'mono', 'symbols'],
  mono: ['mono', 'sans', 'symbols'],
}
const ARABIC = /[\u0600-\u06FF\u0750-\u077F\u0870-\u08FF\uFB50-\uFDFF\uFE70-\uFEFC]/u
const HEBREW = /[\u0590-\u05FF\uFB1D-\uFB4F]/u
const HANGUL = /[\u1100-\u11FF\u3130-\u318F\uA960-\uA97F\uAC00-\uD7FF]/u
/** Han, kana, their punctuation, and forms as wide as they are. */
const HAN = /[\u2E80-\u312F\u3190-\u9FFF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEF\u{1AFF0}-\u{1B16F}\u{20000}-\u{3FFFF}]/u

/** The OpenType tags of the scripts that run from right to left. */
const RTL_SCRIPT: Record<RtlFace, string> = { arabic: 'arab', hebrew: 'hebr' }
export const isRtlFace = (face: Face): face is RtlFace => face in RTL_SCRIPT
/** True for the faces of other scripts, which have no bold. */
export const isOfOtherScript = (face: Face): boolean => !(face in FALLBACKS) && face !== 'symbols'

/** Amiri draws smaller letters than the other fonts. */
export const scaleOf = (face: Face): number => (face === 'arabic' ? 1.2 : 1)

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

interface Opened {
  file: Buffer
  decoded: Font & Tables
}

/**
 * Call once per thread: decoding the fonts takes longer than rendering a short contract. Opens a font at its first use, because the fonts of
 * other scripts take 22 MB.
 */
export function openFonts() {
  const opened = new Map<Face, Opened>()
  function open(face: Face): Opened {
    let font = opened.get(face)
    if (!font) {
      const file = readFileSync(resolve(FILES[face]))
      font = { file, decoded: create(file) as Font & Tables }
      opened.set(face, font)
    }
    return font
  }
  const glyphsOf = new Map<HanFace, Glyphs>()
  function glyphsFor(han: HanFace): Glyphs {
    const glyphs = glyphsOf.get(han) ?? createGlyphs((face) => open(face).decoded, han)
    glyphsOf.set(han, glyphs)
    return glyphs
  }

  return {
    /** @param han the face to prefer for Han characters */
    forDocument: (han: HanFace) => ({
      glyphs: glyphsFor(han),
      /**
       * A new font object for one document. A glyph keeps the characters for which it was first used, and a PDF reader copies these
       * characters as text. Shared fonts would leak them between documents, so that documents share only the decoded tables.
       */
      fontOf(face: Face): Font {
        const { file, decoded } = open(face)
        const font = Object.assign(create(file) as Font, { _tables: decoded._tables })
        return isRtlFace(face) ? setFromRight(font, decoded, RTL_SCRIPT[face]) : font
      },
    }),
  }
}

/**
 * Makes `font` set every text from right to left. fontkit would decide by the letters of each piece: a piece of brackets or digits has none.
 * A bracket is drawn as its mirror image and copied as itself.
 * @param decoded the same font, whose glyphs are not drawn
 */
function setFromRight(font: Font, decoded: Font, script: string): Font {
  const layout = font.layout.bind(font)
  font.layout = (text) => {
    const glyphs = [...text].map((character) => {
      const shown = [mirrorOf(character), character].map((each) => decoded.glyphForCodePoint(each.codePointAt(0)!).id)
      return font.getGlyph(shown.find((id) => id > 0) ?? 0, [character.codePointAt(0)!])
    })
    // fontkit also accepts glyphs; its types accept only text. `rtlm` would mirror a second time.
    return layout(glyphs as unknown as string, { rtlm: false }, script, undefined, 'rtl')
  }
  return font
}

/** The face for spaces and brackets of a text that runs from right to left. */
export function chooseRtl(text: string): RtlFace | undefined {
  if (ARABIC.test(text)) return 'arabic'
  return HEBREW.test(text) ? 'hebrew' : undefined
}

/** The face for the Han characters of a text, by its other characters. */
export function chooseHan(text: string): HanFace {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'japanese'
  return /\p{Script=Hangul}/u.test(text) ? 'korean' : 'chinese'
}

/** A letter with its marks. Marks beyond eight become clusters of their own, because they would cover other lines. */
const CLUSTER = /\P{M}\p{M}{0,8}|\p{M}/gsu
const LONE_MARK = /^\p{M}/u

/** `text` as clusters that a line break must not divide. */
export const splitClusters = (text: string): string[] => text.match(CLUSTER) ?? []

/** Finds the faces that draw a text. */
function createGlyphs(fontOf: (face: Face) => Font, han: HanFace) {
  const known = new Map<string, Face | null>()

  function faceOf(character: string, style: Style, rtl: RtlFace | undefined): Face | null {
    const key = rtl === undefined ? style + character : rtl + style + character
    let face = known.get(key)
    if (face === undefined) {
      const faces = [...(rtl === undefined ? [] : [rtl]), ...FALLBACKS[style], ...facesOfScript(character, han)]
      face = faces.find((each) => fontOf(each).hasGlyphForCodePoint(character.codePointAt(0)!)) ?? null
      known.set(key, face)
    }
    return face
  }

  /** Each character with its face; null if the character is printed as its number. */
  const facesOf = (text: string, style: Style, rtl?: RtlFace): [character: string, face: Face | null][] =>
    splitClusters(text).flatMap((cluster) =>
      [...cluster].map((character): [string, Face | null] => [
        character,
        LONE_MARK.test(cluster) ? null : faceOf(character, style, rtl),
      ]),
    )

  return {
    /**
     * `text` as pieces, in order and complete.
     * @param rtl the face to prefer where the text runs from right to left, also for spaces and brackets
     */
    cut(text: string, style: Style, rtl?: RtlFace): Piece[] {
      const pieces: Piece[] = []
      for (const [character, face] of facesOf(text, style, rtl)) {
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

/** The faces that may have a character of another script. Opens no face for other characters, such as an emoji that no face has. */
function facesOfScript(character: string, han: HanFace): readonly Face[] {
  if (ARABIC.test(character)) return ['arabic']
  if (HEBREW.test(character)) return ['hebrew']
  if (HANGUL.test(character)) return ['korean']
  return HAN.test(character) ? [han, 'chinese', 'japanese', 'korean'] : []
}

const isSpace = (character: string): boolean => /\s/u.test(character)

const numberOf = (character: string): string =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`
