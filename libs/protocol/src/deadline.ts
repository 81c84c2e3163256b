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

/** Resolves when `work` settles, after `ms` at the latest. For clean-up whose failure has no remedy. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  await withTimeout(ms, work).catch(() => undefined)
}
