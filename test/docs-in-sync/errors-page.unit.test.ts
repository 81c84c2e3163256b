// Checks that docs/reference/errors.md matches the table of error codes and the reference, and that each of its bodies is an example of the OpenAPI
// document. Other tests provoke each example.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { ERROR_STATUS } from '@paraph/protocol/errors'
import { errorRows } from '@paraph/gateway/reference/error-messages'
import { DOCUMENTED_ERRORS } from '@paraph/gateway/openapi/error-catalogue'
import { expectWithMessage } from '@paraph/testing/expect-with-message'

const page = readFileSync(fileURLToPath(new URL('../../docs/reference/errors.md', import.meta.url)), 'utf8')

it('the errors page has one row for each code, with its status, in the order of the statuses [Errors, D5]', () => {
  const rows = [...page.matchAll(/^\| (\d{3}) +\| `(\w+)` /gm)].map(([, status, code]) => [code, Number(status)])
  expect(rows).toEqual(Object.entries(ERROR_STATUS))
})

it('the errors page describes each code like the reference at /docs/errors [Errors]', () => {
  const rows = [...page.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, status, code, when, todo]) => ({ code, status: Number(status), when, todo }),
  )
  expect(rows).toEqual(errorRows(Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[], 'en'))
})

it('the errors page shows for each code a body that the OpenAPI document contains [Errors, D6]', () => {
  const bodies = [...page.matchAll(/^\{ "code": .*\}$/gm)].map(
    ([line]) => JSON.parse(line) as { code: keyof typeof ERROR_STATUS; error: string },
  )
  expect(bodies.map(({ code }) => code)).toEqual(Object.keys(ERROR_STATUS))
  for (const { code, error } of bodies) {
    const sentences = Object.values(DOCUMENTED_ERRORS[code].examples).map((example) => example.error)
    expectWithMessage(sentences, code).toContain(error)
  }
})
