// The terminal output while the stack starts and runs.

const write = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints each step when it begins, and its time when the next one begins. */
export function createProgress() {
  let stepAt: number | undefined

  function finishStep(): void {
    if (stepAt !== undefined) write(`  done in ${((performance.now() - stepAt) / 1_000).toFixed(1)} s`)
    stepAt = undefined
  }

  return {
    step(name: string): void {
      finishStep()
      stepAt = performance.now()
      write(name)
    },
    /** Prints one sentence, or an important log line. */
    say: write,
    /** Ends the last step and prints `table`. Call it when every service answers. */
    done(table: string): void {
      finishStep()
      write(`\nParaph is running. Ctrl-C stops it.\n\n${table}\n`)
    },
  }
}
