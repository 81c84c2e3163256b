// Sentences in both languages. Owns: the rule that a key has English and French, of the same shape.
import type { Locale } from './locale.js'

/** A key's two texts: a string, or a function of the facts that the sentence holds. */
type Entries<English> = { [Key in keyof English]: { en: English[Key]; fr: NoInfer<English[Key]> } }

/**
 * Builds a dictionary: call the result with a locale and get the words of that language by key.
 * A key without French, or whose French takes other facts than its English, does not compile.
 */
export function createDictionary<English extends object>(entries: Entries<English>): (locale: Locale) => English {
  const inLocale = (locale: Locale) =>
    Object.fromEntries(Object.entries<Record<Locale, unknown>>(entries).map(([key, entry]) => [key, entry[locale]]))
  const words = { en: inLocale('en'), fr: inLocale('fr') }
  return (locale) => words[locale] as English
}
