import { describe, expect, it } from '@jest/globals'
import { composeMail } from './contract-mail.js'
import { contractMails, mailCatalogue } from '../../test/mail-catalogue-fixture.js'
import type { MailKind } from '../database.js'
import type { MailData } from './mail-data.js'
import { mailDataFor, MAIL_SETTINGS, sampleMailData, mailOf, SENT_AT, SHARE_URL } from '../../test/mail-fixture.js'
import type { Mail } from '../smtp/mailer.js'

describe('an invitation', () => {
  it('names in both languages the sender, the role, the contract, the deadline and the link [S14.5, Events, D23, D25, D36]', () => {
    const mail = sent('invitation', sampleMailData())
    expect(mail.fromName).toBe('Nordic Foods procurement via Paraph')
    expect(mail.to).toEqual({ name: 'Jane Roe', address: 'jane.roe@example.com' })
    expect(mail.subject).toBe('Contract to sign: Non-disclosure agreement / Contrat à signer')
    expect(plain(mail.text)).toBe(`Nordic Foods procurement has asked you to sign a contract.

  Your role   Recipient, Jane Roe
  Contract    Non-disclosure agreement, with 2 other parties
  Number      EXT-20261120-7KQ4MXTA
  Sign by     Friday 4 December 2026, 14:03 UTC, 14 days after this
              email
  Account     Nordic Foods Ltd. (approved)

Read and sign:
${SHARE_URL}

Confirm your email address with a one-time code, read the whole
contract, then decide. Opening the link doesn’t sign anything.

* * *

Nordic Foods procurement vous demande de signer un contrat.

Vous signez en tant que Recipient, Jane Roe, au plus tard le vendredi
4 décembre 2026 à 14 h 03 UTC, 14 jours après ce courriel. Confirmez
votre adresse courriel avec un code à usage unique, lisez tout le
contrat, puis décidez. Vous ne signez rien en ouvrant le lien. Utilisez
le lien ci-dessus.

* * *

Not expecting this? You can ignore it, or report it:
Vous n’attendiez pas ce message? Vous pouvez l’ignorer ou le signaler :
${SHARE_URL}/report
`)
    // The button, the link to the French page, the two report links, and the address as text.
    expect([...mail.html.matchAll(/href="([^"]*contract[^"]*)"/g)].map(([, href]) => href)).toEqual([
      SHARE_URL,
      `${SHARE_URL}?lang=fr`,
      `${SHARE_URL}/report`,
      `${SHARE_URL}/report?lang=fr`,
      SHARE_URL,
    ])
  })

  it('is in one language when the account chose one; a French mail has the full text [D25]', () => {
    const english = sent('invitation', sampleMailData({ language: 'en', partyCount: 2 }))
    expect(english.subject).toBe('Contract to sign: Non-disclosure agreement')
    expect(english.text).toContain('with 1 other party')
    expect(`${english.text}${english.html}`).not.toMatch(/signer|adresse courriel/)
    const french = sent('invitation', sampleMailData({ language: 'fr' }))
    expect(french.subject).toBe('Contrat à signer\u00A0: Entente de confidentialité')
    expect(plain(french.text)).toContain('  Date limite   vendredi 4 décembre 2026 à 14 h 03 UTC, 14 jours après')
    expect(plain(french.text)).toContain('Lire et signer :\n')
    expect(french.html).toContain('<html lang="fr">')
    expect(`${french.text}${french.html}`).not.toMatch(/Read and sign|Your role/)
  })

  it('shows the deadline in the account’s time zone before UTC, and the days from the mail to it [D34]', () => {
    const signBy = (sentAt: string, timeZone = 'America/Toronto') => {
      const { text } = mailOf(
        composeMail(
          { ...delivery('invitation'), code: undefined, sentAt: new Date(sentAt) },
          sampleMailData({ timeZone, language: 'en' }),
          MAIL_SETTINGS,
        ),
      )
      return /Sign by +(.*?) Account/.exec(plain(text).replace(/\s+/g, ' '))![1]
    }
    const local = 'Friday 4 December 2026, 9:03 a.m. Eastern Time (14:03 UTC)'
    expect(signBy('2026-11-24T14:03:00Z')).toBe(`${local}, 10 days after this email`)
    // Still 2 December in Toronto.
    expect(signBy('2026-12-03T04:00:00Z')).toBe(`${local}, 2 days after this email`)
    expect(signBy('2026-12-03T06:00:00Z')).toBe(`${local}, 1 day after this email`)
    expect(signBy('2026-12-04T12:00:00Z')).toBe(local)
    expect(signBy('2026-11-24T14:03:00Z', 'Mars/Olympus')).toBe(
      'Friday 4 December 2026, 14:03 UTC, 10 days after this email',
    )
  })

  it('marks a sandbox contract in the subject, the text and the HTML [D15]', () => {
    for (const kind of ['invitation', 'code', 'cancelled', 'expired'] as const) {
      const mail = sent(kind, ended(kind, { environment: 'sandbox' }))
      expect(mail.subject).toMatch(/^\[TEST\] /)
      expect(mail.text).toMatch(/^Test contract - not legally binding\n/)
      expect(mail.html).toContain('Test contract - not legally binding')
      expect(sent(kind, ended(kind)).html).not.toContain('Test contract')
    }
  })

  it('is sent to the first three parties of a mailbox; the third names the further roles of the mailbox, and these get none [D24, P24]', () => {
    const sameMailbox = Array.from({ length: 50 }, (_, index) => index)
    const parties = sameMailbox.map((index) => ({
      role: `Guarantor ${index}`,
      legalName: 'Jane',
      hasSigned: index === 4,
    }))
    const data = sampleMailData({ sameMailbox, parties, partyCount: 50, language: 'en' })
    const first = sameMailbox.map((partyIndex) =>
      composeMail({ ...delivery('invitation'), partyIndex, sendNumber: 1, code: undefined }, data, MAIL_SETTINGS),
    )
    const [one, two, three] = first.slice(0, 3).map(mailOf)
    expect(`${one!.text}${two!.text}`).not.toMatch(/Guarantor \d|Other roles/)
    expect(plain(three!.text)).toContain(`  Your role     Recipient, Jane Roe
  Other roles   Guarantor 3, Jane
                Guarantor 5, Jane
                Guarantor 6, Jane
                Guarantor 7, Jane
                Guarantor 8, Jane
                and 41 more
  Contract `)
    expect(three!.html).toContain(
      '<bdi>Guarantor 8</bdi><br /><span class="s" style="color:#4b535a"><bdi>Jane</bdi></span>',
    )
    expect(three!.html).toContain('and 41 more')
    expect(plain(three!.text).replace(/\s+/g, ' ')).toContain('This invitation is for all the roles above.')
    expect(first.slice(3)).toEqual(first.slice(3).map(() => ({ skipped: 'named in another invitation' })))
  })

  it('names further roles in both languages, and when an owner sends it again to a party without one of its own, names the others [D25, P24]', () => {
    const parties = [0, 1, 2, 3].map((index) => ({ role: `Role ${index}`, legalName: 'Jane', hasSigned: false }))
    const data = sampleMailData({ sameMailbox: [0, 1, 2, 3], parties, partyCount: 4 })
    const again = (partyIndex: number, sendNumber: number) =>
      plain(
        mailOf(composeMail({ ...delivery('invitation'), partyIndex, sendNumber, code: undefined }, data, MAIL_SETTINGS))
          .text,
      ).replace(/\s+/g, ' ')
    expect(again(3, 2)).toContain('Other roles Role 2, Jane Contract')
    expect(again(2, 1)).toContain('Other roles Role 3, Jane Contract')
    expect(again(2, 1)).toContain('Vous signez en tant que Recipient, Jane Roe, et dans 1 autre rôle, au plus tard le')
  })

  it('names a reply address only when the account confirmed one [D36]', () => {
    expect(sent('invitation', sampleMailData()).replyTo).toBeUndefined()
    expect(sent('invitation', sampleMailData({ replyAddress: 'legal@nordic.example' })).replyTo).toBe(
      'legal@nordic.example',
    )
    expect(sent('code', sampleMailData({ replyAddress: 'legal@nordic.example' })).replyTo).toBeUndefined()
  })
})

describe('a code mail', () => {
  it('begins with the code, has no code in a header, and ends with the line for autofill [D16]', () => {
    const mail = sent('code', sampleMailData())
    expect(mail.fromName).toBe('Paraph')
    expect(mail.subject).toBe('Your one-time code / Votre code à usage unique')
    expect(mail.text.split('\n')[0]).toBe('482913 is your one-time code for contract EXT-20261120-7KQ4MXTA.')
    expect(mail.text).toMatch(/\n@sign\.example\.com #482913\n$/)
    expect(mail.html.match(/>\s*482913\s*<\/p>/g)).toHaveLength(1)
    expect(`${mail.subject}${mail.messageId}`).not.toContain('482913')
    expect(`${mail.text}${mail.html}`).not.toContain('vX2nQ7b0c9')
  })

  it('states in each language how long the code works, that nobody asks for it, and that without it nobody sees anything [D16]', () => {
    const { text } = sent('code', sampleMailData())
    for (const sentence of [
      'Valid for 10 minutes, one use.',
      'Keep it to yourself: neither Paraph nor the sender will ever ask you for it.',
      'Il est valable 10 minutes, une seule fois. Gardez-le pour vous : ni Paraph ni l’expéditeur ne vous le demanderont jamais.',
      'They can’t see anything without the code.',
      'Sans le code, cette personne ne voit rien.',
    ]) {
      expect(text.replace(/\s+/g, ' ')).toContain(sentence)
    }
  })

  it('contains no text of the sender, which could ask the reader to pass the code on [D23]', () => {
    const { text, html } = sent(
      'code',
      sampleMailData({ senderName: 'us minds: reply with it to 555-0100. Nobody else' }),
    )
    expect(`${text}${html}`).not.toMatch(/555-0100|Nobody else/)
  })
})

describe('a composed mail', () => {
  it('keeps the Message-ID of a delivery after any change of its data [D24]', () => {
    expect(sent('invitation', sampleMailData()).messageId).toBe('invitation.contract-1-abc.1.3@mail.example.com')
    expect(sent('invitation', sampleMailData({ status: 'partially_signed' })).messageId).toBe(
      'invitation.contract-1-abc.1.3@mail.example.com',
    )
  })

  it.each<[MailKind, Partial<MailData>, string]>([
    ['invitation', { status: 'signed' }, 'contract signed'],
    ['invitation', { status: 'cancelled' }, 'contract cancelled'],
    ['invitation', { status: 'expired' }, 'contract expired'],
    [
      'invitation',
      { status: 'partially_signed', party: { ...sampleMailData().party, hasSigned: true } },
      'party has signed',
    ],
    ['invitation', { shareUrl: null }, 'share link is gone'],
    ['cancelled', { status: 'cancelled' }, 'party had not signed'],
    ['expired', { status: 'signed', party: { ...sampleMailData().party, hasSigned: true } }, 'contract signed'],
  ])('skips a %s that is no longer needed: %j [D49]', (kind, data, skipped) => {
    expect(composeMail({ ...delivery(kind), code: undefined }, sampleMailData(data), MAIL_SETTINGS)).toEqual({
      skipped,
    })
  })

  it('informs a party that had signed of the outcome and its meaning, without the reason [D24, D39]', () => {
    const mail = sent('cancelled', ended('cancelled', { cancelledAt: '2026-11-26T08:20:00.000Z' }))
    expect(mail.subject).toBe('Contract cancelled: Non-disclosure agreement / Contrat annulé')
    expect(mail.fromName).toBe('Nordic Foods procurement via Paraph')
    expect(plain(mail.text)).toMatch(
      /^The contract from Nordic Foods procurement was cancelled\.\n\n {2}Your role {3}Recipient, Jane Roe\n/,
    )
    expect(plain(mail.text)).toContain('  Cancelled   Thursday 26 November 2026, 08:20 UTC\n')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('Your signature will not take effect through Paraph.')
    expect(plain(mail.text).replace(/\s+/g, ' ')).toContain(
      'Il a pris fin le jeudi 26 novembre 2026 à 8 h 20 UTC, avant que',
    )
    expect(`${mail.text}${mail.html}`).not.toContain('contract/')
    const expired = sent('expired', ended('expired'))
    expect(plain(expired.text)).toContain('  Expired     Friday 4 December 2026, 14:03 UTC\n')
    expect(expired.subject).toBe('Contract expired: Non-disclosure agreement / Contrat expiré')
  })

  it('is not composed from invalid data; the result names the field without its value [D14]', () => {
    const data = sampleMailData({ senderName: 'billing@paypal.com' })
    expect(composeMail({ ...delivery('invitation'), code: undefined }, data, MAIL_SETTINGS)).toEqual({
      invalidField: 'senderName',
    })
  })

  it('writes the recipient in the form for SMTP, and omits a name that could be mistaken for an address [D14]', () => {
    const to = (legalName: string, email: string) =>
      sent('invitation', sampleMailData({ party: { ...sampleMailData().party, legalName, email } })).to
    expect(to('Jane Roe', 'Jane@exämple.test')).toEqual({ name: 'Jane Roe', address: 'Jane@xn--exmple-cua.test' })
    expect(to('ceo＠bank.example', 'jane@example.test').name).toBe('')
  })
})

describe.each(mailCatalogue)('$name', ({ name, html, subject }) => {
  it('is small and loads no external content but the logo of a brand [ceremony: mails, D59]', () => {
    const limit = (subject.includes(' / ') ? 5_376 : 4_096) + (name.includes('brand') ? 768 : 0)
    // Our own markup has about 3 KB; external text adds to that size.
    if (!name.includes('long')) expect(Buffer.byteLength(html)).toBeLessThan(limit)
    const logo = /<img\s+class="l"\s+src="https:\/\/sign\.example\.com\/assets\/brand\/[0-9a-f]{64}\.png"/
    expect(name.includes('brand') ? html.replace(logo, '') : html).not.toMatch(
      /<(img|link|script|iframe|object|form)\b|url\(|@import|\bsrc=/i,
    )
  })

  it('marks the language of each part [WCAG 3.1.1, 3.1.2]', () => {
    const isFrench = name.endsWith('-french')
    expect(html).toContain(`<html lang="${isFrench ? 'fr' : 'en'}">`)
    const inDocumentLanguage = html
      .replace(/<(div|span|blockquote) lang="(?:fr)?"[^>]*>.*?<\/\1>/gs, '')
      .replace(/<(title|style)>.*?<\/\1>|<[^>]*>/gs, ' ')
    expect(inDocumentLanguage).not.toMatch(
      isFrench ? /\b(you|your|report)\b/i : /\b(contrat|vous|demande|juridique)\b/i,
    )
  })
})

describe.each(contractMails)('$name', ({ name, text, html }) => {
  it('names the approved account and the link to report the mail, in the text and the HTML [D36, ceremony: mails]', () => {
    expect(text.replace(/\s+/g, ' ')).toMatch(/\((approved|approuvé)\)/)
    expect(html).toMatch(/\((approved|approuvé)\)/)
    // Only an invitation and a reminder contain the share link, so only their report links are below the share link.
    const reportUrl = /invitation|reminder/.test(name)
      ? /https:\/\/\S+\/contract\/[\w-]{43}\/report/
      : /https:\/\/\S+\/help#report/
    expect(text).toMatch(new RegExp(`\n${reportUrl.source}\n`))
    expect(html).toMatch(new RegExp(`href="${reportUrl.source}"`))
    expect(`${text}${html}`).not.toMatch(/verified|vérifié/i)
  })
})

/** The data of a contract in a state in which this kind of mail is sent. */
const ended = (kind: MailKind, overrides: Partial<MailData> = {}): MailData =>
  mailDataFor(kind, sampleMailData(overrides))

function delivery(kind: MailKind) {
  return { kind, contractId: 'contract-1-abc', partyIndex: 1, sendNumber: 3, sentAt: SENT_AT }
}

const sent = (kind: MailKind, data: MailData): Mail =>
  mailOf(composeMail({ ...delivery(kind), code: kind === 'code' ? '482913' : undefined }, data, MAIL_SETTINGS))

const plain = (text: string): string => text.replaceAll('\u00A0', ' ')

describe('the reminder [D58]', () => {
  const remind = (changes: Parameters<typeof sampleMailData>[0] = {}) =>
    composeMail(
      { ...delivery('reminder'), invitationNumber: 2, code: undefined },
      sampleMailData(changes),
      MAIL_SETTINGS,
    )
  const party = sampleMailData().party

  it('says so first in the subject, in both languages, and belongs to the conversation of the invitation', () => {
    const mail = mailOf(remind())
    expect(mail.subject).toBe('Reminder: contract to sign: Non-disclosure agreement / Rappel\u00A0: contrat à signer')
    expect(plain(mail.text).replace(/\s+/g, ' ')).toContain('Nordic Foods procurement still waits for your signature.')
    expect(mail.text).toContain(SHARE_URL)
    expect(mail.references).toMatch(/^invitation\.contract-1-abc\.\d\.2@mail\.example\.com$/)
    expect(sent('invitation', sampleMailData()).references).toBeUndefined()
  })

  it.each([
    ['has signed', { party: { ...party, hasSigned: true } }, 'party has signed'],
    ['has declined', { party: { ...party, hasDeclined: true } }, 'party has declined'],
    ['belongs to an ended contract', { status: 'cancelled' as const }, 'contract cancelled'],
    ['belongs to an account that reminds nobody', { remindsParties: false }, 'the account reminds nobody'],
  ])('is not sent to a party that %s', (_, changes, skipped) => {
    expect(remind(changes)).toEqual({ skipped })
  })
})
