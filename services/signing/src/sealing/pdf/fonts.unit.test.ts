import { describe, expect, it } from '@jest/globals'
import { chooseHan, openFonts } from './fonts.js'

describe('the fonts of a document [evidence: the sealed PDF]', () => {
  it('map a glyph to the characters of this document only, whatever earlier documents contained', () => {
    const { forDocument } = openFonts()
    const drawn = (text: string) => forDocument('chinese').fontOf('serif').layout(text).glyphs[0]!
    const [one, two] = [drawn('\uFB01'), drawn('fi')]
    expect(one.id).toBe(two.id)
    expect([one.codePoints, two.codePoints]).toEqual([[0xfb01], [0x66, 0x69]])
  })

  it('are decoded once for all documents', () => {
    const { forDocument } = openFonts()
    const headOf = () => (forDocument('chinese').fontOf('serif') as unknown as { head: object }).head
    expect(headOf()).toBe(headOf())
  })
})

describe('other scripts [evidence 6]', () => {
  const { glyphs, fontOf } = openFonts().forDocument('chinese')
  const faceOf = (character: string, of = glyphs) => of.cut(character, 'serif').map(({ face }) => face)

  it('have faces of their own', () => {
    expect(['ع', 'ש', '漢', 'か', '。', '한', 'ー'].flatMap((each) => faceOf(each))).toEqual([
      'arabic',
      'hebrew',
      'chinese',
      'chinese',
      'chinese',
      'korean',
      'chinese',
    ])
  })

  it('show Han characters in the shapes of Japan or Korea if the text has other characters of that country', () => {
    expect(['直子', '直子です', '直子 씨'].map(chooseHan)).toEqual(['chinese', 'japanese', 'korean'])
    expect(faceOf('直', openFonts().forDocument('japanese').glyphs)).toEqual(['japanese'])
  })

  it('join Arabic letters, set them from the right, and keep one letter a glyph, so that copied text is the same', () => {
    const font = fontOf('arabic')
    const word = 'محمد'
    const { glyphs: set } = font.layout(word)
    expect(set.map(({ codePoints }) => String.fromCodePoint(...codePoints)).join('')).toBe(
      [...word].toReversed().join(''),
    )
    const alone = new Set([...word].map((letter) => font.layout(letter).glyphs[0]!.id))
    expect(set.some(({ id }) => alone.has(id))).toBe(false)
  })

  it('draw a bracket as its mirror image where text runs from right to left, and copy it as itself', () => {
    for (const face of ['arabic', 'hebrew'] as const) {
      const { glyphs: set } = fontOf(face).layout('(')
      const closing = openFonts().forDocument('chinese').glyphs
      expect(closing.cut(')', 'serif', face)).toMatchObject([{ face }])
      expect(set.map(({ codePoints }) => codePoints)).toEqual([[0x28]])
      expect(set[0]!.id).toBe(fontOf(face).glyphForCodePoint(0x29).id)
    }
  })
})
