// The mails to owners about their account and their sign-in: the decision on an application, keys, owners, replies, exports, erasures,
// wrong codes, a new browser. Pure. [D24]
// Each mail links to the console. No mail contains a secret or a link that grants access.
import { formatDeadline } from '@paraph/web/dates'
import type { OwnerMail } from '@paraph/protocol/owner-mail'
import type { Locale } from '@paraph/web/locale'
import { inEach, inLocale, layOut, reportLines, reportLinks, reportUrlOf, type Blocks } from './languages.js'
import { address, button, fillMarkup, heading, html, link, paragraph, quotation, small, subheading } from './markup.js'
import { ownerMessages as messages } from './owner-messages.js'
import { fillText, textLine, wrap, type Names } from './plain-text.js'

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
    const time = at ? formatDeadline(new Date(at.instant), locale, at.timeZone) : ''
    const texts = keys.map((key) => messages(locale)[key].replace('{at}', time))
    return {
      text: texts.map((text) => wrap(fillText(text, names))),
      markup: texts.map((text, index) => (index ? small : paragraph)(fillMarkup(text, names))),
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
  invited: { subject: 'ownersInvitedSubject', body: ['ownersInvited', 'role', 'notKnown'] },
  joined: { subject: 'ownersSubject', body: ['ownersJoined', 'role', 'notKnown'] },
  declined: { subject: 'ownersDeclinedSubject', body: ['ownersDeclined'] },
  removed: { subject: 'ownersSubject', body: ['ownersRemoved', 'notKnown'] },
  left: { subject: 'ownersSubject', body: ['ownersLeft'] },
  role_changed: { subject: 'ownersSubject', body: ['ownersRoleChanged', 'role', 'notKnown'] },
} as const satisfies Record<string, { subject: Key; body: readonly (Key | 'role')[] }>

const SIGN_IN_CHANGED = {
  passkey_added: 'passkeyAdded',
  passkey_removed: 'passkeyRemoved',
  codes_replaced: 'codesReplaced',
  code_used: 'codeUsed',
  codes_locked: 'codesLocked',
} as const

/** The sentence about each role, where a body says `role`. [D72] */
const ROLE = { owner: 'roleOwner', developer: 'roleDeveloper', viewer: 'roleViewer' } as const

const ABOUT_CONTRACT = {
  invitation_refused: {
    subject: 'refusedInvitationSubject',
    body: ['refusedInvitation', 'refusedInvitationAdvice', 'whichMails'],
  },
  party_declined: { subject: 'declinedSubject', body: ['declined', 'declinedAdvice', 'whichMails'] },
  contract_completed: { subject: 'completedSubject', body: ['completed', 'whichMails'] },
} as const satisfies Record<string, Pick<Content, 'subject' | 'body'>>

const ofContract = ({
  accountName: account,
  contractNumber: number,
}: {
  accountName: string
  contractNumber: string
}) => ({ account, number })

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
    case 'brand_approved':
      return { subject: 'brandSubject', body: ['brandApproved'], names: { account: mail.data.accountName } }
    case 'brand_refused':
      return {
        subject: 'brandRefusedSubject',
        body: ['brandRefused', 'brandAgain'],
        again: ['brandRefusedAbove', 'brandAgain'],
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
        body: ['invited', ROLE[mail.data.role], 'invitedNothing'],
        isRequest: true,
        names: { account: mail.data.accountName, by: mail.data.by },
      }
    case 'codes_locked':
      return { subject: 'lockedSubject', body: ['locked', 'lockedAdvice'], names: {} }
    case 'new_browser':
      return { subject: 'browserSubject', body: ['browser', 'browserAdvice'], names: { network: mail.data.network } }
    case 'owner_new_browser': {
      const { accountName: account, owner, network } = mail.data
      const body = ['ownerBrowser', 'ownerBrowserAdvice'] as const
      return { subject: 'ownerBrowserSubject', body, names: { account, owner, network } }
    }
    case 'sign_in_changed': {
      const what = SIGN_IN_CHANGED[mail.data.change]
      return { subject: `${what}Subject`, body: [what, 'signInAdvice'], names: {} }
    }
    case 'passkeys_reset': {
      const { owner, by } = mail.data
      return {
        subject: 'passkeysResetSubject',
        body: [by === null ? 'passkeysResetByOperator' : 'passkeysReset', 'passkeysResetAdvice'],
        names: { owner, ...(by !== null && { by }) },
      }
    }
    case 'owners_changed': {
      const { accountName: account, by, owner, role, change } = mail.data
      const { subject, body } = OWNERS_CHANGED[change]
      return { subject, body: body.map((key) => (key === 'role' ? ROLE[role] : key)), names: { account, by, owner } }
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
    case 'webhook_disabled':
      return {
        subject: 'webhookSubject',
        body: ['webhook', 'webhookAdvice'],
        names: { account: mail.data.accountName },
      }
    case 'invitation_refused':
    case 'party_declined':
    case 'contract_completed':
      return { ...ABOUT_CONTRACT[mail.kind], names: ofContract(mail.data) }
    case 'invitations_refused': {
      const { accountName: account, count } = mail.data
      const body = ['refusedInvitations', 'refusedInvitationsAdvice', 'whichMails'] as const
      return { subject: 'refusedInvitationsSubject', body, names: { account, count: String(count) } }
    }
    case 'daily_summary': {
      const { accountName: account, completed, expired } = mail.data
      const names = { account, completed: String(completed), expired: String(expired) }
      return { subject: 'summarySubject', body: ['summary', 'whichMails'], names }
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
