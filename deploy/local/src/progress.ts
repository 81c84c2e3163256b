// What the terminal shows while the stack starts and runs.

/** Each step is named when it begins and timed when the next one does. */
export function createProgress(write: (line: string) => void, now: () => number = () => performance.now()) {
  let current: { name: string; startedAt: number } | undefined

  function finishStep(): void {
    if (current) write(`  done in ${((now() - current.startedAt) / 1_000).toFixed(1)} s`)
    current = undefined
  }

  return {
    step(name: string): void {
      finishStep()
      current = { name, startedAt: now() }
      write(name)
    },
    /** One sentence, or a line of a log that matters. */
    say: (line: string): void => write(line),
    /** Everything answers. */
    done(table: string): void {
      finishStep()
      write(`\nParaph is running. Ctrl-C stops it.\n\n${table}\n`)
    },
  }
}
