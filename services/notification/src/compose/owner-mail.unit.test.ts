import { describe, expect, it } from '@jest/globals'
import { forbiddenOwnerMails } from '../../test/hostile-data-fixture.js'
import { ownerMails } from '../../test/mail-catalogue-fixture.js'
import { MAIL_SETTINGS, mailOf, OWNER_MAIL_NAMES, OWNER_MAILS, sampleOwnerMail } from '../../test/mail-fixture.js'
import type { Mail } from '../smtp/mailer.js'
import type { OwnerMailData } from './mail-data.js'
import { composeOwnerMail } from './owner-mail.js'

describe('a code to an owner', () => {
  it('begins a line in each language and is in no header, and the mail ends with the line for autofill [D16, D24]', () => {
    for (const name of ['signIn', 'replyAddress'] as const) {
      const mail = sent(sampleOwnerMail(name))
      expect(mail.text).toMatch(/^48291365 is your one-time code\. It /)
      expect(mail.text).toMatch(/\n48291365 est votre code à usage unique\. Il /)
      expect(mail.text).toMatch(/\n@sign\.example\.com #48291365\n$/)
      expect(mail.html.match(/>\s*48291365\s*<\/p>/g)).toHaveLength(1)
      expect(`${mail.subject}${mail.messageId}`).not.toContain('48291365')
    }
  })

  it('has text in each language: how long it works, that nobody asks for it, and that nothing happens without it [D16]', () => {
    const text = flat(sent(sampleOwnerMail('signIn')))
    for (const sentence of [
      'Valid for 10 minutes, one use. Keep it to yourself: Paraph will never ask you for it.',
      'Il est valable 10 minutes, une seule fois. Gardez-le pour vous : Paraph ne vous le demandera jamais.',
      'Nothing happens without the code.',
      'Sans le code, rien ne se passe.',
    ])
      expect(text).toContain(sentence)
  })

  it('begins no line with text of an owner, who may address any mailbox [D23, D36]', () => {
    const { text, html } = sent({
      ...(sampleOwnerMail('replyAddress') as Extract<OwnerMailData, { purpose: 'reply_address' }>),
      accountName: 'Give it to 555-0100',
    })
    expect(text).not.toMatch(/^\s*Give/m)
    expect(html).not.toMatch(/<(p|h1|h2)[^>]*>\s*<bdi>/)
    expect(text).toContain('https://sign.example.com/help#report\n')
  })
})

describe('a mail to an owner', () => {
  it.each(OWNER_MAIL_NAMES)(
    '%s comes from Paraph alone, with its own Message-ID, no recipient name and no reply address [D23, D24]',
    (name) => {
      const { kind, id, to } = OWNER_MAILS[name]
      expect(sent(sampleOwnerMail(name))).toMatchObject({
        messageId: `${kind.replaceAll('_', '-')}.${id}@mail.example.com`,
        fromName: 'Paraph',
        to: { name: '', address: to },
        replyTo: undefined,
      })
    },
  )

  it('about an erasure names who asked, the contract, the time in both zones, and the way back [P32]', () => {
    expect(flat(sent(sampleOwnerMail('erasureRequested', 'en')))).toContain(
      'paul.roy@nordicfoods.example asked to erase contract EXT-20261120-7KQ4MXTA in the Nordic Foods Ltd. account. Its text, names ' +
        'and addresses will be erased after Tuesday 1 December 2026, 10:34 a.m. Eastern Time (15:34 UTC). To keep it, open the ' +
        'contract in the console before then and choose “Keep this contract”.',
    )
  })

  it.each([
    ['ownerInvited', 'paul.roy@nordicfoods.example invited sam.lee@nordicfoods.example'],
    ['ownerJoined', 'sam.lee@nordicfoods.example accepted the invitation'],
    ['ownerDeclined', 'sam.lee@nordicfoods.example declined the invitation'],
    ['ownerRemoved', 'paul.roy@nordicfoods.example removed sam.lee@nordicfoods.example'],
    ['ownerLeft', 'sam.lee@nordicfoods.example has left the Nordic Foods Ltd. account'],
    ['ownerRole', 'paul.roy@nordicfoods.example gave sam.lee@nordicfoods.example another role'],
    ['replyChanged', 'paul.roy@nordicfoods.example changed the reply-to address'],
    ['replyRemoved', 'paul.roy@nordicfoods.example removed the reply-to address'],
    ['exported', 'paul.roy@nordicfoods.example downloaded all data of the Nordic Foods Ltd. account'],
  ] as const)('%s names the owner who acted [P33]', (name, sentence) => {
    expect(flat(sent(sampleOwnerMail(name, 'en')))).toContain(sentence)
  })

  it('names the person, the action and the key, and states what to do [D24, D28]', () => {
    expect(flat(sent(sampleOwnerMail('keyCreated', 'en')))).toBe(
      'amelie.tremblay@nordicfoods.example created the key “Order system” (paraph_live_9fQ2…w4Xz) in the Nordic Foods Ltd. account. ' +
        'Not you or a colleague? Sign in, revoke every key that you don’t recognise, and contact the operator. ' +
        'Open the console https://sign.example.com/console ',
    )
    expect(flat(sent(sampleOwnerMail('keyRevoked', 'fr')))).toContain(
      'Dans le compte Nordic Foods Ltd., amelie.tremblay@nordicfoods.example a révoqué la clé « Order system » (paraph_live_9fQ2…w4Xz). ' +
        'Elle ne fonctionne plus. Ce n’était ni vous ni un collègue? Connectez-vous,',
    )
  })

  it('names the operator in the language of the mail, never by address [D24, D25]', () => {
    for (const name of ['keyCreatedByOperator', 'keyRevokedByOperator'] as const) {
      expect(flat(sent(sampleOwnerMail(name, 'en')))).toMatch(/^The operator \w+ the key /)
      const french = flat(sent(sampleOwnerMail(name, 'fr')))
      expect(french).toMatch(/^Dans le compte Nordic Foods Ltd\., l’exploitant a \S+ la clé /)
      expect(french).not.toContain('operator')
    }
  })

  it('quotes the operator’s reason once, line by line, in a mail in two languages [D24, D25]', () => {
    const reason = 'Two things:\n- who signs?\n- where?'
    const { text, html } = sent({
      ...(sampleOwnerMail('refused') as Extract<OwnerMailData, { kind: 'application_refused' }>),
      data: { accountName: 'Nordic Foods Ltd.', reason },
    })
    expect(text).toContain('\n\n  Two things:\n  - who signs?\n  - where?\n\n')
    expect(text.match(/who signs/g)).toHaveLength(1)
    expect(html.match(/who signs/g)).toHaveLength(1)
    expect(text.replace(/\s+/g, ' ')).toContain('pour la raison donnée ci-dessus.')
  })

  it('names the inviter to an invited stranger, states that nothing has happened, and links to the report form [D36, ceremony: mails]', () => {
    const { text, html } = sent(sampleOwnerMail('invited'))
    const spoken = text.replace(/\s+/g, ' ')
    expect(spoken).toMatch(/^paul\.roy@nordicfoods\.example invited you to the Nordic Foods Ltd\. account\./)
    expect(spoken).toContain('The role is developer: keys, request log, webhooks and the sandbox.')
    expect(spoken).toContain('Nothing changes until you accept.')
    expect(text).toMatch(/\nhttps:\/\/sign\.example\.com\/help#report\n/)
    expect(html).toContain('href="https://sign.example.com/help#report"')
  })
})

describe.each(ownerMails)('$name', ({ text, html }) => {
  it('links only to the console and the report form, and contains no link that grants access [D24]', () => {
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
    expect(
      links.filter(
        (href) => !/^https:\/\/sign\.example\.com\/(console(\?lang=fr)?|help(\?lang=fr)?#report)$/.test(href),
      ),
    ).toEqual([])
    expect(`${text}${html}`).not.toMatch(/verified|vérifié/i)
  })

  it('ends no sentence with two full stops [ceremony: mails]', () => {
    expect(text.replace(/\s+/g, ' ')).not.toMatch(/\w\.\.(\s|$)/)
  })
})

it('the composer refuses the values that the gateway refuses, and names the field without its value [D14, ceremony: mails]', () => {
  const wrong = forbiddenOwnerMails.flatMap(({ mail, invalidField }) => {
    const composed = composeOwnerMail(mail, MAIL_SETTINGS)
    return 'invalidField' in composed && composed.invalidField === invalidField
      ? []
      : [{ mail, invalidField, composed }]
  })
  expect(wrong).toEqual([])
  expect(forbiddenOwnerMails.length).toBeGreaterThan(400)
})

const sent = (ownerMail: OwnerMailData): Mail => mailOf(composeOwnerMail(ownerMail, MAIL_SETTINGS))
const flat = ({ text }: Mail): string => text.replace(/\s+/g, ' ')
