// Headers that every answer of the external interface carries, refusals included. [Limits, Errors, D6, D22, D27]
import type { ServerResponse } from 'node:http'
import { DomainError } from '@paraph/protocol/errors'
import type { WindowState } from '../rate-limit/sliding-window.js'

/** Answers contain names, addresses and share links. By default, no cache may store them. */
export const ANSWER_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const

/** Sets `ANSWER_HEADERS`; a later step may set another `Cache-Control`. */
export function setAnswerHeaders(response: ServerResponse): void {
  response.setHeader('Cache-Control', ANSWER_HEADERS['Cache-Control'])
  response.setHeader('X-Content-Type-Options', ANSWER_HEADERS['X-Content-Type-Options'])
}

/** The quota of a calendar month. */
export interface MonthState {
  quota: number
  remaining: number
  /** The length of the month. */
  seconds: number
  resetSeconds: number
}

/**
 * The three headers of the specification, and the two of the IETF's draft, which also say what is left of the month if that is known.
 * [Limits, D67, draft-ietf-httpapi-ratelimit-headers-10]
 */
export function rateLimitHeaders(window: WindowState, month?: MonthState): Record<string, string> {
  const { limit, remaining, resetSeconds } = window
  const policy = month ? `, "month";q=${month.quota};w=${month.seconds}` : ''
  const left = month ? `, "month";r=${month.remaining};t=${month.resetSeconds}` : ''
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
    'RateLimit-Policy': `"minute";q=${limit};w=60${policy}`,
    RateLimit: `"minute";r=${remaining};t=${resetSeconds}${left}`,
  }
}

/** Sets the `RateLimit` headers on a response that is not sent yet. */
export function setRateLimitHeaders(response: ServerResponse, window: WindowState, month?: MonthState): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(window, month))) response.setHeader(name, value)
}

/** The refusal of a request for which `window` has no slot; `Retry-After` holds the seconds until a slot is free. */
export function rateLimited(window: WindowState): DomainError {
  const sentence = 'Too many requests in the last minute. Wait as long as Retry-After says.'
  return new DomainError('rate_limited', sentence, { headers: { 'Retry-After': String(window.resetSeconds) } })
}
