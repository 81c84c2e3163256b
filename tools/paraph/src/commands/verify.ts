// `paraph verify invariants`: checks the rows of every service against the invariants. [I1-I15]
// `paraph audit verify`: checks the hash chain of the audit log. [P35]
// An operator's tool, not a service: it alone reads several databases, over connections that cannot write. [D44]
import { metrics } from '@opentelemetry/api'
import type { Command } from '../command.js'
import { UserError } from '@paraph/config/refusal'
import { ObjectStoreError, openObjectStore } from '@paraph/signing/documents/object-store'
import { findDatabases } from '../invariants/find-databases.js'
import { countViolations, formatAuditReport, formatMetrics, formatReport } from '../invariants/report.js'
import { verifyAudit } from '@paraph/verify/verify-audit'
import { verifyInvariants, type Report } from '@paraph/verify/verify-invariants'

/** Fifteen minutes: work that is in progress for longer, such as during an outage, is reported as late. */
const WITHIN_SECONDS = 900
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export const verifyCommands: readonly Command[] = [
  {
    name: 'verify invariants',
    purpose: 'Checks the rows of all services against the invariants. Exit code 1 if it finds a violation.',
    options: {
      since: { value: '30m|24h|7d|INSTANT' },
      contract: { value: 'ID' },
      'within-seconds': { value: 'SECONDS' },
      metrics: {},
    },
    runAlone: async (config, { since, contract: contractId, 'within-seconds': within, metrics: asMetrics }) => {
      const scope = { since: instantOf(since, new Date()), contractId, withinSeconds: secondsOf(within) }
      const objects = config.verifyObjectStore && (await openObjectStore(config.verifyObjectStore))
      const report = await verifyInvariants(await findDatabases(config), scope, { objects })
        .catch(asUnreadable)
        .finally(() => objects?.close())
      recordViolations(report)
      return {
        answer: report,
        text: asMetrics === undefined ? formatReport(report) : formatMetrics(report, new Date()),
        isWell: report.violations.length === 0,
      }
    },
  },
]

/** Stands beside `audit list`. */
export const auditVerifyCommand: Command = {
  name: 'audit verify',
  purpose:
    'Checks that no entry of the audit log was changed, removed or put in between, and prints the newest hash of its chain. Exit code 1 if one was.',
  options: { known: { value: 'HASH' } },
  runAlone: async (config, { known }) => {
    if (known !== undefined && !/^[0-9a-f]{64}$/i.test(known))
      throw new UserError(
        '--known must be a hash that an earlier `paraph audit verify` printed: 64 hexadecimal digits.',
      )
    const report = await verifyAudit((await findDatabases(config)).gateway, known).catch(asUnreadable)
    const isWell = report.violations.length === 0 && report.known !== null
    return { answer: report, text: formatAuditReport(report), isWell }
  },
}

function asUnreadable(error: unknown): never {
  if (error instanceof UserError) throw error
  if (error instanceof ObjectStoreError)
    throw new UserError(
      `The object store could not be read (${error.message}). Check PARAPH_VERIFY_OBJECT_STORE_URL, and that its key may read the bucket.`,
      { cause: error },
    )
  const code = (error as { code?: unknown }).code
  throw new UserError(
    `A database could not be read (${typeof code === 'string' ? code : 'unknown reason'}). Check that it runs, and that the role in its URL may read every view of the schema verify.`,
    { cause: error },
  )
}

/** Parses an instant, or a time before `now` such as `24h`. @throws UserError */
export function instantOf(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const unitMs = UNIT_MS[unit ?? '']
  const instant = unitMs === undefined ? new Date(text) : new Date(now.getTime() - Number(amount) * unitMs)
  if (Number.isNaN(instant.getTime()))
    throw new UserError('--since must be an instant such as 2026-03-01T00:00:00Z, or a time such as 30m, 24h or 7d.')
  return instant
}

function secondsOf(text: string | undefined): number {
  if (text === undefined) return WITHIN_SECONDS
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new UserError('--within-seconds must be a whole number from 0 to 9999999.')
}

/**
 * Records the metric `paraph.invariant.violations`. If the process was started with `node --import` of register.ts, paraph.mjs exports
 * the metric when it shuts tracing down. [D51]
 */
function recordViolations(report: Report): void {
  const gauge = metrics
    .getMeter('@paraph/local')
    .createGauge('paraph.invariant.violations', { description: 'What the last verification found wrong.' })
  for (const { invariant, kind, count } of countViolations(report))
    gauge.record(count, { 'paraph.invariant': invariant, 'paraph.kind': kind })
}
