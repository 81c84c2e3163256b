// What every answer of the external interface carries besides its window. [D6, D22]
// Answers hold names, addresses and share links: no cache keeps them, unless the answer says itself how it may be kept.
import type { ServerResponse } from 'node:http'

export const ANSWER_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const

/** Sets them on answers and refusals alike; a later step may say something else of caching. */
export function setAnswerHeaders(response: ServerResponse): void {
  response.setHeader('Cache-Control', ANSWER_HEADERS['Cache-Control'])
  response.setHeader('X-Content-Type-Options', ANSWER_HEADERS['X-Content-Type-Options'])
}
