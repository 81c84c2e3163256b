// How long somebody waits. A database that is frozen rather than gone never answers and never refuses; a client may send
// its body byte by byte.
import { DomainError } from '@paraph/protocol/errors'

const unavailable = () =>
  new DomainError('unavailable', 'The service cannot answer at the moment. Try again in a few seconds.')

/** @throws `lateError`, by default a DomainError `unavailable`, when `work` takes longer than `ms`; its later outcome is dropped */
export async function within<T>(ms: number, work: Promise<T>, lateError: () => Error = unavailable): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError()), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when `work` ends, in whatever way, and after `ms` at the latest. For an end that nobody can do anything about. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work.catch(() => undefined), late.promise])
  clearTimeout(timer)
}
