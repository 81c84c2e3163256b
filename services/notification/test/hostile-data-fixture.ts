// Mail data for the property tests: unusual names and addresses that the API accepts, and values that it refuses.
// A seed makes every value reproducible.
import { displayNameError, nameError, isMailAddress, partyNameError } from '@paraph/protocol/text-rules'
import type { MailData } from '../src/compose/mail-data.js'
import { sampleMailData, OWNER_MAIL_NAMES, sampleOwnerMail, SHARE_URL, type OwnerMailName } from './mail-fixture.js'
import type { OwnerMailData } from '../src/compose/mail-data.js'

/** Numbers in [0, 1). */
type Random = () => number

const pick = <T>(random: Random, choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T

/** Valid parts of names that test headers, quoting, encoding, markup, links and text directions. */
const FRAGMENTS = [
  'Nordic',
  'Foods',
  'Ltd.',
  'Inc.',
  'and',
  'Jane',
  'Roe',
  'via',
  'e',
  '1',
  ' ',
  '  ',
  '\u00A0',
  '\u3000',
  '-',
  '_',
  '"',
  "'",
  '\\',
  '`',
  '${1}',
  '(',
  ')',
  '<',
  '>',
  '<b>',
  '</td>',
  '<!--',
  '-->',
  '&',
  '&lt;',
  '&#13;',
  '&#60;',
  ';',
  ',',
  '=',
  '?',
  '=3D',
  '=0D=0A',
  '?=',
  '%0d%0a',
  'Bcc:',
  'To:',
  'Subject:',
  ':',
  '--',
  '----=_Part',
  '.',
  '..',
  '#',
  '*',
  '|',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '<a href="//x">',
  ']]>',
  '{{',
  '/*',
  '*/',
  '}',
  'Hélène',
  'Côté',
  'İ',
  'ß',
  'ﬁ',
  'Ωμέγα',
  'Жанна',
  '李小龍',
  '株式会社',
  '주식회사',
  'ไทย',
  'e\u0301\u0327\u0323',
  'شركة',
  'می\u200Cخواهم',
  'יעל',
  'कंपनी',
  'क्\u200Dष',
  '👩',
  '🖋️',
  '🇨🇦',
  '𝐉',
  '𐤀',
  '’',
  '“',
  '…',
  '№',
  '½',
]
/** Valid in a legal name, because companies have such names. */
const ADDRESS_LIKE = [
  '@',
  'ceo@bank.example',
  'www.evil.example',
  'Booking.com',
  'https://evil.example/pay',
  '＠',
  '。',
]

const LOCAL_PARTS = ['jane', 'jane.roe', "o'brien+x", '#!$%&*/?^`{|}~', 'x'.repeat(64), 'JANE', 'a=b', '=utf-8']
const DOMAINS = [
  'example.com',
  'exämple.test',
  'sub.例え.テスト',
  'EXAMPLE.TEST',
  'xn--exmple-cua.test',
  'مثال.example',
]

/** Mail data that the API accepts. */
export function allowedMailData(random: Random): MailData {
  const displayName = () => allowedName(random, 100, displayNameError, FRAGMENTS)
  const name = (codePointsMax: number) =>
    allowedName(random, codePointsMax, partyNameError, random() < 0.3 ? [...FRAGMENTS, ...ADDRESS_LIKE] : FRAGMENTS)
  return sampleMailData({
    environment: pick(random, ['production', 'sandbox']),
    language: pick(random, ['en', 'fr', 'en+fr']),
    timeZone: pick(random, ['UTC', 'America/Toronto', 'Nowhere/Unknown\r\nBcc: x@x.test']),
    senderName: displayName(),
    accountName: displayName(),
    partyCount: 2 + Math.floor(random() * 49),
    party: {
      role: name(100),
      legalName: name(200),
      email: allowedAddress(random),
      hasSigned: false,
      hasDeclined: false,
    },
    remindsParties: true,
    replyAddress: random() < 0.5 ? null : allowedAddress(random),
  })
}

/** An owner mail with values that the console and the command line accept. */
export function allowedOwnerMail(random: Random, name: OwnerMailName): OwnerMailData {
  const common = { ...sampleOwnerMail(name, pick(random, ['en', 'fr', 'en+fr'])), to: allowedAddress(random) }
  const accountName = allowedName(random, 100, displayNameError, FRAGMENTS)
  const anyName = (codePointsMax: number) =>
    allowedName(random, codePointsMax, nameError, [...FRAGMENTS, ...ADDRESS_LIKE])
  switch (common.kind) {
    case 'code':
      return common.purpose === 'reply_address' ? { ...common, accountName } : common
    case 'application_approved':
    case 'brand_approved':
    case 'webhook_disabled':
      return { ...common, data: { accountName } }
    case 'invitation_refused':
    case 'party_declined':
    case 'contract_completed':
      return { ...common, data: { ...common.data, accountName } }
    case 'invitations_refused':
      return { ...common, data: { ...common.data, accountName } }
    case 'daily_summary':
      return { ...common, data: { ...common.data, accountName } }
    case 'application_refused':
    case 'brand_refused': {
      const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, () => anyName(200))
      return { ...common, data: { accountName, reason: lines.join('\n') } }
    }
    case 'key_created':
    case 'key_revoked': {
      const by = common.data.by === null ? null : allowedAddress(random)
      return { ...common, data: { ...common.data, accountName, keyName: anyName(100), by } }
    }
    case 'owner_invited':
      return { ...common, data: { accountName, by: allowedAddress(random), role: common.data.role } }
    case 'account_exported':
      return { ...common, data: { accountName, by: allowedAddress(random) } }
    case 'codes_locked':
    case 'new_browser':
    case 'sign_in_changed':
      return common
    case 'owner_new_browser':
      return { ...common, data: { ...common.data, accountName, owner: allowedAddress(random) } }
    case 'passkeys_reset': {
      const by = common.data.by === null ? null : allowedAddress(random)
      return { ...common, data: { owner: allowedAddress(random), by } }
    }
    case 'owners_changed': {
      const [owner, other] = [allowedAddress(random), allowedAddress(random)]
      const { change, role, by, owner: sample } = common.data
      return { ...common, data: { accountName, change, role, owner, by: by === sample ? owner : other } }
    }
    case 'reply_address_changed': {
      const address = common.data.address === null ? null : allowedAddress(random)
      return { ...common, data: { accountName, by: allowedAddress(random), address } }
    }
    case 'erasure_requested':
      return { ...common, data: { ...common.data, accountName, by: allowedAddress(random) } }
  }
}

function allowedName(
  random: Random,
  codePointsMax: number,
  faultOf: (name: string, codePointsMax: number) => string | undefined,
  fragments: string[],
): string {
  for (;;) {
    const count = 1 + Math.floor(random() * (random() < 0.2 ? 60 : 6))
    const name = Array.from({ length: count }, () => pick(random, fragments))
      .join('')
      .trim()
    // Cuts a long name to the maximum length.
    const cut = [...name].slice(0, codePointsMax).join('').trim()
    if (faultOf(cut, codePointsMax) === undefined) return cut
  }
}

function allowedAddress(random: Random): string {
  for (;;) {
    const address = `${pick(random, LOCAL_PARTS)}@${pick(random, DOMAINS)}`
    if (isMailAddress(address)) return address
  }
}

const party = (overrides: Partial<MailData['party']>): Partial<MailData> => ({
  party: { ...sampleMailData().party, ...overrides },
})
const instead = <Key extends keyof MailData>(key: Key, value: unknown): Partial<MailData> => ({ [key]: value })

const NEVER_IN_A_NAME = [
  '',
  ' ',
  ' Jane',
  'Jane\r\nBcc: all@example.test',
  'Jane\nX-Injected: 1',
  'Jane\rRoe',
  'Jane\u0000Roe',
  'Jane\tRoe',
  'Jane\u2028Subject: x',
  'Jane\u0085',
  '\u202Egnp.exe',
  'Jane\u2066\u2069',
  'Ja\u200Bne',
  '\uFEFFJane',
  'Ja\u00ADne',
  'Jane \u{E0041}',
  'Jane\uD800',
  '=?utf-8?q?Bcc=3A_x?=',
  '\u3164',
  'x'.repeat(201),
]
const NEVER_A_PARTY = ['https://evil.example', 'www.evil.example']
const NEVER_A_SENDER = [
  'billing@paypal.com',
  'Nordic＠Foods',
  'https://evil.example',
  'www.evil.example',
  'evil.example',
  '10.0.0.1',
  'Paraph',
  'PÁRAPH Support',
  'Ｐａｒａｐｈ',
  'Nordic via',
  'x'.repeat(101),
]
const NEVER_AN_ADDRESS = [
  '',
  'jane',
  'jane@example',
  'a@b.co, c@d.co',
  'a@b.co; c@d.co',
  'a@b.co c@d.co',
  'a@b@c.co',
  '<a@b.co>',
  'Eve <a@b.co>',
  '"a b"@b.co',
  'a(x)@b.co',
  'a@b.co\r\nBcc: x@y.co',
  'a@b.co\nRCPT TO:<x@y.co>',
  'a@b.co\u0000',
  'a@[127.0.0.1]',
  'undisclosed: a@b.co;',
  'jané@b.co',
  'a@\u202Eb.co',
  `${'a'.repeat(65)}@b.co`,
  ' a@b.co',
  'a@b.co ',
  'a@b.co>',
]

/** Mail data that only a broken contract service could provide: each with one invalid field. */
export const forbiddenMailData: Partial<MailData>[] = [
  ...NEVER_IN_A_NAME.flatMap((name) => [
    { senderName: name },
    { accountName: name },
    party({ role: name }),
    party({ legalName: name }),
  ]),
  ...NEVER_A_PARTY.flatMap((name) => [party({ role: name }), party({ legalName: name })]),
  ...NEVER_A_SENDER.flatMap((name) => [{ senderName: name }, { accountName: name }]),
  ...NEVER_AN_ADDRESS.flatMap((email) => [party({ email }), { replyAddress: email }]),
  ...['', 'EXT-1', 'EXT-20261120-7KQ4MXTA\r\nBcc: x@y.co', '<b>'].map((number) => ({ contractNumber: number })),
  ...[
    `https://evil.example/contract/${'A'.repeat(43)}`,
    'https://sign.example.com.evil.example/contract/x',
    `https://sign.example.com/contract/../pay/${'A'.repeat(43)}`,
    'javascript:alert(1)',
    `${SHARE_URL}A`,
    `${SHARE_URL}"><b>`,
    `${SHARE_URL}\r\nBcc: x@y.co`,
  ].map((shareUrl) => ({ shareUrl })),
  instead('senderName', undefined),
  instead('accountName', { toString: 'x' }),
  instead('replyAddress', ['a@b.co', 'c@d.co']),
  instead('contractType', 'lease'),
  instead('language', 'de'),
  instead('expiresAt', 'soon'),
  instead('cancelledAt', 'yesterday'),
  instead('partyCount', '2<b>'),
]

/** Not refused, unlike in a name: line breaks, and text that has a meaning only in mail headers. */
const NEVER_IN_A_REASON = [
  '',
  ' ',
  ' Why',
  'Why\r\nBcc: all@example.test',
  'Why\rnot',
  'Why\u0000',
  'Why\tnot',
  'Why\u2028not',
  '\u202Egnp.exe',
  'Wh\u200By',
  'Why\nWh\u00ADy',
  'Why\uD800',
  '\u3164',
  'x'.repeat(1_001),
]
const NEVER_A_HINT = [
  '',
  'sk_live',
  'paraph_live_9fQ2',
  'paraph_live_9fQ2…w4Xz\n',
  `paraph_live_${'a'.repeat(38)}`,
  '<b>',
]

/** Owner mails that only a broken gateway could push: each with one invalid field, and the name of that field. */
export const forbiddenOwnerMails: { mail: OwnerMailData; invalidField: string }[] = OWNER_MAIL_NAMES.flatMap((name) => {
  const mail = sampleOwnerMail(name)
  const isAbout = 'data' in mail
  const values: Record<string, unknown> = isAbout ? mail.data : mail
  const wrong = (key: string, value: unknown, path = key) => [
    { mail: { ...mail, [key]: value } as OwnerMailData, invalidField: path },
  ]
  const wrongValues = (key: string, each: readonly unknown[]) =>
    !(key in values)
      ? []
      : each.flatMap((value) =>
          isAbout ? wrong('data', { ...mail.data, [key]: value }, `data.${key}`) : wrong(key, value),
        )
  return [
    ...['', 'c\r\nBcc: x@y.co', 'contract-1'].flatMap((id) => wrong('id', id)),
    ...NEVER_AN_ADDRESS.flatMap((to) => wrong('to', to)),
    ...wrong('language', 'de'),
    ...wrong('kind', 'advertisement'),
    ...wrongValues('accountName', [...NEVER_IN_A_NAME, ...NEVER_A_SENDER, undefined, { toString: 'x' }]),
    ...wrongValues('keyName', [...NEVER_IN_A_NAME, 'x'.repeat(101), undefined]),
    ...wrongValues('keyHint', NEVER_A_HINT),
    ...wrongValues('by', [...NEVER_AN_ADDRESS, undefined, 'the operator']),
    ...wrongValues('reason', [...NEVER_IN_A_REASON, null]),
    ...wrongValues('code', ['', '482913', '48291x', '48291365\r\n', '４８２９１３']),
    ...wrongValues('purpose', ['pay']),
    ...wrongValues('network', ['', 'https://evil.example/24', '203.0.113.0', '203.0.113.0/24 ', null]),
  ]
})
