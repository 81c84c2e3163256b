// The page that `paraph doctor` prints: a line for each check, and below each that is not ok what to do and where to read on. Pure.
import { bold, formatTable } from '../table.js'
import { PAGES, type Finding, type Level } from './finding.js'

const INDENT = ' '.repeat(10)

export function formatPage(findings: readonly Finding[], tookMs: number): string {
  const lines = formatTable(
    findings.map(({ level, subject, found }) => [level === 'ok' ? level : bold(level), subject, found]),
  ).split('\n')
  const { broken, look, ok } = countLevels(findings)
  return [
    ...findings.flatMap(({ remedy, page }, at) => [
      lines[at] ?? '',
      ...(remedy === undefined ? [] : [`${INDENT}${remedy}`]),
      ...(page === undefined ? [] : [`${INDENT}${PAGES[page]}`]),
    ]),
    '',
    `${broken} broken, ${look} to look at, ${ok} ok, in ${(tookMs / 1_000).toFixed(1)} s.`,
  ].join('\n')
}

export function countLevels(findings: readonly Finding[]): Record<Level, number> {
  const counts = { broken: 0, look: 0, ok: 0 }
  for (const { level } of findings) counts[level] += 1
  return counts
}
