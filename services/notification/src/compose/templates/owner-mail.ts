// The mails to owners about their account and their sign-in: the decision on an application, keys, owners, replies, exports, erasures,
// wrong codes, a new browser. Pure. [D24]
// Each mail links to the console. No mail contains a secret or a link that grants access.
import { createDictionary } from '@paraph/web/dictionary'
import { formatInstant } from '@paraph/web/dates'
import type { OwnerMail } from '@paraph/protocol/owner-mail'
import type { Locale } from '@paraph/web/locale'
import { inEach, inLocale, layOut, reportLines, reportLinks, reportUrlOf, type Blocks } from './languages.js'
import { address, button, fillMarkup, heading, html, link, paragraph, quotation, small, subheading } from './markup.js'
import { fillText, textLine, wrap, type Names } from './plain-text.js'

/** Braces mark external names. No sentence ends with a name, because company names may end in a full stop. */
const messages = createDictionary({
  approvedSubject: { en: 'Your application is approved', fr: 'Votre demande est approuvée' },
  approved: {
    en: '{account} is approved. The console shows you the next step on the way to your first key.',
    fr: 'Le compte {account} est approuvé. La console vous montre la prochaine étape vers votre première clé.',
  },
  refusedSubject: { en: 'About your application', fr: 'Au sujet de votre demande' },
  refused: {
    en: 'We could not approve the application of {account} for this reason:',
    fr: 'Nous n’avons pas pu approuver la demande de {account} pour la raison suivante\u00A0:',
  },
  /** For the second language: the first part already contains the reason, in the operator's language. */
  refusedAbove: {
    en: 'We could not approve the application of {account} for the reason above.',
    fr: 'Nous n’avons pas pu approuver la demande de {account} pour la raison donnée ci-dessus.',
  },
  refusedAgain: {
    en: 'You may change what you told us and apply again.',
    fr: 'Vous pouvez modifier vos réponses et présenter une nouvelle demande.',
  },
  createdSubject: { en: 'A key was created', fr: 'Une clé a été créée' },
  created: {
    en: 'For {account}, {by} created the key “{key}” ({hint}).',
    fr: 'Pour {account}, {by} a créé la clé «\u00A0{key}\u00A0» ({hint}).',
  },
  createdByOperator: {
    en: 'For {account}, the operator created the key “{key}” ({hint}).',
    fr: 'Pour {account}, l’exploitant a créé la clé «\u00A0{key}\u00A0» ({hint}).',
  },
  revokedSubject: { en: 'A key was revoked', fr: 'Une clé a été révoquée' },
  revoked: {
    en: 'For {account}, {by} revoked the key “{key}” ({hint}). It works no more.',
    fr: 'Pour {account}, {by} a révoqué la clé «\u00A0{key}\u00A0» ({hint}). Elle ne fonctionne plus.',
  },
  revokedByOperator: {
    en: 'For {account}, the operator revoked the key “{key}” ({hint}). It works no more.',
    fr: 'Pour {account}, l’exploitant a révoqué la clé «\u00A0{key}\u00A0» ({hint}). Elle ne fonctionne plus.',
  },
  notYou: {
    en: 'None of you did this? Sign in, revoke every key that you do not know, and write to the operator.',
    fr: 'Aucun de vous n’a fait cela? Connectez-vous, révoquez toute clé que vous ne connaissez pas et écrivez à l’exploitant.',
  },
  notExpected: {
    en: 'You did not expect this? Write to the operator.',
    fr: 'Vous ne vous y attendiez pas? Écrivez à l’exploitant.',
  },
  invitedSubject: { en: 'You are asked to own an account', fr: 'On vous propose de gérer un compte' },
  invited: {
    en: '{by} asks you to own the account of {account} together with them. Sign in with this address and say yes or no.',
    fr: '{by} vous propose de gérer le compte de {account} à plusieurs. Connectez-vous avec cette adresse et répondez par oui ou non.',
  },
  invitedNothing: {
    en: 'You do not know this address? Do nothing, or report it: until you say yes, nothing has changed.',
    fr: 'Vous ne connaissez pas cette adresse? Ne faites rien, ou signalez-le\u00A0: tant que vous ne dites pas oui, rien n’a changé.',
  },
  lockedSubject: {
    en: 'Wrong codes were typed for your sign-in',
    fr: 'Des codes erronés ont été entrés à votre connexion',
  },
  locked: {
    en: 'Today somebody typed 20 wrong codes to sign in to the console with your address. None of them worked. Until midnight (UTC) your codes have 12 digits; you can sign in as ever.',
    fr: 'Aujourd’hui, quelqu’un a entré 20 codes erronés pour se connecter à la console avec votre adresse. Aucun n’a fonctionné. Jusqu’à minuit (UTC), vos codes comptent 12 chiffres; vous pouvez vous connecter comme d’habitude.',
  },
  lockedAdvice: {
    en: 'If that was you, all is well. If it was not, never pass a code on, and write to the operator if this comes again.',
    fr: 'Si c’était vous, tout va bien. Sinon, ne transmettez jamais un code, et écrivez à l’exploitant si cela se répète.',
  },
  browserSubject: { en: 'You signed in from a new browser', fr: 'Connexion depuis un nouveau navigateur' },
  browser: {
    en: 'Somebody signed in to the console with your address, in a browser that you had not used there before. It is in the network {network} and typed the code that we sent you.',
    fr: 'Quelqu’un s’est connecté à la console avec votre adresse, dans un navigateur que vous n’y aviez pas encore utilisé. Il se trouve dans le réseau {network} et a entré le code que nous vous avons envoyé.',
  },
  browserAdvice: {
    en: 'If that was you, all is well. If it was not, somebody reads your e-mail: sign in, choose “Sign out everywhere”, revoke every key that you do not know, and write to the operator.',
    fr: 'Si c’était vous, tout va bien. Sinon, quelqu’un lit vos courriels\u00A0: connectez-vous, choisissez «\u00A0Se déconnecter partout\u00A0», révoquez toute clé que vous ne connaissez pas et écrivez à l’exploitant.',
  },
  ownersSubject: { en: 'The owners of your account changed', fr: 'Les responsables de votre compte ont changé' },
  ownersInvitedSubject: { en: 'A new owner was invited', fr: 'Un nouveau responsable a été invité' },
  ownersInvited: {
    en: 'For {account}, {by} invited {owner} to own the account with you. An owner can do everything that you can do.',
    fr: 'Pour {account}, {by} a invité {owner} à gérer le compte avec vous. Un responsable peut faire tout ce que vous pouvez faire.',
  },
  ownersJoined: {
    en: 'For {account}, {owner} accepted the invitation and owns the account with you from now on.',
    fr: 'Pour {account}, {owner} a accepté l’invitation et gère désormais le compte avec vous.',
  },
  ownersDeclined: {
    en: 'For {account}, {owner} declined the invitation to own the account. Nothing else has changed.',
    fr: 'Pour {account}, {owner} a décliné l’invitation à gérer le compte. Rien d’autre n’a changé.',
  },
  ownersDeclinedSubject: { en: 'An invitation was declined', fr: 'Une invitation a été déclinée' },
  ownersRemoved: {
    en: 'For {account}, {by} removed {owner} from the owners of the account.',
    fr: 'Pour {account}, {by} a retiré {owner} des responsables du compte.',
  },
  ownersLeft: {
    en: 'For {account}, {owner} left the owners of the account.',
    fr: 'Pour {account}, {owner} a quitté les responsables du compte.',
  },
  replySubject: { en: 'Replies go somewhere else now', fr: 'Les réponses vont maintenant ailleurs' },
  replySet: {
    en: 'For {account}, {by} changed where replies of the parties go: in new contracts, to {address} only.',
    fr: 'Pour {account}, {by} a changé où vont les réponses des parties\u00A0: dans les nouveaux contrats, à {address} seulement.',
  },
  replyRemoved: {
    en: 'For {account}, {by} removed the address for replies. The mails of new contracts name no address for replies.',
    fr: 'Pour {account}, {by} a retiré l’adresse des réponses. Les courriels des nouveaux contrats n’indiquent aucune adresse de réponse.',
  },
  exportedSubject: { en: 'Your account was exported', fr: 'Votre compte a été exporté' },
  exported: {
    en: 'For {account}, {by} downloaded all data of the account, with the text of every contract.',
    fr: 'Pour {account}, {by} a téléchargé toutes les données du compte, avec le texte de chaque contrat.',
  },
  erasureSubject: { en: 'A contract will be erased', fr: 'Un contrat sera effacé' },
  erasure: {
    en: 'For {account}, {by} asked to erase the contract {number}. Its text, names and addresses are erased after {at}.',
    fr: 'Pour {account}, {by} a demandé d’effacer le contrat {number}. Son texte, ses noms et ses adresses seront effacés après le {at}.',
  },
  erasureKeep: {
    en: 'To keep the contract, open it in the console before then and choose “Keep this contract”.',
    fr: 'Pour garder le contrat, ouvrez-le dans la console avant ce moment et choisissez «\u00A0Garder ce contrat\u00A0».',
  },
  notKnown: {
    en: 'You do not know about this? Sign in, look at the owners and the audit log of the account, and write to the operator.',
    fr: 'Vous n’étiez pas au courant? Connectez-vous, regardez les responsables et le journal du compte, et écrivez à l’exploitant.',
  },
  open: { en: 'Open the console', fr: 'Ouvrir la console' },
})

type Key = keyof ReturnType<typeof messages>

interface Content {
  subject: Key
  /** The sentences of the mail; the first is the main sentence. */
  body: readonly Key[]
  /** The body in the mail's second language, if it differs. */
  again?: readonly Key[]
  /** The operator's text, below the main sentence. */
  quoted?: string
  /** True for a mail that asks a stranger for something. Such a mail links to the report form. */
  isRequest?: true
  names: Names
  /** The time that `{at}` stands for. */
  at?: { instant: string; timeZone: string }
}

export function writeOwnerMail(mail: OwnerMail, shareBaseUrl: string) {
  const consoleUrl = `${shareBaseUrl}/console`
  const reportUrl = reportUrlOf(shareBaseUrl)
  const { subject, body, again = body, quoted, isRequest, names, at } = contentOf(mail)
  const { language } = mail
  const title = inEach(language, (locale) => messages(locale)[subject])
  const quote = quoted?.split('\n').filter((line) => line.trim() !== '')
  /** The sentences of one language, each as a block. */
  const sentences = (keys: readonly Key[], locale: Locale): Blocks => {
    const time = at && { at: formatInstant(new Date(at.instant), locale, { timeZone: at.timeZone }) }
    const filled = { ...names, ...time }
    return {
      text: keys.map((key) => wrap(fillText(messages(locale)[key], filled))),
      markup: keys.map((key, index) => (index ? small : paragraph)(fillMarkup(messages(locale)[key], filled))),
    }
  }
  return layOut({ language }, title, {
    first: (locale) => {
      const { text, markup } = sentences(body, locale)
      if (quote) {
        text.splice(1, 0, quote.map((line) => `  ${wrap(textLine(line), 2)}`).join('\n'))
        markup.splice(1, 0, quotation(quote))
      }
      const title = heading(html`${messages(locale)[subject]}`)
      return { text, markup: [title, ...markup, button(consoleUrl, messages(locale).open)] }
    },
    second: (locale) => {
      const { text, markup } = sentences(again, locale)
      const open = link(inLocale(consoleUrl, language, locale), messages(locale).open)
      return { text, markup: [subheading(html`${messages(locale)[subject]}`), ...markup, paragraph(open)] }
    },
    end: {
      text: [
        `${inEach(language, (locale) => messages(locale).open)}\n${consoleUrl}`,
        ...(isRequest ? [reportLines(language, reportUrl)] : []),
      ],
      markup: [...(isRequest ? [small(reportLinks(language, reportUrl))] : []), address(consoleUrl)],
    },
  })
}

const OWNERS_CHANGED = {
  invited: { subject: 'ownersInvitedSubject', body: ['ownersInvited', 'notKnown'] },
  joined: { subject: 'ownersSubject', body: ['ownersJoined', 'notKnown'] },
  declined: { subject: 'ownersDeclinedSubject', body: ['ownersDeclined'] },
  removed: { subject: 'ownersSubject', body: ['ownersRemoved', 'notKnown'] },
  left: { subject: 'ownersSubject', body: ['ownersLeft'] },
} as const satisfies Record<string, Pick<Content, 'subject' | 'body'>>

function contentOf(mail: OwnerMail): Content {
  switch (mail.kind) {
    case 'application_approved':
      return { subject: 'approvedSubject', body: ['approved'], names: { account: mail.data.accountName } }
    case 'application_refused':
      return {
        subject: 'refusedSubject',
        body: ['refused', 'refusedAgain'],
        again: ['refusedAbove', 'refusedAgain'],
        quoted: mail.data.reason,
        names: { account: mail.data.accountName },
      }
    case 'key_created':
    case 'key_revoked': {
      const { accountName: account, keyName: key, keyHint: hint, by } = mail.data
      const what = mail.kind === 'key_created' ? 'created' : 'revoked'
      return {
        subject: `${what}Subject`,
        body: by === null ? [`${what}ByOperator`, 'notExpected'] : [what, 'notYou'],
        names: { account, key, hint, ...(by === null ? {} : { by }) },
      }
    }
    case 'owner_invited':
      return {
        subject: 'invitedSubject',
        body: ['invited', 'invitedNothing'],
        isRequest: true,
        names: { account: mail.data.accountName, by: mail.data.by },
      }
    case 'codes_locked':
      return { subject: 'lockedSubject', body: ['locked', 'lockedAdvice'], names: {} }
    case 'new_browser':
      return { subject: 'browserSubject', body: ['browser', 'browserAdvice'], names: { network: mail.data.network } }
    case 'owners_changed': {
      const { accountName: account, by, owner, change } = mail.data
      return { ...OWNERS_CHANGED[change], names: { account, by, owner } }
    }
    case 'reply_address_changed': {
      const { accountName: account, by, address } = mail.data
      return {
        subject: 'replySubject',
        body: [address === null ? 'replyRemoved' : 'replySet', 'notKnown'],
        names: { account, by, ...(address !== null && { address }) },
      }
    }
    case 'account_exported':
      return {
        subject: 'exportedSubject',
        body: ['exported', 'notKnown'],
        names: { account: mail.data.accountName, by: mail.data.by },
      }
    case 'erasure_requested': {
      const { accountName: account, by, contractNumber: number, at: instant, timeZone } = mail.data
      return {
        subject: 'erasureSubject',
        body: ['erasure', 'erasureKeep', 'notKnown'],
        names: { account, by, number },
        at: { instant, timeZone },
      }
    }
  }
}
