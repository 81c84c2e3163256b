// Names from outside within our sentences. Owns how they are set apart; the sentences are the dictionary's.
import type { ComponentChild, ComponentChildren } from 'preact'

/** A name, or a name with a look of its own. */
type Name = string | { text: string; markup: ComponentChild }

/** Private-use characters stand for the names while a sentence is put together; our sentences hold none. */
const FIRST_PLACE = 0xe000
const PLACE = /([\uE000-\uE00F])/u

/**
 * The sentence with each name isolated, so that its direction has no say in ours.
 * A name that brings its own full stop, such as "Ltd.", ends the sentence with it.
 */
export function setNames(sentence: (...names: string[]) => string, ...names: Name[]): ComponentChildren {
  const places = names.map((_, index) => String.fromCodePoint(FIRST_PLACE + index))
  const [beginning, ...rest] = sentence(...places).split(PLACE)
  const set: ComponentChild[] = [beginning]
  for (let index = 0; index < rest.length; index += 2) {
    const name = names[rest[index]!.codePointAt(0)! - FIRST_PLACE]!
    const { text, markup } = typeof name === 'string' ? { text: name, markup: <bdi>{name}</bdi> } : name
    set.push(markup, text.endsWith('.') ? rest[index + 1]!.replace(/^\./, '') : rest[index + 1])
  }
  return set
}
