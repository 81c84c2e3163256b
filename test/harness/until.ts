// Waits for a condition, not for a fixed time: polls until there is an answer, and names the missing condition if there is none.

/** Resolves with the first answer that is not undefined. @throws Error with `what` after `withinMs` */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`This never came: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
