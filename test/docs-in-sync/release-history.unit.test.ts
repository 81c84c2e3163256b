import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { VERSION } from '@paraph/protocol/version'

it('the release history lists version, date and changes of the interface, and marks breaking changes [S25.2, S25.13]', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  const history = changelog.split('\n## The REST interface\n')[1] ?? ''
  const [, first = '', second = ''] = history.split('\n### ')
  expect(first.split('\n')[0]).toBe(`${VERSION} - March 2026`)
  expect(second.split('\n')[0]).toMatch(/^1\.0\.0 /)
  const breaking = first.split('\n').filter((line) => line.startsWith('- **Breaking**'))
  const removed = ['recipientEmail', 'businessName', 'title', 'autoSign', 'GET /contracts`', '/pdf', 'draft']
  for (const name of removed) expect(breaking.join('\n')).toContain(name)
  for (const added of ['signingProgress', 'hasSigned', 'contractNumber', 'signatures', 'partially_signed']) {
    expect(first).toContain(added)
  }
})
