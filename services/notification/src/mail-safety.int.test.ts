// What arrives at a mail server, read by a parser that is not ours: no name and no text adds a header, a recipient, a sender or markup.
import { mailDomainToAscii } from '@paraph/protocol/text-rules'
import { createSeededRandom } from '@paraph/service/seeded-random-fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeMail, type Composed } from './compose-mail.js'
import type { MailKind } from './database.js'
import { allowedFacts, forbiddenFacts } from './hostile-facts-fixture.js'
import type { MailFacts } from './mail-facts.js'
import { factsFor, FROM_ADDRESS, MAIL_SETTINGS, mailFacts, mailOf, SHARE_URL } from './mail-fixture.js'
import { createMailer, type Mail, type Mailer } from './mailer.js'
import { startRelay, type TestRelay } from './smtp-fixture.js'
import { readSmtpUrl } from './smtp-url.js'

const SEED = 20_261_120
const MAILS = 300
const CODE = '482913'
const KINDS: MailKind[] = ['invitation', 'code', 'cancelled', 'expired']
const never = new AbortController().signal

let relay: TestRelay
let mailer: Mailer

beforeAll(async () => {
  relay = await startRelay()
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

describe(`${MAILS} mails with names as odd as the API lets them be, seed ${SEED}`, () => {
  const random = createSeededRandom(SEED)
  const samples = Array.from({ length: MAILS }, (_, index) => {
    const kind = KINDS[index % KINDS.length]!
    const facts = factsFor(kind, allowedFacts(random))
    return { kind, facts, mail: mailOf(compose(kind, facts)) }
  })
  const arrived = async ({ mail }: { mail: Mail }) => {
    relay.mails.length = 0
    expect(await mailer.send(mail, never)).toEqual({ outcome: 'accepted' })
    expect(relay.mails).toHaveLength(1)
    return relay.mails[0]!
  }

  it('arrive with exactly our headers, our sender, one recipient, and the words that were meant [D23, D24, ceremony: mails]', async () => {
    for (const sample of samples) {
      const { kind, facts, mail } = sample
      const { from, to, raw, parsed } = await arrived(sample)
      const personal = kind !== 'code'
      const email = inAscii(facts.party.email)
      // The server shows an IDNA domain in its own letters.
      expect({ from, to: to.map(inAscii) }).toEqual({ from: FROM_ADDRESS, to: [email] })
      expect(headerNames(raw)).toEqual(expectedHeaders(personal && facts.replyAddress !== null))
      expect(raw).toMatch(/^(?:[\t\x20-\x7e]|\r\n)+$/)
      expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
      expect(parsed.from).toEqual({
        address: FROM_ADDRESS,
        name: personal ? `${facts.senderName.replace(/\p{Zs}+/gu, ' ')} via Paraph` : 'Paraph',
      })
      const legalName = facts.party.legalName.replace(/\p{Zs}+/gu, ' ')
      expect(parsed.to).toEqual([{ address: email, name: /[@＠]/.test(legalName) ? '' : legalName }])
      expect(parsed.cc ?? parsed.bcc ?? parsed.sender).toBeUndefined()
      expect(parsed.replyTo).toEqual(
        personal && facts.replyAddress !== null ? [{ address: inAscii(facts.replyAddress), name: '' }] : undefined,
      )
      expect(parsed.messageId).toBe(`<${kind}.contract-1-abc.3.1@${MAIL_SETTINGS.mailDomain}>`)
      expect(parsed.subject).toBe(mail.subject)
      expect(parsed.subject).toBe(mailOf(compose(kind, plainly(facts))).subject)
      expect(parsed.text?.trimEnd()).toBe(mail.text.trimEnd())
      expect(parsed.html?.trimEnd()).toBe(mail.html.trimEnd())
      expect(parsed.attachments).toEqual([])
    }
  })

  it('get no markup, no link and no address to click from a name [D14, ceremony: mails]', () => {
    for (const { kind, facts, mail } of samples) {
      const usual = mailOf(compose(kind, plainly(facts)))
      expect(tagsOf(mail.html)).toEqual(tagsOf(usual.html))
      const read = readable(mail.html)
      for (const name of namesIn(kind, facts)) expect(read).toContain(name.replace(/\s+/gu, ' ').trim())
      // What no element breaks could be made a link: only our own host, in the line for devices.
      const unbroken = mail.html.replace(/<(style|title|a)\b.*?<\/\1\s*>/gs, '').split(/<[^>]*>/)
      const joined = unbroken.filter((text) => /[\p{L}\p{N}][.@][\p{L}\p{N}]/u.test(text))
      expect(joined.map((text) => text.trim())).toEqual(kind === 'code' ? [`@sign.paraph.example #${CODE}`] : [])
    }
  })

  it('keep every line of text under 78 columns, and every link whole [RFC 5322 2.1.1]', () => {
    const graphemes = new Intl.Segmenter('en')
    for (const { kind, mail } of samples) {
      const lines = mail.text.split('\n')
      const wide = lines.filter((line) => [...graphemes.segment(line)].length > 78)
      expect(wide.filter((line) => line !== SHARE_URL && line !== `${SHARE_URL}/report`)).toEqual([])
      expect(lines.includes(SHARE_URL)).toBe(kind === 'invitation')
      // Isolates are the one invisible thing in it; they come in pairs on each line.
      expect(mail.text).not.toMatch(/[^\P{Cc}\n]|[^\P{Bidi_Control}\u2068\u2069]/u)
      for (const line of lines) expect(line.match(/\u2068/g)?.length).toBe(line.match(/\u2069/g)?.length)
    }
  })
})

it.each(KINDS)('writes no %s mail of a fact that the API would never let in [D14, ceremony: mails]', (kind) => {
  const isSent = forbiddenFacts.filter((facts) => !('fault' in compose(kind, factsFor(kind, mailFacts(facts)))))
  expect(isSent).toEqual([])
  expect(compose(kind, factsFor(kind, mailFacts()), 'c\r\nBcc: x@y.co')).toEqual({ fault: 'contractId' })
})

it('adds no header and no recipient even when a mail was composed of anything at all [D14]', async () => {
  const hostile = forbiddenFacts.flatMap(({ senderName, party, replyAddress }) => [
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

function compose(kind: MailKind, facts: MailFacts, contractId = 'contract-1-abc'): Composed {
  return composeMail(
    { kind, contractId, partyIndex: 3, sendNumber: 1, code: kind === 'code' ? CODE : undefined },
    facts,
    MAIL_SETTINGS,
  )
}

/** The same facts with names that nobody would look twice at. */
const plainly = (facts: MailFacts): MailFacts => ({
  ...facts,
  senderName: 'Nordic',
  accountName: 'Nordic',
  party: { ...facts.party, role: 'Buyer', legalName: 'Jane' },
})

const namesIn = (kind: MailKind, { senderName, accountName, party }: MailFacts): string[] =>
  kind === 'code' ? [accountName] : [senderName, accountName, party.role, party.legalName]

/** Of the top of the mail, unfolded by hand: lower case, sorted, each as often as it is there. */
function headerNames(raw: string): string[] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return lines.map((line) => /^([!-9;-~]+):/.exec(line)?.[1]?.toLowerCase() ?? `not a header: ${line}`).sort()
}

const expectedHeaders = (withReplyTo: boolean): string[] => [
  ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version'],
  ...(withReplyTo ? ['reply-to'] : []),
  ...['subject', 'to', 'x-auto-response-suppress'],
]

function inAscii(address: string): string {
  const [local, domain] = address.split('@') as [string, string]
  return `${local}@${mailDomainToAscii(domain)}`
}

/** Every tag with its attributes, in order; the elements that keep a name from becoming a link are left out. */
const tagsOf = (markup: string): string[] =>
  [...markup.matchAll(/<[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/^<\/?span>$/.test(tag))

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What a person reads. */
const readable = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (entity, key: string) => ENTITIES[key] ?? entity)
    .replace(/\s+/gu, ' ')
