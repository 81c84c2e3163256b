// Time limits on promises: a frozen database neither answers nor refuses, and a client may send its body byte by byte.
import { unavailable } from './errors.js'

/** @throws `lateError`, by default a DomainError `unavailable`, when `work` takes longer than `ms`; a later outcome is ignored */
export async function withTimeout<T>(ms: number, work: Promise<T>, lateError: () => Error = unavailable): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(lateError()), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs `work` with a signal that aborts after `ms`, or when `cancelled` aborts. Use it instead of AbortSignal.timeout for work that usually
 * ends early: that timer would fire long after the work, and create an error that nobody reads.
 */
export async function withSignal<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  cancelled?: AbortSignal,
): Promise<T> {
  const controller = new AbortController()
  const abort = (): void => controller.abort(cancelled?.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  if (cancelled?.aborted) abort()
  cancelled?.addEventListener('abort', abort)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    cancelled?.removeEventListener('abort', abort)
  }
}

/** Resolves when `work` settles, after `ms` at the latest. For clean-up whose failure has no remedy. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  await withTimeout(ms, work).catch(() => undefined)
}
