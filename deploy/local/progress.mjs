// The steps of a start, one line each: `✓ Services      2.8 s`. A terminal shows the current step too.
// Plain JavaScript, because start.mjs prints the build with it.
import { clearLine, cursorTo } from 'node:readline'
import { styleText } from 'node:util'

const NAME_WIDTH = 14

/** @param out standard output, or a stream of a test */
export function createProgress(out = process.stdout) {
  let current

  const styled = (style, text) => styleText(style, text, { stream: out })
  const write = (line) => void out.write(`${line}\n`)

  function clear() {
    if (!current || !out.isTTY) return
    cursorTo(out, 0)
    clearLine(out, 0)
  }
  function draw() {
    if (current && out.isTTY) out.write(styled('dim', `  ${current.name}`))
  }
  function end(mark) {
    if (!current) return
    clear()
    const seconds = ((performance.now() - current.startedAt) / 1_000).toFixed(1)
    write(`${mark} ${current.name.padEnd(NAME_WIDTH)}${styled('dim', `${seconds} s`)}`)
    current = undefined
  }

  const finish = () => end(styled('green', '✓'))

  return {
    /** Begins a step; the step before has succeeded. */
    step(name) {
      finish()
      current = { name, startedAt: performance.now() }
      draw()
    },
    /** Prints one sentence, or an important log line, above the current step. */
    say(line) {
      clear()
      write(line)
      draw()
    },
    /** The current step has succeeded. */
    finish,
    /** The current step has failed. The reason follows on standard error. */
    fail: () => end(styled('red', '✗')),
  }
}
