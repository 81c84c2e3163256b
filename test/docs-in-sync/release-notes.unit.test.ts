// The notes of a release are those of one version, as .ci/release/notes.mjs prints them for the workflow.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'

const SCRIPT = fileURLToPath(new URL('../../.ci/release/notes.mjs', import.meta.url))
const CHANGELOG = `# Changelog

## Unreleased

- Not yet.

## 2.1.0 - 2026-12-01

### Added

- One thing ([how](docs/a.md#b), [elsewhere](https://example.com/x), [here](#below)).

## 2.0.0 - 2026-11-01

- The first.

## 1.9.0 - 2026-10-01

## The REST interface

### 2.2.0 - March 2026
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paraph-notes-'))
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG)
})
afterAll(() => rmSync(folder, { recursive: true }))

const notesOf = (version: string): string =>
  execFileSync(process.execPath, [SCRIPT, version, 'https://git.test/blob/v/'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

it('the notes are the section of the version, with links that lead out of their page', () => {
  expect(notesOf('2.1.0')).toBe(
    '### Added\n\n- One thing ([how](https://git.test/blob/v/docs/a.md#b), [elsewhere](https://example.com/x), [here](#below)).\n',
  )
  expect(notesOf('2.0.0')).toBe('- The first.\n')
})

it.each(['2.2.0', '2.1', '1.9.0', 'The'])('there is no release without notes: %s', (version) => {
  expect(() => notesOf(version)).toThrow(/has no notes of/)
})
