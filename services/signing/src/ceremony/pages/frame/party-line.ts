import type { Locale } from '@paraph/web/locale'
import type { PartyLineMessages } from '@paraph/web/signature-line'
import { ceremonyMessages } from './messages.js'

/** The ceremony's messages for signature lines. */
export function partyLineMessages(locale: Locale): PartyLineMessages {
  const messages = ceremonyMessages(locale)
  return {
    signed: messages.signed,
    notSigned: messages.notSigned,
    you: messages.partyYou,
    others: messages.otherParties,
  }
}
