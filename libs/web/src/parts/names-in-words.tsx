// Puts names that users chose into our sentences, isolated from the sentence's direction.
import { elementAt } from '@paraph/protocol/element-at'
import type { ComponentChild, ComponentChildren } from 'preact'

/** A name, or a name with markup of its own. */
export type Name = string | { text: string; markup: ComponentChild }

/** Private-use characters are placeholders of the names while a sentence is built; our sentences contain no such characters. */
const FIRST_PLACE = 0xe000
const PLACE = /([\uE000-\uE00F])/u

/**
 * The sentence with each name isolated, so that a right-to-left name does not reorder it.
 * If a name ends in a full stop, such as "Ltd.", the sentence's own full stop after it is dropped.
 */
export function isolateNames(sentence: (...names: string[]) => string, ...names: Name[]): ComponentChildren {
  const places = names.map((_, index) => String.fromCodePoint(FIRST_PLACE + index))
  const [beginning, ...rest] = sentence(...places).split(PLACE)
  const set: ComponentChild[] = [beginning]
  for (let index = 0; index < rest.length; index += 2) {
    const name = elementAt(names, elementAt(rest, index).codePointAt(0)! - FIRST_PLACE)
    const { text, markup } = typeof name === 'string' ? { text: name, markup: <bdi>{name}</bdi> } : name
    set.push(markup, text.endsWith('.') ? elementAt(rest, index + 1).replace(/^\./, '') : rest[index + 1])
  }
  return set
}
