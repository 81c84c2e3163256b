// Starts of single processes beside a stack: the wait for readiness, and the retry if another program takes a port.

/**
 * True once the process answers 200 at /readyz. The call has a time limit, because a program that took the port may accept the connection
 * and never answer.
 */
export async function isReady(internalPort: number): Promise<true | undefined> {
  const signal = AbortSignal.timeout(2_000)
  const answer = await fetch(`http://127.0.0.1:${internalPort}/readyz`, { signal }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200 ? true : undefined
}

/** Calls `start`, which claims ports, again if another program took a port between the claim and the listen. */
export async function retryIfPortTaken<Started>(start: () => Promise<Started>): Promise<Started> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      if (tries === 3 || !String(error).includes('EADDRINUSE')) throw error
    }
  }
}
