// The window as clients read it: the three headers of every answer, and the refusal. [Limits, Errors, D27]
import type { ServerResponse } from 'node:http'
import { DomainError } from '@paraph/protocol/errors'
import type { WindowState } from './rate-limit.js'

/** The headers that every answer of the external interface carries. */
export function rateLimitHeaders(window: WindowState): Record<string, string> {
  return {
    'RateLimit-Limit': String(window.limit),
    'RateLimit-Remaining': String(window.remaining),
    'RateLimit-Reset': String(window.resetSeconds),
  }
}

/** Puts the headers onto an answer that is not sent yet. */
export function showWindow(answer: ServerResponse, window: WindowState): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(window))) answer.setHeader(name, value)
}

/** The error of a request that `window` had no slot for: wait until the window frees one. */
export function rateLimited(window: WindowState): DomainError {
  return new DomainError('rate_limited', 'Too many requests in the last minute. Wait as long as Retry-After says.', {
    headers: { 'Retry-After': String(window.resetSeconds) },
  })
}
