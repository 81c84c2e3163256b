import type { Locale } from '@paraph/web/locale'

/**
 * Every sentence that a party was ever asked to tick. Evidence keeps its id and the SHA-256 of the exact text in the language shown, and a
 * certificate quotes it, also of a contract that was under way when another came. Never edited, never removed: the next is added. [D30]
 */
export const CONSENTS: readonly { id: string; text: Record<Locale, string> }[] = [
  {
    id: 'consent-1',
    text: {
      en: 'I have read this contract. I agree to its terms and to sign it electronically.',
      fr: 'J’ai lu ce contrat. J’en accepte les modalités et j’accepte de le signer électroniquement.',
    },
  },
]

/** The one that is shown today. */
export const CONSENT = CONSENTS.at(-1)!
