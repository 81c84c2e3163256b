import { expect, it } from '@jest/globals'
import PostalMime from 'postal-mime'
import { cutAtBlanks, encodeWords } from './encoded-words.js'

const NAMES = [
  'شركة الأغذية الشمالية المحدودة via Paraph',
  'יעל כהן (Yael Cohen) 3',
  'Contract to sign: Non-disclosure agreement / Contrat à signer',
  'Tout le monde a signé\u00A0: Entente de confidentialité',
  'Société québécoise  des   pêcheries, "Élan" via Paraph',
  '北方食品有限公司 采购部 via Paraph',
  'a_b=c? é',
]
/** Words that no encoded word can hold. */
const LONG = ['Donaudampfschifffahrtsgesellschaft'.repeat(5) + ' é', '株式会社'.repeat(30), '👩‍👩‍👧'.repeat(20)]

const wordsOf = (encoded: string): string[] => encoded.split(' ')

function decode(word: string): string {
  const [, encoding, payload = ''] = /^=\?UTF-8\?([QB])\?([^ ?]+)\?=$/.exec(word) ?? []
  if (encoding === 'B') return Buffer.from(payload, 'base64').toString()
  const bytes = payload
    .replaceAll('_', ' ')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

it.each(NAMES)('no encoded word of "%s" ends inside a word [RFC 2047]', (text) => {
  const words = wordsOf(encodeWords(text)).map(decode)
  expect(words.join('')).toBe(text)
  for (const word of words.slice(0, -1)) expect(word).toMatch(/\S +$/)
})

it('a longer word is cut between characters, and every encoded word is within the limit of 75 [RFC 2047, section 2]', () => {
  for (const text of [...NAMES, ...LONG]) {
    const words = wordsOf(encodeWords(text))
    expect(words.map(decode).join('')).toBe(text)
    expect(words.filter((word) => `Subject: ${word}`.length > 76)).toEqual([])
    expect(words.map(decode).join('')).not.toContain('\uFFFD')
  }
})

it('another parser reads the text as it was, as a name and as a subject', async () => {
  for (const text of [...NAMES, ...LONG]) {
    const encoded = wordsOf(encodeWords(text)).join('\r\n ')
    const { from, subject } = await PostalMime.parse(
      `From: ${encoded} <sign@mail.paraph.example>\r\nSubject: ${encoded}\r\n\r\n`,
    )
    expect([from?.name, subject]).toEqual([text, text])
  }
})

it('only the given texts are encoded anew, and only if they need an encoding', () => {
  const message = {
    encodeHeaderValue: (key: string, value: string) => (key === 'To' ? `<${value}> x@y.test` : `<${value}>`),
  }
  cutAtBlanks(message as never, [{ name: 'Élan vital' }, 'Jane Roe', undefined, 'a\nÉ'])
  expect(message.encodeHeaderValue('To', 'Élan vital')).toBe('=?UTF-8?Q?=C3=89lan_vital?= x@y.test')
  for (const value of ['Jane Roe', 'a\nÉ', 'Éric'])
    expect(message.encodeHeaderValue('Subject', value)).toBe(`<${value}>`)
})
