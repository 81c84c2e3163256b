// What one line looks like by itself, before its neighbours are asked. PURE.
import { readHeading, type HeadingShape } from './heading.js'
import { readItem, type ItemShape } from './item.js'
import { plainText, type Run } from './runs.js'

export interface LineShape {
  runs: Run[]
  /** What is seen: hidden characters make no heading and hide none. */
  text: string
  /** Nothing at all to see; a line of chips alone is not blank. */
  isBlank: boolean
  heading: HeadingShape | undefined
  item: ItemShape | undefined
}

/** The shape of a line that was read by `readHidden`. */
export function readShape(runs: Run[]): LineShape {
  const text = plainText(runs)
  const isBlank = text.trim() === '' && runs.every((run) => typeof run === 'string')
  return { runs, text, isBlank, heading: readHeading(text), item: readItem(text) }
}
