// Messages in both languages. Owns the rule that every message exists in both.
import type { Locale } from './locale.js'

/** A text, a list of texts or a table of texts, in both languages. */
export type Translated<Message = string> = Record<Locale, Message>
/** A message, or a function from the parameters of a message to the message. */
type Entry = Translated<unknown> | ((...values: never[]) => Translated)
type Messages<Entries> = {
  [Key in keyof Entries]: Entries[Key] extends (...values: infer Values) => unknown
    ? (...values: Values) => string
    : Entries[Key] extends Translated<infer Message>
      ? Message
      : never
}

/** Builds a dictionary: call the result with a locale to get its messages by key. A key without French does not compile. */
export function createDictionary<Entries extends Record<string, Entry>>(entries: Entries) {
  const inLocale = (locale: Locale) =>
    Object.fromEntries(
      Object.entries<Entry>(entries).map(([key, entry]) => [
        key,
        typeof entry === 'function' ? (...values: never[]) => entry(...values)[locale] : entry[locale],
      ]),
    ) as Messages<Entries>
  const messages = { en: inLocale('en'), fr: inLocale('fr') }
  return (locale: Locale) => messages[locale]
}
