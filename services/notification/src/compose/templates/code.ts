// The mails with a one-time code, to a party and to an owner. Pure. The code is not in the subject, because mail servers log subjects.
// [Events, D16, D23, D24]
// External text must not be able to ask the reader to pass the code on. So the mail to a party contains no text of the sender but the
// account name and the brand that the operator approved, and in the mail to an owner, the account name follows our own text and begins no
// line.
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailData, OwnerMailData } from '../mail-data.js'
import { markAccount, textAccount } from './contract-rows.js'
import { inEach, layOut, localesOf, reportLines, reportLinks, reportUrlOf, sandboxMarks } from './languages.js'
import { code, fillMarkup, heading, html, inLanguage, paragraph, rule, small, unbroken } from './markup.js'
import { fillText, wrap } from './plain-text.js'

const SHARED = {
  subject: { en: 'Your one-time code', fr: 'Votre code à usage unique' },
  howLong: {
    en: 'Enter it on the page you have open. Valid for 10 minutes, one use.',
    fr: 'Saisissez-le sur la page ouverte. Il est valable 10 minutes, une seule fois.',
  },
}

const messages = createDictionary({
  ...SHARED,
  isYourCode: { en: 'is your one-time code for', fr: 'est votre code à usage unique pour' },
  contract: { en: 'contract', fr: 'le contrat' },
  thisContract: { en: 'this contract', fr: 'ce contrat' },
  confirms: {
    en: 'It confirms your email address for contract',
    fr: 'Il confirme votre adresse courriel pour le contrat',
  },
  nobodyAsks: {
    en: 'Keep it to yourself: neither Paraph nor the sender will ever ask you for it.',
    fr: 'Gardez-le pour vous\u00A0: ni Paraph ni l’expéditeur ne vous le demanderont jamais.',
  },
  number: { en: 'Contract', fr: 'Contrat' },
  account: { en: 'account', fr: 'compte' },
  notYou: {
    en: 'Didn’t request a code? Someone else entered your address, perhaps by mistake. They can’t see anything without the code.',
    fr: 'Vous n’avez pas demandé de code? Quelqu’un d’autre a saisi votre adresse, peut-être par erreur. Sans le code, cette personne ne voit rien.',
  },
})

/** @param digits the code */
export function writeCode(mail: MailData, digits: string, shareBaseUrl: string) {
  const { language, contractNumber } = mail
  const reportUrl = reportUrlOf(shareBaseUrl)
  const [first, second] = localesOf(language)
  const texts = messages(first)
  const again = (sectionOf: (secondTexts: typeof texts) => string): string[] =>
    second ? [wrap(sectionOf(messages(second)))] : []
  const aboutContract = (locale: Locale): string =>
    wrap(`${messages(locale).number} ${contractNumber}, ${messages(locale).account} ${textAccount(mail, locale)}.`)
  const footer = (locale: Locale) =>
    small(
      html`${messages(locale).number} ${unbroken(contractNumber)}, ${messages(locale).account}
      ${markAccount(mail, locale)}. ${messages(locale).notYou}`,
    )

  const subject = `${sandboxMarks(mail).prefix}${inEach(language, (locale) => messages(locale).subject)}`
  return layOut(mail, subject, {
    first: () => ({
      text: [
        wrap(`${digits} ${texts.isYourCode} ${texts.contract} ${contractNumber}.`),
        ...again(({ isYourCode, thisContract }) => `${digits} ${isYourCode} ${thisContract}.`),
        `${wrap(texts.howLong)}\n${wrap(texts.nobodyAsks)}`,
        ...again(({ howLong, nobodyAsks }) => `${howLong} ${nobodyAsks}`),
        wrap(texts.notYou),
        ...again(({ notYou }) => notYou),
      ],
      markup: [
        heading(html`${texts.subject}`),
        paragraph(html`${texts.confirms} ${unbroken(contractNumber)}.`),
        code(digits),
        paragraph(html`${texts.howLong} ${texts.nobodyAsks}`),
      ],
    }),
    // In plain text, `first` already contains the sentences of the second language.
    second: (locale) => {
      const { subject, howLong, nobodyAsks } = messages(locale)
      return { text: [], markup: [paragraph(html`<strong>${subject}.</strong> ${howLong} ${nobodyAsks}`)] }
    },
    end: {
      text: [inEach(language, aboutContract, '\n'), reportLines(language, reportUrl)],
      markup: [
        rule,
        footer(first),
        ...(second ? [inLanguage(second, [footer(second)])] : []),
        small(reportLinks(language, reportUrl)),
      ],
      forDevices: lineForDevices(shareBaseUrl, digits),
    },
  })
}

/** The last line, which restricts the autofill of a device to our host. */
const lineForDevices = (shareBaseUrl: string, digits: string) => `@${new URL(shareBaseUrl).hostname} #${digits}`

/** Braces mark placeholders for external names. */
const ownerMessages = createDictionary({
  ...SHARED,
  replySubject: { en: 'Confirm this reply-to address', fr: 'Confirmez cette adresse de réponse' },
  proveSubject: { en: 'Confirm that it is you', fr: 'Confirmez que c’est bien vous' },
  prove: {
    en: 'It confirms that it is you, before a change that matters in the Paraph console.',
    fr: 'Il confirme que c’est bien vous, avant une modification importante dans la console de Paraph.',
  },
  signIn: { en: 'It signs you in to the Paraph console.', fr: 'Il vous connecte à la console de Paraph.' },
  reply: {
    en: 'It confirms that replies to the contract emails of {account} may come to this address.',
    fr: 'Il confirme que les réponses aux courriels de contrat de {account} peuvent arriver à cette adresse.',
  },
  isYourCode: { en: 'is your one-time code.', fr: 'est votre code à usage unique.' },
  nobodyAsks: {
    en: 'Keep it to yourself: Paraph will never ask you for it.',
    fr: 'Gardez-le pour vous\u00A0: Paraph ne vous le demandera jamais.',
  },
  notYou: {
    en: 'Didn’t request a code? Someone else entered your address, perhaps by mistake. Nothing happens without the code.',
    fr: 'Vous n’avez pas demandé de code? Quelqu’un d’autre a saisi votre adresse, peut-être par erreur. Sans le code, rien ne se passe.',
  },
})

export function writeOwnerCode(mail: Extract<OwnerMailData, { kind: 'code' }>, shareBaseUrl: string) {
  const { language, code: digits } = mail
  const reportUrl = reportUrlOf(shareBaseUrl)
  const isReply = mail.purpose === 'reply_address'
  const names = isReply ? { account: mail.accountName } : {}
  const textsIn = (locale: Locale) => {
    const { subject, replySubject, proveSubject, signIn, reply, prove, isYourCode, howLong, nobodyAsks, notYou } =
      ownerMessages(locale)
    const [title, about] = {
      sign_in: [subject, signIn] as const,
      prove: [proveSubject, prove] as const,
      reply_address: [replySubject, reply] as const,
    }[mail.purpose]
    return { title, about, isYourCode, rules: `${howLong} ${nobodyAsks}`, notYou }
  }
  const subject = inEach(language, (locale) => textsIn(locale).title)
  return layOut({ language }, subject, {
    first: (locale) => {
      const { title, about, isYourCode, rules, notYou } = textsIn(locale)
      return {
        text: [wrap(`${digits} ${isYourCode} ${fillText(about, names)}`), wrap(rules), wrap(notYou)],
        markup: [
          heading(html`${title}`),
          paragraph(fillMarkup(about, names)),
          code(digits),
          paragraph(html`${rules}`),
          small(html`${notYou}`),
        ],
      }
    },
    second: (locale) => {
      const { title, about, isYourCode, rules, notYou } = textsIn(locale)
      return {
        text: [wrap(`${digits} ${isYourCode} ${fillText(about, names)} ${rules}`), wrap(notYou)],
        markup: [
          paragraph(html`<strong>${title}.</strong> ${fillMarkup(about, names)} ${rules}`),
          small(html`${notYou}`),
        ],
      }
    },
    end: {
      text: isReply ? [reportLines(language, reportUrl)] : [],
      markup: isReply ? [small(reportLinks(language, reportUrl))] : [],
      forDevices: lineForDevices(shareBaseUrl, digits),
    },
  })
}
