import { describe, expect, it } from 'vitest'
import { forbiddenLetters } from './hostile-facts-fixture.js'
import { ownerMails } from './mail-catalogue-fixture.js'
import { MAIL_SETTINGS, mailOf, OWNER_LETTER_NAMES, OWNER_LETTERS, ownerLetter } from './mail-fixture.js'
import type { Mail } from './mailer.js'
import { composeOwnerLetter, type OwnerLetter } from './owner-letter.js'

describe('a code to an owner', () => {
  it('stands on lines of its own and in no header, and ends with the line that devices read [D16, D24]', () => {
    for (const name of ['signIn', 'replyAddress'] as const) {
      const mail = sent(ownerLetter(name))
      expect(mail.text).toMatch(/^482913 is your one-time code\. It /)
      expect(mail.text).toMatch(/\n482913 est votre code à usage unique\. Il /)
      expect(mail.text).toMatch(/\n@sign\.paraph\.example #482913\n$/)
      expect(mail.html.match(/>\s*482913\s*<\/p>/g)).toHaveLength(1)
      expect(`${mail.subject}${mail.messageId}`).not.toContain('482913')
    }
  })

  it('says in each language how long it works, that nobody asks for it, and what a stranger to it should know [D16]', () => {
    const text = flat(sent(ownerLetter('signIn')))
    for (const sentence of [
      'It works for 10 minutes, once. Nobody will ever ask you for it, not even Paraph.',
      'Il est valable 10 minutes, une seule fois. Personne ne vous le demandera jamais, pas même Paraph.',
      'Without the code nothing happens.',
      'Sans le code, rien ne se passe.',
    ])
      expect(text).toContain(sentence)
  })

  it('begins no line with a word that an owner chose, who may write to any mailbox [D23, D36]', () => {
    const { text, html } = sent({
      ...(ownerLetter('replyAddress') as Extract<OwnerLetter, { purpose: 'reply_address' }>),
      accountName: 'Give it to 555-0100',
    })
    expect(text).not.toMatch(/^\s*Give/m)
    expect(html).not.toMatch(/<(p|h1|h2)[^>]*>\s*<bdi>/)
    expect(text).toContain('https://sign.paraph.example/help#report\n')
  })
})

describe('a mail to an owner', () => {
  it.each(OWNER_LETTER_NAMES)(
    '%s comes from Paraph alone, with its own Message-ID, no name and no reply address [D23, D24]',
    (name) => {
      const { kind, id, to } = OWNER_LETTERS[name]
      expect(sent(ownerLetter(name))).toMatchObject({
        messageId: `${kind.replace('_', '-')}.${id}@mail.paraph.example`,
        ...{ fromName: 'Paraph', to: { name: '', address: to }, replyTo: undefined },
      })
    },
  )

  it('says who did what to which key, and what to do about it [D24, D28]', () => {
    expect(flat(sent(ownerLetter('keyCreated', 'en')))).toBe(
      'For Nordic Foods Ltd., amelie.tremblay@nordicfoods.example created the key “Order system” (paraph_live_9fQ2…w4Xz). ' +
        'None of you did this? Sign in, revoke every key that you do not know, and write to the operator. ' +
        'Open the console https://sign.paraph.example/console ',
    )
    expect(flat(sent(ownerLetter('keyRevoked', 'fr')))).toContain(
      'Pour Nordic Foods Ltd., amelie.tremblay@nordicfoods.example a révoqué la clé « Order system » (paraph_live_9fQ2…w4Xz). ' +
        'Elle ne fonctionne plus. Aucun de vous n’a fait cela? Connectez-vous,',
    )
  })

  it('calls the operator so in the language of the mail, never by address [D24, D25]', () => {
    for (const name of ['keyCreatedByOperator', 'keyRevokedByOperator'] as const) {
      expect(flat(sent(ownerLetter(name, 'en')))).toMatch(/^For Nordic Foods Ltd\., the operator \w+ the key /)
      const french = flat(sent(ownerLetter(name, 'fr')))
      expect(french).toMatch(/^Pour Nordic Foods Ltd\., l’exploitant a \S+ la clé /)
      expect(french).not.toContain('operator')
    }
  })

  it('gives the operator’s reason once, line by line, whatever languages the mail speaks [D24, D25]', () => {
    const reason = 'Two things:\n- who signs?\n- where?'
    const { text, html } = sent({
      ...(ownerLetter('refused') as Extract<OwnerLetter, { kind: 'application_refused' }>),
      facts: { accountName: 'Nordic Foods Ltd.', reason },
    })
    expect(text).toContain('\n\n  Two things:\n  - who signs?\n  - where?\n\n')
    expect(text.match(/who signs/g)).toHaveLength(1)
    expect(html.match(/who signs/g)).toHaveLength(1)
    expect(text.replace(/\s+/g, ' ')).toContain('pour la raison donnée ci-dessus.')
  })

  it('tells a stranger who is asked to own an account who asks, that nothing has happened, and where to report it [D36, ceremony: mails]', () => {
    const { text, html } = sent(ownerLetter('invited'))
    const spoken = text.replace(/\s+/g, ' ')
    expect(spoken).toMatch(/^paul\.roy@nordicfoods\.example asks you to own the account of Nordic Foods Ltd\. together/)
    expect(spoken).toContain('until you say yes, nothing has changed.')
    expect(text).toMatch(/\nhttps:\/\/sign\.paraph\.example\/help#report\n/)
    expect(html).toContain('href="https://sign.paraph.example/help#report"')
  })
})

describe.each(ownerMails)('$name', ({ text, html }) => {
  it('leads nowhere but to the console and to where a request is reported, and holds no link that opens anything by itself [D24]', () => {
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
    expect(
      links.filter(
        (href) => !/^https:\/\/sign\.paraph\.example\/(console(\?lang=fr)?|help(\?lang=fr)?#report)$/.test(href),
      ),
    ).toEqual([])
    expect(`${text}${html}`).not.toMatch(/verified|vérifié/i)
  })

  it('ends no sentence with two full stops and speaks Canadian French [ceremony: mails]', () => {
    const spoken = text.replace(/\s+/g, ' ')
    expect(spoken).not.toMatch(/\w\.\.(\s|$)/)
    expect(text).not.toMatch(/\u00A0[?!]|[a-zé] [?!;]/)
  })
})

it('writes no letter of a fact that the gateway would never let in, and names the fact without its value [D14, ceremony: mails]', () => {
  const wrong = forbiddenLetters.flatMap(({ letter, fault }) => {
    const composed = composeOwnerLetter(letter, MAIL_SETTINGS)
    return 'fault' in composed && composed.fault === fault ? [] : [{ letter, fault, composed }]
  })
  expect(wrong).toEqual([])
  expect(forbiddenLetters.length).toBeGreaterThan(400)
})

const sent = (letter: OwnerLetter): Mail => mailOf(composeOwnerLetter(letter, MAIL_SETTINGS))
const flat = ({ text }: Mail): string => text.replace(/\s+/g, ' ')
