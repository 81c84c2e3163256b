// Messages in both languages. Owns the rule that every key has English and French of the same type.
import type { Locale } from './locale.js'

/** A key's two messages: strings, or functions of the values in the sentence. */
type Entries<English> = { [Key in keyof English]: { en: English[Key]; fr: NoInfer<English[Key]> } }

/**
 * Builds a dictionary: call the result with a locale to get its messages by key.
 * A key without French, or with French that takes other parameters than its English, does not compile.
 */
export function createDictionary<English extends object>(entries: Entries<English>): (locale: Locale) => English {
  const inLocale = (locale: Locale) =>
    Object.fromEntries(Object.entries<Record<Locale, unknown>>(entries).map(([key, entry]) => [key, entry[locale]]))
  const messages = { en: inLocale('en'), fr: inLocale('fr') }
  return (locale) => messages[locale] as English
}
