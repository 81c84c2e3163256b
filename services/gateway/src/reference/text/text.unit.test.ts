// What the reference offers to programs and to the search: Markdown, /llms.txt, the index. And two tables of guides that follow from other data.
import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { LOCALES } from '@paraph/web/locale'
import committed from '../../../../../docs/openapi.json' with { type: 'json' }
import type { OpenApiDocument } from '../../openapi/openapi.js'
import { ENTRIES } from '../contents.js'
import { ERROR_CODES } from '../../openapi/error-catalogue.js'
import { sampleFor } from '../samples.js'
import { allAsMarkdown, llmsText, markdownPath, pageAsMarkdown } from './markdown.js'
import { searchIndex } from './search-index.js'

const document = committed as unknown as OpenApiDocument
const basisOf = (locale: 'en' | 'fr') => ({ locale, document, baseUrl: 'https://sign.test' })
const entryOf = (path: string) => ENTRIES.find((entry) => entry.path === path)!

it.each(LOCALES)('every page as Markdown has one title, whole samples and no marker of ours, in %s', (locale) => {
  for (const entry of ENTRIES) {
    const text = pageAsMarkdown(entry, basisOf(locale))
    const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '')
    expect(prose.match(/^# /gm)).toHaveLength(1)
    expect(prose).not.toMatch(/\{\{|\{#|&nbsp;|\]\(\//)
    expect((text.match(/```/g) ?? []).length % 2).toBe(0)
  }
})

it('a page about an endpoint as Markdown has its fields, the sample in every language and its errors', () => {
  const text = pageAsMarkdown(entryOf('/docs/create-contract'), basisOf('en'))
  expect(text).toContain('- `parties[].email` (string (email address), required): ')
  for (const code of Object.values(sampleFor('create-contract', basisOf('en')))) expect(text).toContain(code)
  expect(text).toContain('| `idempotency_key_reused` | 422 |')
})

it('/llms.txt links to every page as Markdown, and /docs/all.md has them all', () => {
  const text = llmsText(basisOf('en'))
  for (const entry of ENTRIES) {
    expect(text).toContain(`(https://sign.test${markdownPath(entry.path)})`)
    expect(allAsMarkdown(basisOf('en'))).toContain(pageAsMarkdown(entry, basisOf('en')).trim())
  }
})

it('the search finds every error code and every field by its name, and words of the guides', () => {
  const titles = searchIndex(document, 'en').map(([, , title]) => title)
  expect(titles).toEqual(expect.arrayContaining([...ERROR_CODES, 'parties[].email', 'contract.signatures[].signedAt']))
  const found = searchIndex(document, 'fr').filter(([, , , text]) => text.includes('webhooks'))
  expect(found.map(([href]) => href)).toContain('/docs/polling')
})

const guide = (path: string) => pageAsMarkdown(entryOf(path), basisOf('en'))

it('the table of contracts per month follows from the cost of a contract, and from the quotas and rates of the plans [D53]', () => {
  const rows = [...guide('/docs/polling').matchAll(/^\| (Startup|Growth|Enterprise) +\|(.+)\|$/gm)].map(
    ([, plan, cells]) => [plan, ...cells!.split('|').map((cell) => Number(cell.trim().replace(',', '')))],
  )
  const plans = [...guide('/docs/limits').matchAll(/^\| (Startup|Growth|Enterprise) +\| (\S+) +\| (\S+)/gm)].map(
    ([, plan, ...cells]) => [plan!, ...cells.map((cell) => Number(cell.replace(',', '')))] as [string, number, number],
  )
  // The POST, the first read, two invitations and two signatures.
  const calls = 1 + 1 + 2 + 2
  expect(guide('/docs/polling')).toContain(`at most ${calls} calls`)
  // Half of the rate may wait. [D22]
  expect(rows).toEqual(plans.map(([plan, rate, quota]) => [plan, Math.floor(quota / calls), rate / 2]))
})

it('the page of changes lists the releases of the changelog with their dates [Versioning]', () => {
  const changelog = readFileSync(new URL('../../../../../CHANGELOG.md', import.meta.url), 'utf8')
  const releases = [...changelog.split('\n## The REST interface\n')[1]!.matchAll(/^### (\S+) - (.+)$/gm)]
  const rows = [...guide('/docs/changes').matchAll(/^\| (\d\S+) +\| (.+?) +\|/gm)]
  const pairs = (matches: RegExpExecArray[]) => matches.map(([, version, date]) => [version, date!.toLowerCase()])
  expect(pairs(rows)).toEqual(pairs(releases))
})
