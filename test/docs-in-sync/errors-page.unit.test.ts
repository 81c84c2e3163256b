// Checks that docs/reference/errors.md has the codes, texts and bodies of the reference and of the OpenAPI document. Other tests provoke each
// example. `npm run update -- errors` regenerates the page.
import { it } from '@jest/globals'
import { DOCUMENTED_ERRORS } from '@paraph/gateway/openapi/error-catalogue'
import { errorRows } from '@paraph/gateway/reference/error-messages'
import { ERROR_STATUS, type ErrorCode } from '@paraph/protocol/errors'
import { expectGenerated } from './generated-page.js'

it('the errors page describes each code like the reference at /docs/errors, with an example of its body [Errors, D5, D6]', async () => {
  const entries = errorRows(Object.keys(ERROR_STATUS) as ErrorCode[], 'en').flatMap(({ code, status, when, todo }) => {
    const [example] = Object.values(DOCUMENTED_ERRORS[code].examples)
    return [
      `### ${status} \`${code}\``,
      `${when} ${todo}`,
      ['```json', `{ "code": "${code}", "error": ${JSON.stringify(example!.error)} }`, '```'].join('\n'),
    ]
  })
  await expectGenerated('docs/reference/errors.md', 'errors', ['## Every code', ...entries])
})
