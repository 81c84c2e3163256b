import type { Locale } from '@paraph/web/locale'
import type { PartyLineWords } from '@paraph/web/signature-line'
import { words } from './dictionary.js'

/** The ceremony's words for signature lines. */
export function partyLineWords(locale: Locale): PartyLineWords {
  const say = words(locale)
  return { signed: say.signed, notSigned: say.notSigned, you: say.partyYou, others: say.otherParties }
}
