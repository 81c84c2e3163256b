import { describe, expect, it } from '@jest/globals'
import { openFonts } from './fonts.js'

describe('the fonts of a document [evidence: the sealed PDF]', () => {
  it('map a glyph to the characters of this document only, whatever earlier documents contained', () => {
    const { forDocument } = openFonts()
    const drawn = (text: string) => forDocument().serif.layout(text).glyphs[0]!
    const [one, two] = [drawn('\uFB01'), drawn('fi')]
    expect(one.id).toBe(two.id)
    expect([one.codePoints, two.codePoints]).toEqual([[0xfb01], [0x66, 0x69]])
  })

  it('are decoded once for all documents', () => {
    const { forDocument } = openFonts()
    const headOf = () => (forDocument().serif as unknown as { head: object }).head
    expect(headOf()).toBe(headOf())
  })
})
