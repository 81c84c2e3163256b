// Checks that every link of these pages leads to an existing file and, in a page, to an existing heading.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'charts/paraph/README.md',
  'examples/README.md',
  'charts/paraph-trial/README.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.md') ? [`docs/${name}`] : [],
  ),
]
const TEXTS = new Map(PAGES.map((page) => [page, readFileSync(join(ROOT, page), 'utf8')]))

/** The anchor that GitHub generates: lower case, without punctuation, hyphens for blanks. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (text: string): string[] => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))

/** True for external links, existing files and existing headings. */
function isThere(page: string, target: string): boolean {
  if (/^https?:/.test(target)) return true
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, file))) return false
  const text = TEXTS.get(file)
  return anchor === undefined || text === undefined || anchorsIn(text).includes(anchor)
}

it('every link of every page leads to an existing page and heading', () => {
  const links = [...TEXTS].flatMap(([page, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => ({ page, target: target! })),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ page, target }) => !isThere(page, target))).toEqual([])
})

it('every page but the changelog names only existing source files', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 24 })
    .trim()
    .split('\n')
  const endings = new Set(files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))))
  const named = [...TEXTS].flatMap(([page, text]) =>
    page === 'CHANGELOG.md'
      ? []
      : [...text.matchAll(/`([\w./-]*\w\.(?:tsx?|mjs))`/g)].map(([, file]) => ({
          page,
          file: file!.replace(/^\.?\//, ''),
        })),
  )
  expect(named.length).toBeGreaterThan(50)
  // `x` stands for any name.
  expect(named.filter(({ file }) => !endings.has(file) && !file.startsWith('x.'))).toEqual([])
})
