// Keeps docs/internal/asvs.md complete: one row for each requirement of levels 1 and 2, a known state, and files that exist.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The requirements of levels 1 and 2 of ASVS 5.0.0. A number that is left out belongs to level 3. */
const REQUIREMENTS =
  '1.1.1–2 1.2.1–9 1.3.1–11 1.4.1–3 1.5.1–2 2.1.1–3 2.2.1–3 2.3.1–4 2.4.1 3.2.1–2 3.3.1–4 3.4.1–6 3.5.1–5 3.7.1–2 4.1.1–3 4.2.1 ' +
  '4.3.1–2 4.4.1–4 5.1.1 5.2.1–3 5.3.1–2 5.4.1–3 6.1.1–3 6.2.1–12 6.3.1–4 6.4.1–4 6.5.1–5 6.6.1–3 6.8.1–4 7.1.1–3 7.2.1–4 7.3.1–2 ' +
  '7.4.1–5 7.5.1–2 7.6.1–2 8.1.1–2 8.2.1–3 8.3.1 8.4.1 9.1.1–3 9.2.1–4 10.1.1–2 10.2.1–2 10.3.1–4 10.4.1–11 10.5.1–5 10.6.1–2 ' +
  '10.7.1–3 11.1.1–2 11.2.1–3 11.3.1–3 11.4.1–4 11.5.1 11.6.1 12.1.1–3 12.2.1–2 12.3.1–4 13.1.1 13.2.1–5 13.3.1–2 13.4.1–5 ' +
  '14.1.1–2 14.2.1–4 14.3.1–3 15.1.1–3 15.2.1–3 15.3.1–7 16.1.1 16.2.1–5 16.3.1–4 16.4.1–3 16.5.1–3 17.1.1 17.2.1–4 17.3.1–2'

const rows = [
  ...readFileSync(join(ROOT, 'docs/internal/asvs.md'), 'utf8').matchAll(
    /^\| ([\d., –]+?) +\| [^|]+ \| (\S[^|]*?) +\| ([^|]+) \|$/gm,
  ),
].map(([, ids, state, evidence]) => ({ ids: idsIn(ids!.split(', ')), state: state!, evidence: evidence! }))

/** Every id of ranges such as `1.2.1–9` or `1.2.1–1.2.9`. */
function idsIn(ranges: string[]): string[] {
  return ranges.flatMap((range) => {
    const [first = '', last = first] = range.split('–')
    const section = first.slice(0, first.lastIndexOf('.'))
    const [from, to] = [first, last].map((id) => Number(id.split('.').at(-1))) as [number, number]
    return Array.from({ length: to - from + 1 }, (_, at) => `${section}.${from + at}`)
  })
}

it('docs/internal/asvs.md has exactly one row for each requirement of levels 1 and 2', () => {
  expect(rows.flatMap(({ ids }) => ids)).toEqual(idsIn(REQUIREMENTS.split(' ')))
  expect(rows.flatMap(({ ids }) => ids)).toHaveLength(253)
})

it('every row has a known state, and evidence that names only existing files', () => {
  const files = rows.flatMap(({ evidence }) =>
    [...evidence.matchAll(/`([\w.-]*\/[\w./-]+|SECURITY\.md)`/g)].map(([, file]) => file!),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  const states = ['met', 'partly', 'not met', 'operator', 'n/a']
  expect(rows.filter(({ state }) => !states.includes(state))).toEqual([])
})
