// The shape of one line by itself; its neighbours decide later what it is. Pure.
import { readHeading, type HeadingShape } from './heading.js'
import { readItem, type ItemShape } from './item.js'
import { plainText, type Run } from './runs.js'

export interface LineShape {
  runs: Run[]
  /** The visible text: hidden characters neither make nor hide a heading. */
  text: string
  /** The line shows nothing; a line of badges is not blank. */
  isBlank: boolean
  heading: HeadingShape | undefined
  item: ItemShape | undefined
}

/** The shape of a line from `readHidden`. */
export function readShape(runs: Run[]): LineShape {
  const text = plainText(runs)
  const isBlank = text.trim() === '' && runs.every((run) => typeof run === 'string')
  return { runs, text, isBlank, heading: readHeading(text), item: readItem(text) }
}
