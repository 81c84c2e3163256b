// Captures the real function before a test installs fake timers.
const { setTimeout } = globalThis
const now = Date.now

/**
 * Repeats `check` until it neither throws nor rejects.
 * @returns what `check` returns @throws the last error of `check` after `timeout` ms
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  { timeout = 30_000, interval = 20 }: { timeout?: number; interval?: number } = {},
): Promise<T> {
  const deadline = now() + timeout
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (now() >= deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
}
