import type { Locale } from '@paraph/web/locale'

/**
 * The sentence a party ticks. Evidence keeps its id and the SHA-256 of the exact text in the language shown. [D30]
 * Never edited: another sentence is another id.
 */
export const CONSENT: { id: string; text: Record<Locale, string> } = {
  id: 'consent-1',
  text: {
    en: 'I have read this contract. I agree to its terms and to sign it electronically.',
    fr: 'J’ai lu ce contrat. J’en accepte les modalités et j’accepte de le signer électroniquement.',
  },
}
