// Messages in both languages. Owns the rule that every key has English and French of the same type.
import type { Locale } from './locale.js'

/** A key's two messages: strings, or functions of the values in the sentence. */
type Entries<English> = { [Key in keyof English]: { en: English[Key]; fr: NoInfer<English[Key]> } }

/** A message in both languages, or a function from the values in a sentence to it. */
type Sentence = Record<Locale, string> | ((...values: never[]) => Record<Locale, string>)
type Messages<Sentences> = {
  [Key in keyof Sentences]: Sentences[Key] extends (...values: infer Values) => unknown
    ? (...values: Values) => string
    : string
}

/**
 * Builds a dictionary: call the result with a locale to get its messages by key.
 * A key without French, or with French that takes other parameters than its English, does not compile.
 */
export function createDictionary<English extends object>(entries: Entries<English>): (locale: Locale) => English
export function createDictionary<Sentences extends Record<string, Sentence>>(
  entries: Sentences,
): (locale: Locale) => Messages<Sentences>
export function createDictionary(entries: Record<string, Sentence>): (locale: Locale) => object {
  const inLocale = (locale: Locale) =>
    Object.fromEntries(
      Object.entries(entries).map(([key, entry]) => [
        key,
        typeof entry === 'function' ? (...values: never[]) => entry(...values)[locale] : entry[locale],
      ]),
    )
  const messages = { en: inLocale('en'), fr: inLocale('fr') }
  return (locale) => messages[locale]
}
