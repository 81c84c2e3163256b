// `paraph verify invariants`: holds the rows of every service against what must always be so. [I1-I14]
// The operator's tool, not a service: it alone sees several databases, and by connections that cannot write. [D44]
import type { Command } from '../command-line.js'
import { Refusal } from '../refusal.js'
import { findDatabases } from '../verify/find-databases.js'
import { formatMetrics, formatReport } from '../verify/report.js'
import { verifyInvariants } from '../verify/verify-invariants.js'
import { recordViolations } from '../verify/violation-metric.js'

/** Fifteen minutes: an outage that lasts longer shows as late work, which it is. */
const WITHIN_SECONDS = 900
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export const verifyCommands: readonly Command[] = [
  {
    name: 'verify invariants',
    purpose: 'Compares the rows of all services with what must always be so. Exit code 1 when something is not.',
    options: {
      since: { value: '30m|24h|7d|INSTANT', required: false },
      contract: { value: 'ID', required: false },
      'within-seconds': { value: 'SECONDS', required: false },
      metrics: { required: false },
    },
    runAlone: async (config, { since, contract: contractId, 'within-seconds': within, metrics }) => {
      const scope = { since: instantOf(since, new Date()), contractId, withinSeconds: secondsOf(within) }
      const report = await verifyInvariants(await findDatabases(config), scope).catch((error: unknown) => {
        if (error instanceof Refusal) throw error
        const code = (error as { code?: unknown }).code
        throw new Refusal(
          `A database could not be read (${typeof code === 'string' ? code : 'unknown reason'}). See whether it runs, and whether the role of its URL may read every table.`,
          { cause: error },
        )
      })
      recordViolations(report)
      return {
        answer: report,
        text: metrics === undefined ? formatReport(report) : formatMetrics(report, new Date()),
        isWell: report.violations.length === 0,
      }
    },
  },
]

/** An instant, or how long ago. @throws Refusal */
export function instantOf(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const instant = amount && unit ? new Date(now.getTime() - Number(amount) * UNIT_MS[unit]!) : new Date(text)
  if (Number.isNaN(instant.getTime()))
    throw new Refusal('since must be an instant such as 2026-03-01T00:00:00Z, or a time such as 30m, 24h or 7d.')
  return instant
}

function secondsOf(text: string | undefined): number {
  if (text === undefined) return WITHIN_SECONDS
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new Refusal('within-seconds must be a whole number from 0 to 9999999.')
}
