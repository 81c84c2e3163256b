// Reads mails as they arrive at an SMTP server, with a third-party parser: no name and no text adds a header, recipient, sender or markup.
import { mailDomainToAscii } from '@paraph/protocol/text-rules'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { composeMail, type Composed } from './contract-mail.js'
import type { MailKind } from '../database.js'
import { allowedMailData, allowedOwnerMail, forbiddenMailData } from '../../test/hostile-data-fixture.js'
import type { Look, MailData } from './mail-data.js'
import {
  mailDataFor,
  FROM_ADDRESS,
  MAIL_SETTINGS,
  sampleMailData,
  mailOf,
  OWNER_MAIL_NAMES,
  SENT_AT,
  SHARE_URL,
} from '../../test/mail-fixture.js'
import { sampleLook } from '../../test/sample-brand-fixture.js'
import { createMailer, type Mail, type Mailer } from '../smtp/mailer.js'
import type { OwnerMailData } from './mail-data.js'
import { composeOwnerMail } from './owner-mail.js'
import { startSmtpServer, type TestSmtpServer } from '../../test/smtp-fixture.js'
import { readSmtpUrl } from '../smtp/smtp-url.js'

const SEED = 20_261_120
const MAILS = 300
const CODE = '482913'
const KINDS: MailKind[] = ['invitation', 'code', 'cancelled', 'expired']
const REPORT_URL = `${MAIL_SETTINGS.shareBaseUrl}/help#report`
const FOR_DEVICES = `@sign.example.com #${CODE}`
const never = new AbortController().signal

type Random = () => number

let relay: TestSmtpServer
let mailer: Mailer

beforeAll(async () => {
  relay = await startSmtpServer()
  mailer = createMailer({
    smtp: readSmtpUrl(`smtp://127.0.0.1:${relay.port}`),
    fromAddress: FROM_ADDRESS,
    domain: MAIL_SETTINGS.mailDomain,
    connections: 2,
  })
})

afterAll(async () => {
  mailer.close()
  await relay.stop()
})

/** A mail with hostile names, and its expected properties. */
interface Sample {
  mail: Mail
  /** The same mail with ordinary names. */
  usual: Mail
  /** All external text that a person must be able to read in the mail. */
  names: string[]
  from: string
  to: { address: string; name: string }
  replyTo: string | undefined
  messageId: string
  /** Lines of the text part that consist of one link. */
  links: string[]
  /** Text that a mail program could turn into a link. */
  linkable: string[]
}

const aboutContracts = (random: Random, lookOf?: (index: number) => Look): Sample[] =>
  Array.from({ length: MAILS }, (_, index) => {
    const kind = KINDS[index % KINDS.length]!
    const allowed = mailDataFor(kind, allowedMailData(random))
    const data = lookOf ? { ...allowed, look: { ...lookOf(index), accountName: allowed.accountName } } : allowed
    const isCode = kind === 'code'
    const legalName = data.party.legalName.replace(/\p{Zs}+/gu, ' ')
    return {
      mail: mailOf(compose(kind, data)),
      usual: mailOf(compose(kind, plainly(data))),
      names: namesIn(kind, data),
      from: isCode ? 'Paraph' : `${data.senderName.replace(/\p{Zs}+/gu, ' ')} via Paraph`,
      to: { address: inAscii(data.party.email), name: /[@＠]/.test(legalName) ? '' : legalName },
      replyTo: isCode || data.replyAddress === null ? undefined : inAscii(data.replyAddress),
      messageId: `${kind}.contract-1-abc.3.1@${MAIL_SETTINGS.mailDomain}`,
      links: kind === 'invitation' ? [SHARE_URL, `${SHARE_URL}/report`] : [REPORT_URL],
      linkable: isCode ? [FOR_DEVICES] : [],
    }
  })

/** Half of them without a logo. */
const ofBrands = (random: Random): Sample[] =>
  aboutContracts(random, (index) =>
    index % (2 * KINDS.length) < KINDS.length ? sampleLook() : sampleLook({ logo: null }),
  )

const toOwners = (random: Random): Sample[] =>
  Array.from({ length: MAILS }, (_, index) => {
    const name = OWNER_MAIL_NAMES[index % OWNER_MAIL_NAMES.length]!
    const ownerMail = allowedOwnerMail(random, name)
    const { kind, id } = ownerMail
    const isRequest = kind === 'owner_invited' || (kind === 'code' && ownerMail.purpose === 'reply_address')
    return {
      mail: mailOf(composeOwnerMail(ownerMail, MAIL_SETTINGS)),
      usual: mailOf(composeOwnerMail(plainOwnerMail(ownerMail), MAIL_SETTINGS)),
      names: externalLines(ownerMail),
      from: 'Paraph',
      replyTo: undefined,
      to: { address: inAscii(ownerMail.to), name: '' },
      messageId: `${kind.replaceAll('_', '-')}.${id}@${MAIL_SETTINGS.mailDomain}`,
      links: [
        ...(kind === 'code' ? [] : [`${MAIL_SETTINGS.shareBaseUrl}/console`]),
        ...(isRequest ? [REPORT_URL] : []),
      ],
      linkable: kind === 'code' ? ['@sign.example.com #48291365'] : [],
    }
  })

describe.each([
  ['about contracts', (random: Random) => aboutContracts(random)],
  ['of accounts with a brand', ofBrands],
  ['to owners', toOwners],
])(`${MAILS} mails %s with hostile names, seed ${SEED}`, (_, samplesOf) => {
  let samples: Sample[]
  beforeAll(() => void (samples = samplesOf(createSeededRandom(SEED))))
  const arrived = async ({ mail }: { mail: Mail }) => {
    relay.mails.length = 0
    expect(await mailer.send(mail, never)).toEqual({ outcome: 'accepted' })
    expect(relay.mails).toHaveLength(1)
    return relay.mails[0]!
  }

  it('arrive with exactly our headers, our sender, one recipient and the intended text [D23, D24, ceremony: mails]', async () => {
    for (const sample of samples) {
      const { mail, usual, replyTo } = sample
      const { from, to, raw, parsed } = await arrived(sample)
      // The test server decodes IDNA domains.
      expect({ from, to: to.map(inAscii) }).toEqual({ from: FROM_ADDRESS, to: [sample.to.address] })
      expect(headerNames(raw)).toEqual(expectedHeaders(replyTo !== undefined))
      expect(raw).toMatch(/^(?:[\t\x20-\x7e]|\r\n)+$/)
      expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
      expect(parsed.from).toEqual({ address: FROM_ADDRESS, name: sample.from })
      expect(parsed.to).toEqual([sample.to])
      expect(parsed.cc ?? parsed.bcc ?? parsed.sender).toBeUndefined()
      expect(parsed.replyTo).toEqual(replyTo === undefined ? undefined : [{ address: replyTo, name: '' }])
      expect(parsed.messageId).toBe(`<${sample.messageId}>`)
      expect(parsed.subject).toBe(mail.subject)
      expect(parsed.subject).toBe(usual.subject)
      expect(parsed.text?.trimEnd()).toBe(mail.text.trimEnd())
      expect(parsed.html?.trimEnd()).toBe(mail.html.trimEnd())
      expect(parsed.attachments).toEqual([])
    }
  })

  if (samplesOf !== toOwners)
    it('contain in the text part no name that a mail program could turn into a link, and every name as it is read [D14]', async () => {
      for (const sample of samples) {
        const { mail, links, linkable, names } = sample
        const others = withoutTimes(mail.text)
          .split('\n')
          .filter((line) => ![...links, ...linkable].includes(line))
        expect(others.filter((line) => /[\p{L}\p{N}][.@][\p{L}\p{N}]|:\/\//u.test(line))).toEqual([])
        const read = ((await arrived(sample)).parsed.text ?? '')
          .replace(/[\u2060\u2068\u2069]/g, '')
          .replace(/\s/gu, '')
        for (const name of names) expect(read).toContain(name.replace(/[\s\u2068\u2069]/gu, ''))
      }
    })

  it('contain no markup, link or clickable address from a name [D14, ceremony: mails]', () => {
    for (const { mail, usual, names, linkable } of samples) {
      expect(tagsOf(mail.html)).toEqual(tagsOf(usual.html))
      const read = readable(mail.html)
      for (const name of names) expect(read).toContain(name.replace(/\s+/gu, ' ').trim())
      // A mail program may turn unbroken text into a link, so only the line for autofill, with our own host, has such text.
      const unbroken = withoutTimes(mail.html)
        .replace(/<(style|title|a)\b.*?<\/\1\s*>/gs, '')
        .split(/<[^>]*>/)
      const joined = unbroken.filter((text) => /[\p{L}\p{N}][.@][\p{L}\p{N}]/u.test(text))
      expect(joined.map((text) => text.trim())).toEqual(linkable)
    }
  })

  it('keep every line of text under 78 columns, every link unbroken, and every name in its own direction [RFC 5322 2.1.1, ceremony: mails]', () => {
    const graphemes = new Intl.Segmenter('en')
    // Isolates and word joiners take no column.
    const columnsOf = (line: string): number => [...graphemes.segment(line.replace(/[\u2060\u2068\u2069]/g, ''))].length
    for (const { mail, links } of samples) {
      const lines = mail.text.split('\n')
      const wide = lines.filter((line) => columnsOf(line) > 78)
      expect(wide.filter((line) => !links.includes(line))).toEqual([])
      expect(links.filter((link) => !lines.includes(link))).toEqual([])
      expect(lines.includes(SHARE_URL)).toBe(links.includes(SHARE_URL))
      // The only invisible characters are directional isolates (U+2068 and U+2069), which come in pairs on each line.
      expect(mail.text).not.toMatch(/[^\P{Cc}\n]|[^\P{Bidi_Control}\u2068\u2069]/u)
      for (const line of lines) {
        expect(line.match(/\u2068/g)?.length).toBe(line.match(/\u2069/g)?.length)
        // All right-to-left text is isolated, so it cannot reorder the text around it.
        expect(line.replace(/\u2068[^\u2069]*\u2069/g, '')).not.toMatch(
          /[\p{Script=Arabic}\p{Script=Hebrew}\u{10900}]/u,
        )
      }
    }
  })
})

it.each(KINDS)('the composer creates no %s mail from a value that the API refuses [D14, ceremony: mails]', (kind) => {
  const isSent = forbiddenMailData.filter(
    (data) => !('invalidField' in compose(kind, mailDataFor(kind, sampleMailData(data)))),
  )
  expect(isSent).toEqual([])
  expect(compose(kind, mailDataFor(kind, sampleMailData()), 'c\r\nBcc: x@y.co')).toEqual({ invalidField: 'contractId' })
})

it('the mailer adds no header and no recipient, whatever the names and addresses of the mail [D14]', async () => {
  const hostile = forbiddenMailData.flatMap(({ senderName, party, replyAddress }) => [
    senderName ?? party?.legalName ?? 'Jane',
    replyAddress ?? party?.email ?? 'jane@example.test',
  ])
  relay.mails.length = 0
  for (const text of new Set(hostile)) {
    await mailer.send(
      {
        messageId: `invitation.c.0.1@${MAIL_SETTINGS.mailDomain}`,
        fromName: `${text} via Paraph`,
        to: { name: text, address: text.includes('@') ? text : 'jane@example.test' },
        replyTo: undefined,
        subject: `Contract to sign ${text}`,
        text: `${text}\n`,
        html: `${text}\n`,
      },
      never,
    )
  }
  expect(relay.mails.length).toBeGreaterThan(10)
  for (const { from, to, raw, parsed } of relay.mails) {
    expect(from).toBe(FROM_ADDRESS)
    expect(to).toHaveLength(1)
    expect(headerNames(raw)).toEqual(expectedHeaders(false))
    expect(parsed.from?.address).toBe(FROM_ADDRESS)
    expect(parsed.from?.name).toMatch(/via Paraph$/)
  }
})

function compose(kind: MailKind, data: MailData, contractId = 'contract-1-abc'): Composed {
  return composeMail(
    { kind, contractId, partyIndex: 3, sendNumber: 1, code: kind === 'code' ? CODE : undefined, sentAt: SENT_AT },
    data,
    MAIL_SETTINGS,
  )
}

/** The same data with ordinary names. */
const plainly = (data: MailData): MailData => ({
  ...data,
  senderName: 'Nordic',
  accountName: 'Nordic',
  party: { ...data.party, role: 'Buyer', legalName: 'Jane' },
  ...(data.look && { look: { ...data.look, accountName: 'Nordic' } }),
})

const namesIn = (kind: MailKind, { senderName, accountName, party }: MailData): string[] =>
  kind === 'code' ? [accountName] : [senderName, accountName, party.role, party.legalName]

/** The fields of an owner mail with external text, each with an ordinary replacement. */
const PLAIN_TEXTS: Record<string, (text: string) => string> = {
  accountName: () => 'Nordic',
  keyName: () => 'Key',
  by: () => 'jane@example.test',
  reason: (reason) => reason.replace(/.+/g, 'Words.'),
}

/** The same owner mail with ordinary text. */
const plainOwnerMail = (ownerMail: OwnerMailData): OwnerMailData =>
  JSON.parse(JSON.stringify(ownerMail), (key, value: unknown) =>
    typeof value === 'string' ? (PLAIN_TEXTS[key]?.(value) ?? value) : value,
  ) as OwnerMailData

/** Each line of the external text of an owner mail. */
function externalLines(ownerMail: OwnerMailData): string[] {
  const lines: string[] = []
  JSON.stringify(ownerMail, (key, value: unknown) => {
    if (typeof value === 'string' && key in PLAIN_TEXTS) lines.push(...value.split('\n'))
    return value
  })
  return lines
}

/** The names of the mail's headers, unfolded: lower case, sorted, with duplicates. */
function headerNames(raw: string): string[] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return lines.map((line) => /^([!-9;-~]+):/.exec(line)?.[1]?.toLowerCase() ?? `not a header: ${line}`).sort()
}

const expectedHeaders = (withReplyTo: boolean): string[] => [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  ...(withReplyTo ? ['reply-to'] : []),
  'subject',
  'to',
  'x-auto-response-suppress',
]

function inAscii(address: string): string {
  const [local, domain] = address.split('@') as [string, string]
  return `${local}@${mailDomainToAscii(domain)}`
}

/** Every tag with its attributes but the name of a logo, in order, without each `<span>`, which keeps a name from becoming a link. */
const tagsOf = (markup: string): string[] =>
  [...markup.matchAll(/<[^>]*>/g)]
    .map(([tag]) => tag.replace(/\salt="[^"]*"/, ''))
    .filter((tag) => !/^<\/?span>$/.test(tag))

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The text without our own "a.m." and "p.m.", which are no host names. */
const withoutTimes = (text: string): string => text.replace(/(?<=\d\u00A0)[ap]\.m\./g, '')

/** The visible text. */
const readable = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (entity, key: string) => ENTITIES[key] ?? entity)
    .replace(/\s+/gu, ' ')
