// What the account page shows, and what its forms may choose. [D34, D57, D58, D70]
import type { FieldError } from '@paraph/web/fields'
import type { AccountOwner } from '../../accounts/account-owners.js'
import type { AccountRow } from '../../accounts/account-store.js'
import type { PageProps } from '../frame/page-props.js'

/** The choices of each kind of mail about contracts. [D70] */
export const MAIL_CHOICES = {
  mailsRefused: ['now', 'off'],
  mailsDeclined: ['now', 'off'],
  mailsCompleted: ['daily', 'each', 'off'],
  mailsExpired: ['daily', 'off'],
} as const
export type MailChoice = keyof typeof MAIL_CHOICES

/** What a party that declines does to its contract. [D57] */
export const ON_DECLINE = ['keep', 'cancel'] as const

/** Whether parties are reminded before a contract expires. [D58] */
export const REMINDERS = ['remind', 'remindNobody'] as const

/** Confirms the previous act at the top of the page. */
export type AccountNotice = 'saved' | 'replyConfirmed' | 'inviteDone' | 'roleChanged' | 'resetDone'

export interface AccountPageProps {
  page: PageProps
  account: AccountRow
  owners: readonly AccountOwner[]
  /** The mailboxes of the people that have a passkey. */
  withPasskey: ReadonlySet<string>
  notice?: AccountNotice | undefined
  errors?: readonly FieldError[]
  /** Typed values, shown again with errors. */
  typed?: Partial<
    Record<
      'senderName' | 'language' | 'timeZone' | 'reminders' | 'onDecline' | MailChoice | 'reply' | 'owner' | 'role',
      string
    >
  >
}
