// Sentences with places for names from outside, in braces: `{by} created the key “{key}”.` Pure.
// A name is set once and never read again: braces in it are no place.
import { html, name, type Markup } from './markup.js'
import { textName } from './plain-text.js'

/** Place → the name that stands there. */
export type Names = Readonly<Record<string, string>>

const PLACE = /\{(\w+)\}/

/** For plain text, not wrapped yet. */
export const fillText = (sentence: string, names: Names): string =>
  split(sentence)
    .map((piece, index) => (index % 2 ? textName(names[piece] ?? '') : piece))
    .join('')

/** The same for HTML. */
export const fillMarkup = (sentence: string, names: Names): Markup =>
  html`${split(sentence).map((piece, index) => (index % 2 ? name(names[piece] ?? '') : html`${piece}`))}`

/** Every second piece is the name of a place. */
const split = (sentence: string): string[] => sentence.split(PLACE)
