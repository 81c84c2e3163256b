// How long the edge waits. A database that is frozen rather than gone never answers and never refuses; a client may send
// its body byte by byte.
import { DomainError } from '@paraph/protocol/errors'

const unavailable = () =>
  new DomainError('unavailable', 'The service cannot answer at the moment. Try again in a few seconds.')

/** @throws DomainError `lateError`, by default `unavailable`, when `work` takes longer than `ms`; its later outcome is dropped */
export async function within<T>(ms: number, work: Promise<T>, lateError = unavailable): Promise<T> {
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
