import type { Locale } from '@paraph/web/locale'

/**
 * Every consent sentence that a form has shown. The evidence holds the id and the SHA-256 of the exact text in the language shown, and
 * certificates quote the text. Append a new sentence; never edit or remove one. [D30]
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

/** The sentence that the form shows now. */
export const CONSENT = CONSENTS.at(-1)!
