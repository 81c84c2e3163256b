// The one-time code's mail. Pure. The code is not in the subject: mail servers log subjects. [Events, D16, D23]
import { createDictionary } from '@paraph/web/dictionary'
import type { MailFacts } from '../mail-facts.js'
import { inEach, localesOf, TEST_PREFIX, testBar, wrap, type MailParts } from './languages.js'
import { frame, heading, html, inLanguage, name, paragraph, rule, small, textName, type Markup } from './markup.js'

const words = createDictionary<{
  subject: string
  isYourCode: (code: string, contractNumber: string) => string
  confirms: string
  howLong: string
  neverAsked: (sender: string) => string
  contract: (contractNumber: string) => string
  notYou: string
}>({
  subject: { en: 'Your one-time code', fr: 'Votre code à usage unique' },
  isYourCode: {
    en: (code, contractNumber) => `${code} is your one-time code for contract ${contractNumber}.`,
    fr: (code, contractNumber) => `${code} est votre code à usage unique pour le contrat ${contractNumber}.`,
  },
  confirms: {
    en: 'It confirms this e-mail address for the contract from',
    fr: 'Il confirme cette adresse pour le contrat de',
  },
  howLong: {
    en: 'Type it on the page you have open. It works for 10 minutes, once.',
    fr: 'Entrez ce code sur la page ouverte. Il est valable 10 minutes, une seule fois.',
  },
  neverAsked: {
    en: (sender) => `Nobody from Paraph or ${sender} will ever ask you for it.`,
    fr: (sender) => `Personne chez Paraph ou ${sender} ne vous le demandera jamais.`,
  },
  contract: {
    en: (contractNumber) => `Contract ${contractNumber}.`,
    fr: (contractNumber) => `Contrat ${contractNumber}.`,
  },
  notYou: {
    en: 'You did not ask for a code? Then somebody typed your address by mistake. Without the code they see nothing.',
    fr: 'Vous n’avez pas demandé de code? Quelqu’un a tapé votre adresse par erreur. Sans le code, on ne voit rien.',
  },
})

/** @param host of the signing page; the last line lets some devices offer the code there and nowhere else */
export function writeCode(mail: MailFacts, code: string, host: string): MailParts {
  const { language, contractNumber } = mail
  const [first, second] = localesOf(language)
  const locales = second ? [first, second] : [first]
  const test = mail.environment === 'sandbox'
  const subject = `${test ? TEST_PREFIX : ''}${inEach(language, (locale) => words(locale).subject, ' / ')}`
  const sender = textName(mail.senderName)
  const text = [
    ...(test ? [inEach(language, testBar, '\n')] : []),
    ...locales.map((locale) => wrap(words(locale).isYourCode(code, contractNumber))),
    ...locales.map((locale) => wrap(`${words(locale).howLong} ${words(locale).neverAsked(sender)}`)),
    ...locales.map((locale) => wrap(words(locale).notYou)),
    `@${host} #${code}`,
  ]
  const w = words(first)
  const content: Markup[] = [
    heading(html`${w.subject}`),
    paragraph(html`${w.confirms} ${name(mail.senderName)}.`),
    html`<p style="margin:0 0 16px;font-family:Consolas,Menlo,monospace;font-size:34px;letter-spacing:6px">${code}</p>`,
    paragraph(html`${w.howLong} ${w.neverAsked(sender)}`),
  ]
  if (second) {
    const s = words(second)
    content.push(rule, inLanguage(second, [paragraph(html`${s.howLong} ${s.neverAsked(sender)}`)]))
  }
  content.push(
    rule,
    small(
      html`${inEach(language, (locale) => `${words(locale).contract(contractNumber)} ${words(locale).notYou}`, ' / ')}`,
    ),
    html`<p style="margin:0;font-family:Consolas,Menlo,monospace;font-size:13px">@${host} #${code}</p>`,
  )
  const bar = test ? inEach(language, testBar, ' / ') : undefined
  return { subject, text: `${text.join('\n\n')}\n`, html: frame({ lang: first, title: subject, bar, content }) }
}
