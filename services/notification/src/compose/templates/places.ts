// Sentences with placeholders for external names: `{by} created the key “{key}”.` Pure.
// Names are inserted in one pass, so that braces in a name are not placeholders.
import { html, name, type Markup } from './markup.js'
import { textName } from './plain-text.js'

/** Placeholder → name. */
export type Names = Readonly<Record<string, string>>

const PLACE = /\{(\w+)\}/

/** For plain text, before wrapping. */
export const fillText = (sentence: string, names: Names): string =>
  split(sentence)
    .map((piece, index) => (index % 2 ? textName(names[piece] ?? '') : piece))
    .join('')

/** The same for HTML. */
export const fillMarkup = (sentence: string, names: Names): Markup =>
  html`${split(sentence).map((piece, index) => (index % 2 ? name(names[piece] ?? '') : html`${piece}`))}`

/** Every second piece is the name of a placeholder. */
const split = (sentence: string): string[] => sentence.split(PLACE)
