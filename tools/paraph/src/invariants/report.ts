// Formats the report of a verification: for a person, and for a scraper in the text format of Prometheus. Pure.
import { formatTable, type TableRow } from '../table.js'
import { beyondOf, type Counted } from '@paraph/verify/check'
import type { AuditReport } from '@paraph/verify/verify-audit'
import type { Report } from '@paraph/verify/verify-invariants'

const NOT_SEEN = [
  'Not checked, because no row shows it: what clients received (I3, I6, and the client side of I1, I5 and I11), mails after the mail',
  'server accepted them (I8), windows in the memory of a gateway (I12), spans (I13), logs and one-time codes (I14), rows missing at the end of the audit log (I15).',
].join('\n')

/** A table of the checks, then each violation on one line. */
export function formatReport({ checks, violations, beyond, busSeen, tookMs }: Report): string {
  const unlisted = beyondOf({ beyond }, () => true)
  const rows = checks.map(({ invariants, compares, looked, broken, late }): TableRow => {
    const found = [amount(broken, 'broken'), amount(late, 'late')].filter(Boolean).join(', ')
    const counts = Object.entries(looked).map(([what, count]) => `${count} ${what}`)
    return [invariants.join(' '), found || 'holds', `${compares} (${counts.join(', ')})`]
  })
  const lines = violations.map(({ invariant, kind, subject, fault }) => `  ${invariant}  ${kind}  ${subject}  ${fault}`)
  return [
    formatTable(rows),
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...(unlisted > 0 ? [`  and ${unlisted} more, which are not listed`] : []),
    '',
    NOT_SEEN,
    ...(busSeen ? [] : ['The bus is Kafka: its messages are not rows and were not checked.']),
    '',
    `${sentenceOf(violations.length + unlisted)} in ${(tookMs / 1_000).toFixed(1)} s.`,
  ].join('\n')
}

/** What a verification of the audit log found, and the hash to keep. */
export const formatAuditReport = ({ sequence, hash, violations, known }: AuditReport): string =>
  [
    ...violations.map(({ kind, subject, fault }) => `  ${kind}  ${subject}  ${fault}`),
    ...(known === null
      ? ['No row of the audit chain has the hash given with --known: rows were removed, or the chain was written anew.']
      : known === undefined
        ? []
        : [`The hash given with --known is that of entry ${known}.`]),
    `${sentenceOf(violations.length)} in ${sequence} chained ${sequence === 1 ? 'entry' : 'entries'} of the audit log.`,
    `Entry ${sequence} has the hash ${hash}`,
    'Keep this hash outside of the installation. Later, `paraph audit verify --known HASH` shows whether the log still contains the entry.',
  ].join('\n')

const sentenceOf = (count: number): string =>
  count === 0 ? 'No violation' : `${count} ${count === 1 ? 'violation' : 'violations'}`

const amount = (count: number, what: string): string => (count === 0 ? '' : `${count} ${what}`)

/** Counts the violations by invariant and kind. Includes zeros, so that an alert ends when its violations are gone. */
export function countViolations({ checks, violations, beyond }: Report): Counted[] {
  const invariants = [...new Set(checks.flatMap((check) => check.invariants))]
  return invariants.flatMap((invariant) =>
    (['broken', 'late'] as const).map((kind) => {
      const isOne = (each: Omit<Counted, 'count'>) => each.invariant === invariant && each.kind === kind
      return { invariant, kind, count: violations.filter(isOne).length + beyondOf({ beyond }, isOne) }
    }),
  )
}

/** Formats the metrics for a textfile collector or a push gateway. @param endedAt when the verification ended */
export function formatMetrics(report: Report, endedAt: Date): string {
  return [
    '# HELP paraph_invariant_violations Violations that the last verification found, by invariant. A value above 0 needs the attention of an operator.',
    '# TYPE paraph_invariant_violations gauge',
    ...countViolations(report).map(
      ({ invariant, kind, count }) =>
        `paraph_invariant_violations{paraph_invariant="${invariant}",paraph_kind="${kind}"} ${count}`,
    ),
    '# HELP paraph_invariant_verified_timestamp_seconds When the last verification ended.',
    '# TYPE paraph_invariant_verified_timestamp_seconds gauge',
    `paraph_invariant_verified_timestamp_seconds ${Math.round(endedAt.getTime() / 1_000)}`,
    '# HELP paraph_invariant_verification_seconds How long the last verification took.',
    '# TYPE paraph_invariant_verification_seconds gauge',
    `paraph_invariant_verification_seconds ${report.tookMs / 1_000}`,
  ].join('\n')
}
