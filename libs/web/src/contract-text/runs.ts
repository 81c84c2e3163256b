// A line's text as runs: strings shown unchanged, and badges in place of hidden characters. Pure.
// Owns joining and cutting runs; hidden-characters.ts decides which characters become badges.
import { elementAt } from '@paraph/protocol/element-at'

/** Replaces `count` equal hidden characters in a row. */
export interface Badge {
  /** `U+202E RLO`; without the name if the character has none in common use. */
  label: string
  count: number
}

export type Run = string | Badge

/** The text of a badge: `U+202E RLO`, or `U+202E RLO ×17000` for several. */
export const badgeText = ({ label, count }: Badge): string => (count === 1 ? label : `${label} ×${count}`)

/** The visible text: the runs without their badges. */
export function plainText(runs: readonly Run[]): string {
  return runs.map((run) => (typeof run === 'string' ? run : '')).join('')
}

/** The lines as runs of one block, separated by line feeds. */
export function joinLines(lines: readonly (readonly Run[])[]): Run[] {
  const joined: Run[] = []
  const add = (run: Run) => {
    const last = joined.at(-1)
    if (typeof run === 'string' && typeof last === 'string') joined[joined.length - 1] = last + run
    else if (run !== '') joined.push(run)
  }
  lines.forEach((line, index) => {
    if (index > 0) add('\n')
    line.forEach(add)
  })
  return joined
}

/** Cuts after `length` characters of the plain text; a badge at the cut goes to the second part. */
export function cutRuns(runs: readonly Run[], length: number): [before: Run[], after: Run[]] {
  let left = length
  let index = 0
  while (index < runs.length && left > 0) {
    const run = elementAt(runs, index)
    if (typeof run === 'string' && run.length > left) {
      return [
        [...runs.slice(0, index), run.slice(0, left)],
        [run.slice(left), ...runs.slice(index + 1)],
      ]
    }
    if (typeof run === 'string') left -= run.length
    index += 1
  }
  return [runs.slice(0, index), runs.slice(index)]
}
