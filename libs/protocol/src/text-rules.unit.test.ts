import { describe, expect, it } from '@jest/globals'
import { displayNameError, nameError, partyNameError, isMailAddress, isUnstorable, mailboxOf } from './text-rules.js'

describe('a mail address [D14]', () => {
  it.each(['a@b.co', "o'brien+x@example.test", 'a.b_c@sub.example.test', 'jane@exämple.test', 'JANE@EXAMPLE.TEST'])(
    'is accepted by isMailAddress: %j',
    (address) => {
      expect(isMailAddress(address)).toBe(true)
    },
  )
  it.each([
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a@@b.co',
    'a@b@c.co',
    'a b@c.co',
    'a@b..co',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    '"a"@b.co',
    'a(comment)@b.co',
    'jané@b.co',
    'a@b.co, c@d.co',
    'a@b.co\r\nBcc: x@y.co',
    '<a@b.co>',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@0x7f.1',
    'a@b.co/path',
    'a@b.co:25',
    'a@-b.co',
    'a@b_c.co',
    `a@${'b'.repeat(64)}.co`,
    'a@b.co\u0000',
    'a@\u202Eb.co',
    `${'a'.repeat(64)}@${Array(7).fill('ü'.repeat(24)).join('.')}.example`,
    `${'a'.repeat(65)}@b.co`,
    `a@${'b.'.repeat(126)}co`,
  ])('is rejected by isMailAddress: %j', (address) => {
    expect(isMailAddress(address)).toBe(false)
  })
  it('is the same mailbox in another case, and with the ASCII form of its domain', () => {
    expect(mailboxOf('Jane@EXÄMPLE.test')).toBe(mailboxOf('jane@xn--exmple-cua.test'))
  })
})

describe('text rules for names [D11, D14]', () => {
  it.each([
    'Jane Roe',
    'Hélène Côté',
    '李小龍',
    'محمد',
    'می\u200Cخواهم',
    'क्\u200Dष',
    "O'Brien-Smith (née X) & Co. №1",
    '👩',
  ])('accept %j', (name) => {
    expect(nameError(name, 200)).toBeUndefined()
  })
  it.each([
    '',
    'a\nb',
    'a\tb',
    'a\u0000b',
    'a\u202Eb',
    'a\u200Bb',
    'a\u200Db',
    '\u200Cab',
    'a\u2028b',
    'a\uFEFFb',
    'a\u2066b',
    'a\u{E0041}b',
    'a\u00ADb',
    'a\uD800b',
    'a\u0085b',
    '\u2800',
    '\u034F',
    'A\u034FB',
    '\u180B',
    '\uFFF0',
    '\uFFFF',
    '\u0301',
    'A\u{E0100}',
    '\u{1D173}x',
    '=?utf-8?q?x?=',
  ])('reject %j', (name) => {
    expect(nameError(name, 200)).toBeDefined()
  })
  it.each([
    'Booking.com B.V.',
    'Dr. A. B. Smith',
    'J.P. Morgan',
    'Acme Inc.',
    'jane@x.test',
    'Awww. Ltd.',
    'x.ai',
    'Paraph',
  ])('accept %j as a party', (name) => {
    expect(partyNameError(name, 200)).toBeUndefined()
  })
  it.each([
    'https://x.test',
    'Pay at ftp://x',
    'www.x.test',
    'see WWW.x',
    'ｗｗｗ．x.test',
    'www。x',
    '：／／x',
    'a\nb',
  ])('reject %j as a party', (name) => {
    expect(partyNameError(name, 200)).toBeDefined()
  })
  it('count code points, not UTF-16 units', () => {
    expect(nameError('👩'.repeat(100), 100)).toBeUndefined()
    expect(nameError('👩'.repeat(101), 100)).toBeDefined()
  })
  it.each([
    'Nordic Foods',
    'St. John & Sons Ltd.',
    'St.John',
    'J.R.Smith',
    'Viad Corp',
    'No. 1 Ltd.',
    'A.B.C. Inc.',
    'Avia',
    'Para Phones Ltd.',
    'Separa Photo',
    'P. A. Roe',
    'Para Ph\u00F6nix',
    'J.P.Morgan',
    'A.Ford',
    'S.p.A. Rossi',
    'Firma s.r.o.',
    'Viaduct \u03A1\u03BF\u03B4\u03BF\u03C2',
  ])('accept %j as a sender', (name) => {
    expect(displayNameError(name, 100)).toBeUndefined()
  })
  it.each([
    'billing@paypal.com',
    'Visit https://x.test',
    'www.x.test',
    'paypal.com',
    'Paraph',
    'PARAPH Support',
    'Páraph',
    'ＰＡＲＡＰＨ',
    'Nordic via',
    'via',
    'bit.ly/abc',
    'evil.xyz',
    'Pay at evil.shop/x',
    '1.2.3.4/login',
    'mailto:x',
    'x．com',
    'x。com',
    'foo＠bar',
    'Acme,via',
    'Acme (via',
    'P\u0430r\u0430ph',
    '\u1D18\u1D00\u0280\u1D00\u1D18\u029C',
    'P a r a p h',
    'P.A.R.A.P.H. Ltd.',
    'Par\u2010aph',
    'Para\u0440h Security',
    'bank[.]com',
    'bank (dot) com',
    '\u01A4araph',
    'Parap\u2C68',
    'PARAP\u2C67',
    'Par aph',
    'Par aph Support',
    '\u0440\u0430\u0433\u0430\u0440\u04BB',
    '\u0420\u0410R\u0410\u0420\u041D',
    'P4r4ph',
    'Acme v\u0456a',
    'Acme \u03BDia',
    'x.ai',
    'X.AI',
    'a.zip',
    'go.link',
    'j.bank',
  ])('reject %j as a sender', (name) => {
    expect(displayNameError(name, 100)).toBeDefined()
  })
})

it('the text rules detect text that cannot be stored: NUL and half a surrogate pair [D14]', () => {
  expect(isUnstorable('a\u0000')).toBe(true)
  expect(isUnstorable('\uD83D')).toBe(true)
  expect(isUnstorable('👩 \u0007 \u202E')).toBe(false)
})
