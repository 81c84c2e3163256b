// Time limits on promises: a frozen database neither answers nor refuses, and a client may send its body byte by byte.
import { DomainError } from '@paraph/protocol/errors'

const unavailable = () =>
  new DomainError('unavailable', 'The service cannot answer at the moment. Try again in a few seconds.')

/** @throws `lateError`, by default a DomainError `unavailable`, when `work` takes longer than `ms`; a later outcome is ignored */
export async function withTimeout<T>(ms: number, work: Promise<T>, lateError: () => Error = unavailable): Promise<T> {
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

/** Resolves when `work` settles, after `ms` at the latest. For clean-up whose failure nothing can be done about. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work.catch(() => undefined), late.promise])
  clearTimeout(timer)
}
