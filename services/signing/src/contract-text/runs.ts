// A line's text as runs: what is shown as it is, and chips that stand for what cannot be seen. PURE.
// Owns joining and cutting runs. Which characters become chips is the hidden characters' affair.

/** Stands for hidden characters: the label says which, `count` how many of the same one in a row. */
export interface Chip {
  /** `U+202E RLO`; the name is left out where the character has none in common use. */
  label: string
  count: number
}

export type Run = string | Chip

/** What a chip shows: `U+202E RLO`, of several `U+202E RLO ×17000`. */
export const chipText = ({ label, count }: Chip): string => (count === 1 ? label : `${label} ×${count}`)

/** The text that is seen: the runs without their chips. */
export function plainText(runs: readonly Run[]): string {
  return runs.map((run) => (typeof run === 'string' ? run : '')).join('')
}

/** Lines as the runs of one block, a line feed between two lines. */
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

/** Cuts where `length` characters of the plain text are behind; a chip on the cut goes to the second part. */
export function cutRuns(runs: readonly Run[], length: number): [before: Run[], after: Run[]] {
  let left = length
  let index = 0
  while (index < runs.length && left > 0) {
    const run = runs[index]!
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
