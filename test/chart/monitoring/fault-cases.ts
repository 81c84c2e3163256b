// Faults, each with the series that it leaves and the alerts that fire because of it. Pure. [docs/runbooks]
// Values use promtool's notation, one sample a minute; every fault begins in minute 10.

type Series = Readonly<Record<string, string>>

export interface FaultCase {
  fault: string
  series: Series
  /** The alerts that fire, with their first and last minute up to `UNTIL`; promtool holds each minute. `of` are labels beside the name. */
  alerts: readonly {
    alert: string
    severity: 'page' | 'ticket'
    of?: Readonly<Record<string, string>>
    from: number
    to: number
  }[]
  /** What the sample of Alertmanager sends, in order. */
  pages: readonly string[]
  tickets?: readonly string[]
}

/** The last minute of every case. */
export const UNTIL = 75

/** A gauge: `normal`, then `value` for `minutes`, then `normal` again. */
const during = (minutes: number, normal: number, value: number): string =>
  `${normal}+0x9 ${value}+0x${minutes - 1} ${normal}+0x${UNTIL}`
/** A counter that grows by `normal` a minute, and by `value` for the `minutes` of the fault. */
function counter(minutes: number, normal: number, value: number): string {
  const [begin, end] = [normal * 10, normal * 10 + value * minutes]
  return `0+${normal}x9 ${begin}+${value}x${minutes - 1} ${end}+${normal}x${UNTIL}`
}

/** The databases of all services, which stop answering. */
const databases = (minutes: number): Series =>
  Object.fromEntries(
    ['gateway', 'contract', 'signing', 'notification'].map(
      (service) =>
        [`paraph_database_up{service_name="${service}",instance="${service}"}`, during(minutes, 1, 0)] as const,
    ),
  )
const answers = (status: number): string =>
  `http_server_request_duration_seconds_count{service_name="gateway",http_request_method="GET",http_route="/api/external/v2/contracts/{id}",http_response_status_code="${status}"}`
/** 1,000 requests a minute to the gateway, of which `failed` fail while the fault lasts. */
const requests = (minutes: number, failed: number): Series => ({
  [answers(200)]: counter(minutes, 1_000, 1_000 - failed),
  [answers(503)]: counter(minutes, 0, failed),
})
/** 100 mails of a kind a minute: the SMTP server accepts those of the fault after its end, which is too late. */
const mails = (kind: string, le: string, minutes: number): Series => {
  const labels = `service_name="notification",paraph_kind="${kind}"`
  const name = 'paraph_email_accept_duration_seconds'
  const backlog = `0+100x9 1000+0x${minutes - 1} ${1_000 + minutes * 100}+100x${UNTIL}`
  return {
    [`${name}_count{${labels}}`]: backlog,
    [`${name}_bucket{${labels},le="+Inf"}`]: backlog,
    [`${name}_bucket{${labels},le="${le}"}`]: `0+100x9 1000+0x${minutes - 1} 1000+100x${UNTIL}`,
  }
}
const SIGNING = { service_name: 'signing' }

export const FAULT_CASES: readonly FaultCase[] = [
  {
    fault: 'a Postgres server that stops for six minutes',
    series: {
      ...databases(6),
      ...requests(6, 500),
      'paraph_usage_failing{service_name="gateway",instance="gateway"}': during(6, 0, 1),
      'paraph_code_waiting{service_name="signing",instance="signing"}': during(6, 0, 1),
      // The hourly check of the invariants falls into the outage, and its Job fails.
      'kube_job_created{job_name="paraph-verify-1"}': `_x11 720+0x${UNTIL}`,
      'kube_job_failed{job_name="paraph-verify-1",condition="true"}': `_x11 1+0x${UNTIL}`,
    },
    alerts: [
      { alert: 'ParaphDatabaseDown', severity: 'page', from: 12, to: 45 },
      { alert: 'ParaphUsageNotRecorded', severity: 'page', from: 11, to: 15 },
      { alert: 'ParaphRequestsFail', severity: 'page', from: 11, to: 45 },
      { alert: 'ParaphRequestsFail', severity: 'ticket', from: 11, to: UNTIL },
      { alert: 'ParaphCodesWaiting', severity: 'page', of: SIGNING, from: 13, to: 15 },
    ],
    pages: ['ParaphDatabaseDown'],
    tickets: ['ParaphRequestsFail'],
  },
  {
    fault: 'an SMTP server that stops for ten minutes',
    series: {
      'paraph_email_relay_up{service_name="notification",instance="notification"}': during(10, 1, 0),
      ...mails('invitation', '60', 10),
      ...mails('code', '15', 10),
    },
    alerts: [
      { alert: 'ParaphMailRelayDown', severity: 'page', from: 15, to: 49 },
      { alert: 'ParaphInvitationsLate', severity: 'page', from: 20, to: 49 },
      { alert: 'ParaphInvitationsLate', severity: 'ticket', from: 20, to: UNTIL },
      { alert: 'ParaphCodesLate', severity: 'page', from: 20, to: 49 },
      { alert: 'ParaphCodesLate', severity: 'ticket', from: 20, to: UNTIL },
    ],
    pages: ['ParaphMailRelayDown'],
    tickets: ['ParaphInvitationsLate', 'ParaphCodesLate'],
  },
  {
    fault: 'a signing service that stops',
    series: {
      'paraph_database_up{service_name="signing",instance="signing"}': '1+0x9 stale',
      'up{container="signing",instance="signing"}': during(UNTIL, 1, 0),
    },
    alerts: [
      { alert: 'ParaphServiceSilent', severity: 'page', of: SIGNING, from: 15, to: UNTIL },
      {
        alert: 'ParaphTargetDown',
        severity: 'ticket',
        of: { container: 'signing', instance: 'signing' },
        from: 20,
        to: UNTIL,
      },
    ],
    pages: ['ParaphServiceSilent'],
  },
  {
    fault: 'an event bus that takes nothing for twenty minutes',
    series: {
      'paraph_outbox_unpublished_age_seconds{service_name="contract",instance="contract"}': `0+0x9 0+60x20 0+0x${UNTIL}`,
      ...mails('invitation', '60', 20),
    },
    alerts: [
      { alert: 'ParaphBusNotTaking', severity: 'page', of: { service_name: 'contract' }, from: 14, to: 60 },
      { alert: 'ParaphInvitationsLate', severity: 'page', from: 30, to: 59 },
      { alert: 'ParaphInvitationsLate', severity: 'ticket', from: 30, to: UNTIL },
    ],
    pages: ['ParaphBusNotTaking'],
    tickets: ['ParaphInvitationsLate'],
  },
]
