// Answers that wait. A client that keeps a thousand forms open sends the next one as soon as it has an answer, so a refused form has to wait
// for its own. [F39]

/** Every answer waits at least this long. */
const HOLD_MS = 1_000
/** At most 100 held answers a second: a thousand open forms wait ten seconds each, and cost no more than a hundred do. */
const EACH_MS = 10
/** The last of them waits about 50 s, less than a proxy's 60. */
const HELD_MAX = 5_000

/** @returns a function that calls each `answer` after its wait, in order; at once if too many wait already */
export function createHeldAnswers(holdMs = HOLD_MS) {
  // A plain list and one timer: promises and timers of a thousand held answers would make each garbage collection long.
  const held: { dueMs: number; answer: () => void }[] = []
  let timer: NodeJS.Timeout | undefined

  function answerNext(): void {
    if (held[0] && held[0].dueMs <= performance.now()) held.shift()!.answer()
    if (held.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (answer: () => void): void => {
    if (held.length >= HELD_MAX) return answer()
    held.push({ dueMs: performance.now() + holdMs, answer })
    timer ??= setInterval(answerNext, EACH_MS)
  }
}
