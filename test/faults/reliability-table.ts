// The table of docs/internal/fault-runs.md: every scenario on every bus, with the last recorded run, and the scenarios that were not run. Pure.
// Owns: the rows. Does not own: the scenarios (scenarios/), the record (results.json, written by run.mjs --record).
import type { BusName } from './fault-bus.js'
import type { RunRecord } from './scenario.js'

/** A run as results.json stores it: failures are counted, not quoted. */
export type KeptRecord = Omit<RunRecord, 'faults' | 'bus' | 'commit'> & {
  bus: BusName | 'none'
  commit?: string
  faults: number
}

interface ScenarioRow {
  fault: string
  name: string
  done: string
  holds: string
  buses: readonly (BusName | 'none')[]
  /** The size of a full run. */
  full: { rounds: number; scale: number }
}

/** The scenarios of services/signing/src/signature/races.int.test.ts, which `npm run test:deep -- faults` also runs. */
export const RACES: readonly ScenarioRow[] = [
  ['F13', 'last two at once', 'the last two parties sign at once', 'both have signed, one completion'],
  [
    'F14',
    'one party twice',
    'one party signs in two browsers, each with a double click',
    'one signature; the other calls report it',
  ],
  ['F15', 'sign against cancel', 'the last party signs while owner and operator cancel', 'one end, clean refusals'],
  [
    'F15',
    'sign against expiry under a held lock',
    'a signature waits for the lock across expiresAt',
    'refused, unless it was decided in time',
  ],
  [
    'F15',
    'sign, cancel and expire at once',
    'signing, two cancellations and two sweeps meet',
    'one end, clean refusals',
  ],
].map(([fault, name, done, holds]) => ({
  fault: fault!,
  name: name!,
  done: done!,
  holds: holds!,
  buses: ['none'],
  full: { rounds: 10_000, scale: 1 },
}))

/** Faults that the scenarios do not cover, or only in part: the tests that cover them, or the reason why none does. */
export const ELSEWHERE: readonly [fault: string, what: string, where: string][] = [
  ['F2', 'the broker refuses writes (too few replicas in sync)', '`libs/messaging/src/kafka/cluster.int.test.ts`'],
  ['F2', 'the broker’s acknowledgement is lost', '`libs/messaging/src/kafka/outages.int.test.ts`'],
  ['F3', 'a connection of a pool falls silent', '`libs/database/src/pool.int.test.ts`'],
  [
    'F4',
    'fail-over to a replica while the old primary can be reached',
    '**Not run.** In F45 the old primary is dead; to fence off one that is not is up to the operator ([Backup and restore](../how-to/operators/backup-restore.md#fail-over-to-a-replica))',
  ],
  ['F12', 'the clock of a process is ten minutes wrong', '`test/e2e/operations/clock-skew.e2e.test.ts`'],
  [
    'F16',
    'kill -9 between every two steps of signing, finishing, cancelling, evidence and codes',
    '`test/e2e/ceremony/signing-cannot-lie.e2e.test.ts`, in every run of the suite',
  ],
  [
    'F16',
    'kill -9 while the gateway pushes mails and codes to owners, and while notification sends them',
    '`test/e2e/console/owner-mails.e2e.test.ts`, in every run of the suite',
  ],
  [
    'F16',
    'one replica of each service is killed, then the other, while the rest serve',
    '`test/e2e/operations/rolling.e2e.test.ts`; on a cluster `npm run test:release -- cluster`',
  ],
  [
    'F17',
    'a rolling update under load',
    '`test/e2e/operations/rolling.e2e.test.ts`, on Kafka `test/e2e/operations/kafka-rolling.e2e.test.ts`; on a cluster `npm run test:release -- cluster`',
  ],
  [
    'F18',
    'a node is drained',
    '**Not run** with a second node; all pods stopped together: `npm run test:release -- cluster`',
  ],
  [
    'F19, F20',
    'the shared window store is unavailable or slow',
    '`services/gateway/src/rate-limit/shared-windows.int.test.ts`',
  ],
  ['F23', 'the expiry sweep slept for a day, or runs twice', '`services/contract/src/store/expiry.int.test.ts`'],
  [
    'F24',
    'a process exits while the collector of traces is unavailable',
    '`test/e2e/operations/last-spans.e2e.test.ts`',
  ],
  ['F24', 'there is no space for the log of a process, and the process is stopped', '`libs/http/src/run.int.test.ts`'],
  [
    'F25',
    'secrets are rotated under load',
    '`test/e2e/operations/rotation.e2e.test.ts`, whole with `npm run test:release -- rotation`',
  ],
  [
    'F26',
    'the ends of a contract’s 14 days or hour to the millisecond, over leap days and changes of the clock',
    '`services/contract/src/store/lifetime.int.test.ts`',
  ],
  [
    'F26',
    'the first and the last millisecond of a billing month',
    '`services/gateway/src/usage/billing-period.unit.test.ts`',
  ],
  ['F27', 'eight hours at half the limit', '**Not run.**'],
  [
    'F28',
    'every check of schemathesis, on all four operations',
    '`npm run test:deep -- schemathesis` (`test/schemathesis/run.mjs`), in each run of CI: one random seed, for 90 s, at most 60 examples a phase and operation. **Not run:** three seeds and 5,000 cases an operation',
  ],
  [
    'F36',
    'TLS at the mail server fails: an expired or wrong certificate, an unknown authority, no STARTTLS',
    '`services/notification/src/smtp/tls-failures.int.test.ts`',
  ],
  [
    'F32',
    'the clock of a database was set forward and back: pauses and leases of tasks',
    '`libs/messaging/src/task-queue.int.test.ts`',
  ],
  [
    'F32',
    'the clock of a database was set forward and back: mails and their claims',
    '`services/notification/src/queue/delivery-worker.int.test.ts`',
  ],
  ['F33', 'an event of another topic, source or key', '`libs/messaging/src/event-reader.unit.test.ts`'],
  [
    'F41',
    'nobody reads the log of a process, and the process is stopped; the log is read again',
    '`libs/http/src/run.int.test.ts`',
  ],
  [
    'F39',
    'forms from many addresses are kept open, at sign-in to the console and at one share link',
    'the limits: `services/gateway/src/pages/form-limits.int.test.ts`; keys and pages beside forms that wait for a lock: `services/gateway/src/console/code-flood.int.test.ts`',
  ],
  [
    'F40',
    'people who open a link while signing is frozen leave, and the next ones take their places',
    '`services/gateway/src/pages/signing-frozen.int.test.ts`',
  ],
]

const HEAD = [
  'Fault',
  'Scenario',
  'Action',
  'Expected',
  'Bus',
  'Rounds',
  'Time divisor',
  'Seed',
  'Date',
  'Commit',
  'Outcome',
]

/** Both tables as Markdown, unpadded. */
export function reliabilityTables(scenarios: readonly ScenarioRow[], records: readonly KeptRecord[]): string {
  const rows = [...scenarios, ...RACES].flatMap(({ fault, name, done, holds, buses, full }) =>
    buses.map((bus) => {
      const record = records.find((each) => each.scenario === name && each.bus === bus)
      const run = record
        ? [
            record.rounds.toLocaleString('en'),
            record.scale === 1 ? '' : String(record.scale),
            String(record.seed),
            record.at.slice(0, 10),
            record.commit ?? '',
            `${outcomeOf(record)}${missingOf(record, full)}`,
          ]
        : ['', '', '', '', '', '**Not run**']
      return [fault, name, done, holds, bus === 'none' ? '' : bus, ...run]
    }),
  )
  const elsewhere = ELSEWHERE.map((row) => [...row])
  return `${table(HEAD, rows)}\n\nShown elsewhere, or not run:\n\n${table(['Fault', 'What', 'Where'], elsewhere)}\n`
}

function outcomeOf({ outcome, faults, figures, seconds }: KeptRecord): string {
  const texts = Object.entries(figures).map(([name, figure]) => `${textOf(name)} ${figure}`)
  return [outcome === 'held' ? 'held' : `**failed** (${faults})`, `${seconds} s`, ...texts].join('; ')
}

/** A note on the size of a full run, if this run was smaller. */
function missingOf({ rounds, scale }: KeptRecord, full: ScenarioRow['full']): string {
  if (rounds >= full.rounds && scale <= full.scale) return ''
  const length = full.scale === 1 ? 'true durations' : `${full.scale} times shorter`
  return `. **Not run** in full: ${full.rounds.toLocaleString('en')} rounds, ${length}`
}

/** `atRestAfterSeconds` → `at rest after seconds`. */
const textOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
