// The terminal output while the stack starts and runs.

/** Prints each step when it begins, and its time when the next one begins. */
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
    /** Prints one sentence, or an important log line. */
    say: (line: string): void => write(line),
    /** Call when everything answers. */
    done(table: string): void {
      finishStep()
      write(`\nParaph is running. Ctrl-C stops it.\n\n${table}\n`)
    },
  }
}
