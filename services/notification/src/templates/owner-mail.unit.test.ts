import { expect, it } from 'vitest'
import { writeOwnerMail } from './owner-mail.js'

const KEY = { accountName: 'Nordic Foods Ltd.', keyName: 'Order system', keyHint: 'paraph_live_…7Hq2' }
const write = (by: string | null) =>
  writeOwnerMail(
    { to: 'owner@nordicfoods.example', language: 'en+fr', kind: 'key_created', facts: { ...KEY, by } },
    'https://sign.example.com/console',
  )

it('names the operator in the language of each part where no owner acted, and the owner who did [D24, D25]', () => {
  const { text, html } = write(null)
  for (const said of [text, html]) {
    expect(said).toMatch(/The operator(<[^>]*>)* created the key/)
    expect(said).toMatch(/L’exploitant(<[^>]*>)* a créé la clé/)
  }
  expect(write('maria@nordicfoods.example').text).toContain('maria@nordicfoods.example a créé la clé')
})
