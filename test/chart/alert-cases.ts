// For each alert: series with which it fires, and when, and series just below with which nobody is called. Pure. [B.5]
// Values are in promtool's notation, one sample a minute: `0+60x30` is 0, then 60 more each minute, thirty times.

export interface AlertCase {
  alert: string
  severity: 'page' | 'ticket'
  what: string
  series: Readonly<Record<string, string>>
  /** Moments at which it fires, and at which it does not. */
  firesAt?: readonly string[]
  silentAt?: readonly string[]
}

const still = (value: number, minutes: number): string => `${value}+0x${minutes}`
/** A gauge that is well for ten minutes and then `value`. */
const after10 = (well: number, value: number, minutes = 60): string => `${still(well, 9)} ${still(value, minutes)}`
/** A counter that grows by `each` a minute. */
const grows = (each: number, minutes: number): string => `0+${each}x${minutes}`
/** For so many minutes so many faults a minute, of 1,000 that are asked for. */
type Profile = readonly (readonly [minutes: number, faults: number])[]
/** A counter that grows by what `rate` makes of the faults. */
function counted(profile: Profile, rate: (faults: number) => number): string {
  let value = 0
  return profile
    .map(([minutes, faults]) => {
      const each = rate(faults)
      const part = `${value}+${each}x${minutes - 1}`
      value += each * minutes
      return part
    })
    .join(' ')
}
const always = (faults: number): Profile => [[400, faults]]

const COUNT = 'http_server_request_duration_seconds_count'
const BUCKET = 'http_server_request_duration_seconds_bucket'
const ACCEPT = 'paraph_email_accept_duration_seconds'
const contracts = '/api/external/v2/contracts'

const answers = (status: number, route = `${contracts}/{id}`, method = 'GET', service = 'gateway'): string =>
  `${COUNT}{service_name="${service}",http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"}`
const within = (le: string, route: string, method: string): string =>
  `${BUCKET}{service_name="gateway",http_request_method="${method}",http_route="${route}",http_response_status_code="200",le="${le}"}`
const gauge = (name: string, labels: string, value: number, well = 0) => ({
  [`${name}{${labels}}`]: after10(well, value),
})

const failing = (profile: Profile) => ({
  [answers(200)]: counted(profile, (faults) => 1_000 - faults),
  [answers(503)]: counted(profile, (faults) => faults),
})
/** Faults are those slower than was promised. */
const slow = (route: string, method: string, le: string, profile: Profile) => ({
  [answers(200, route, method)]: counted(profile, () => 1_000),
  [within(le, route, method)]: counted(profile, (faults) => 1_000 - faults),
  [within('+Inf', route, method)]: counted(profile, () => 1_000),
})
const late = (kind: string, le: string, profile: Profile) => ({
  [`${ACCEPT}_count{service_name="notification",paraph_kind="${kind}"}`]: counted(profile, () => 1_000),
  [`${ACCEPT}_bucket{service_name="notification",paraph_kind="${kind}",le="${le}"}`]: counted(
    profile,
    (faults) => 1_000 - faults,
  ),
  [`${ACCEPT}_bucket{service_name="notification",paraph_kind="${kind}",le="+Inf"}`]: counted(profile, () => 1_000),
})

/** A month's allowance that is used up too fast: both pairs of windows that page, and the one of the ticket. [H25] */
function burns(alert: string, allowance: number, series: (profile: Profile) => Record<string, string>): AlertCase[] {
  const [page, ticket] = [
    { alert, severity: 'page' as const },
    { alert, severity: 'ticket' as const },
  ]
  const good = [360, 0] as const
  return [
    {
      ...{ ...page, what: '18 times the allowance, after six good hours' },
      // The share of the last hour passes 14.4 times the allowance when four fifths of it have been so.
      ...{ series: series([good, [120, 18 * allowance]]), silentAt: ['355m', '380m'], firesAt: ['415m'] },
    },
    {
      ...{ ...page, what: '14 times the allowance for an hour' },
      ...{ series: series([good, [120, 14 * allowance]]), silentAt: ['380m', '415m'] },
    },
    {
      ...{ ...page, what: '18 times the allowance that ended ten minutes ago' },
      ...{ series: series([good, [60, 18 * allowance], [60, 0]]), firesAt: ['420m'], silentAt: ['430m'] },
    },
    {
      ...{ ...page, what: '7 times the allowance for six hours' },
      ...{ series: series(always(7 * allowance)), firesAt: ['360m'] },
    },
    {
      ...{ ...page, what: '7 times the allowance that ended an hour ago' },
      ...{
        series: series([
          [360, 7 * allowance],
          [90, 0],
        ]),
        silentAt: ['420m'],
      },
    },
    {
      ...{ ...page, what: '5 times the allowance for six hours' },
      ...{ series: series(always(5 * allowance)), silentAt: ['30m', '60m', '360m'] },
    },
    {
      ...{ ...ticket, what: '2 times the allowance' },
      ...{ series: series(always(2 * allowance)), firesAt: ['360m'] },
    },
    {
      ...{ ...ticket, what: 'half of the allowance' },
      ...{ series: series(always(allowance / 2)), silentAt: ['60m', '360m'] },
    },
  ]
}

const CODE_CHECKS = 'paraph_code_checks_total'
const ATTEMPTS = 'paraph_email_attempts_total'
const NOTIFICATION = 'service_name="notification"'
const attempts = (outcome: string, each: number) => ({
  [`${ATTEMPTS}{${NOTIFICATION},paraph_kind="invitation",paraph_outcome="${outcome}"}`]: grows(each, 120),
})
const relayUp = (value: number) => ({ [`paraph_email_relay_up{${NOTIFICATION},instance="a"}`]: still(value, 120) })
const windows = (decisions: number, fallbacks: string) => ({
  'paraph_ratelimit_fallbacks_total{service_name="gateway"}': fallbacks,
  'paraph_ratelimit_decisions_total{service_name="gateway",paraph_outcome="admitted"}': grows(decisions, 80),
})
const outbox = (age: number, relayAge: number) => ({
  ...gauge('paraph_outbox_unpublished_age_seconds', 'service_name="contract",instance="a"', age),
  ...gauge('paraph_outbox_unpublished_age_seconds', 'service_name="contract",instance="b"', age),
  ...gauge('paraph_loop_age_seconds', 'service_name="contract",instance="a",paraph_loop="relay"', relayAge),
  ...gauge('paraph_loop_age_seconds', 'service_name="contract",instance="b",paraph_loop="relay"', relayAge),
})
const delay = (le60: number, le300: number, le3600: number) => ({
  ...{ 'paraph_consumer_delay_seconds_count{service_name="signing"}': grows(10, 60) },
  ...Object.fromEntries(
    Object.entries({ '30': 0, '60': le60, '300': le300, '3600': le3600, '+Inf': 10 }).map(([le, each]) => [
      `paraph_consumer_delay_seconds_bucket{service_name="signing",le="${le}"}`,
      grows(each, 60),
    ]),
  ),
})
const lag = (waiting: number) => ({
  [`paraph_consumer_lag{service_name="signing",messaging_destination_name="contract.events.v1"}`]: after10(0, waiting),
})
const violations = (kind: string, values: string) => ({
  [`paraph_invariant_violations{service_name="paraph",paraph_invariant="I2",paraph_kind="${kind}"}`]: values,
})
const page = (alert: string, what: string) => ({ alert, severity: 'page' as const, what })
const ticket = (alert: string, what: string) => ({ alert, severity: 'ticket' as const, what })

/** What all four services tell when nothing is wrong and nobody does anything. */
export const QUIET: Readonly<Record<string, string>> = Object.fromEntries(
  ['gateway', 'contract', 'signing', 'notification'].flatMap((service) => [
    [`paraph_database_up{service_name="${service}",instance="${service}"}`, still(1, 500)],
    [`up{container="${service}",instance="${service}"}`, still(1, 500)],
    [`paraph_outbox_unpublished_age_seconds{service_name="${service}",instance="${service}"}`, still(0, 500)],
    [`paraph_loop_age_seconds{service_name="${service}",instance="${service}",paraph_loop="relay"}`, still(1, 500)],
    [`paraph_database_waiting{service_name="${service}",instance="${service}",paraph_pool="main"}`, still(0, 500)],
    [`nodejs_eventloop_delay_p99_seconds{service_name="${service}",instance="${service}"}`, still(0.02, 500)],
  ]),
)

export const ALERT_CASES: readonly AlertCase[] = [
  ...burns('ParaphRequestsFail', 1, failing),
  {
    ...page('ParaphRequestsFail', 'nine failures of nine requests'),
    series: { [answers(503)]: `0+1x9 ${still(9, 60)}` },
    silentAt: ['5m', '9m', '20m'],
  },
  {
    ...page('ParaphRequestsFail', 'calls between services that fail'),
    series: {
      [answers(200)]: grows(1_000, 60),
      [answers(503, '/rpc/account.create', 'POST')]: grows(500, 60),
      [answers(503, contracts, 'POST', 'contract')]: grows(500, 60),
    },
    silentAt: ['30m', '60m'],
  },
  ...burns('ParaphCreatesSlow', 10, (profile) => slow(contracts, 'POST', '0.5', profile)),
  ...burns('ParaphReadsSlow', 10, (profile) => slow(`${contracts}/{id}`, 'GET', '0.2', profile)),
  {
    ...page('ParaphReadsSlow', 'slow readings of usage'),
    series: slow('/api/external/v2/usage', 'GET', '0.2', always(500)),
    firesAt: ['30m'],
  },
  {
    ...page('ParaphReadsSlow', 'slow pages, which are no part of this promise'),
    series: slow('/contract/{shareToken}', 'GET', '0.2', always(500)),
    silentAt: ['30m', '60m'],
  },

  {
    ...ticket('ParaphAuthFailures', 'a quarter of the calls without a good key'),
    series: {
      [answers(200)]: grows(300, 60),
      [answers(401)]: grows(100, 60),
      'paraph_auth_failures_total{service_name="gateway",paraph_reason="unknown"}': grows(100, 60),
    },
    silentAt: ['9m'],
    firesAt: ['21m'],
  },
  {
    ...ticket('ParaphAuthFailures', 'a sixth of the calls'),
    series: {
      [answers(200)]: grows(500, 60),
      [answers(401)]: grows(100, 60),
      'paraph_auth_failures_total{service_name="gateway",paraph_reason="unknown"}': grows(100, 60),
    },
    silentAt: ['21m', '60m'],
  },
  {
    ...ticket('ParaphAuthFailures', 'accounts that have not paid'),
    series: {
      [answers(403)]: grows(100, 60),
      'paraph_auth_failures_total{service_name="gateway",paraph_reason="inactive"}': grows(100, 60),
    },
    silentAt: ['21m', '60m'],
  },
  {
    ...ticket('ParaphAuthFailures', 'four strangers a minute at night'),
    series: {
      [answers(401)]: grows(4, 60),
      'paraph_auth_failures_total{service_name="gateway",paraph_reason="missing"}': grows(4, 60),
    },
    silentAt: ['21m', '60m'],
  },
  {
    ...page('ParaphWindowFallback', 'every decision by the gateway alone'),
    series: windows(100, `${still(0, 9)} 100+100x60`),
    silentAt: ['14m'],
    firesAt: ['16m'],
  },
  {
    ...page('ParaphWindowFallback', 'a fault of a minute'),
    series: windows(100, `${still(0, 9)} ${still(50, 60)}`),
    silentAt: ['11m', '14m', '16m', '30m'],
  },
  {
    ...page('ParaphWindowFallback', 'a busy day, on which some come late'),
    series: windows(10_000, `${still(0, 9)} 50+50x60`),
    silentAt: ['16m', '60m'],
  },
  {
    ...page('ParaphWindowFallback', 'one late answer of ten at night'),
    series: windows(10, `${still(0, 9)} 1+1x60`),
    silentAt: ['16m', '60m'],
  },

  {
    ...page('ParaphUsageNotRecorded', 'a record that fails'),
    series: gauge('paraph_usage_failing', 'service_name="gateway",instance="a"', 1),
    silentAt: ['9m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphUsageNotRecorded', 'calls that wait while nothing is committed'),
    series: {
      ...gauge('paraph_usage_uncommitted', 'service_name="gateway",instance="a"', 7),
      'paraph_usage_commit_duration_seconds_count{service_name="gateway",instance="a"}': `0+20x9 ${still(180, 60)}`,
    },
    silentAt: ['9m'],
    firesAt: ['14m'],
  },
  {
    ...page('ParaphUsageNotRecorded', 'a busy gateway, where some calls always wait for their commit'),
    series: {
      ...gauge('paraph_usage_uncommitted', 'service_name="gateway",instance="a"', 7),
      'paraph_usage_commit_duration_seconds_count{service_name="gateway",instance="a"}': grows(600, 60),
    },
    silentAt: ['14m', '30m'],
  },

  {
    ...page('ParaphBusNotTaking', 'events of 61 seconds, and a relay that goes round'),
    series: outbox(61, 2),
    silentAt: ['11m'],
    firesAt: ['13m'],
  },
  { ...page('ParaphBusNotTaking', 'events of 59 seconds'), series: outbox(59, 2), silentAt: ['13m', '60m'] },
  { ...page('ParaphBusNotTaking', 'a relay that stands still'), series: outbox(200, 200), silentAt: ['13m', '60m'] },
  {
    ...page('ParaphRelayStuck', 'a relay that stands still'),
    series: outbox(200, 200),
    silentAt: ['11m'],
    firesAt: ['13m'],
  },
  {
    ...page('ParaphRelayStuck', 'a relay that stands still with nothing to do'),
    series: outbox(0, 200),
    silentAt: ['13m', '60m'],
  },
  {
    ...page('ParaphConsumerStalled', 'a partition that has not moved for 130 seconds'),
    series: gauge('paraph_consumer_stalled_seconds', 'service_name="signing",instance="a"', 130),
    silentAt: ['9m', '10m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphConsumerStalled', 'a partition that has not moved for 110 seconds'),
    series: gauge('paraph_consumer_stalled_seconds', 'service_name="signing",instance="a"', 110),
    silentAt: ['12m', '60m'],
  },
  {
    ...page('ParaphConsumerStalled', 'events that nobody takes'),
    series: {
      ...lag(5),
      'paraph_consumer_events_total{service_name="signing",paraph_outcome="handled"}': still(40, 120),
    },
    silentAt: ['15m'],
    firesAt: ['24m'],
  },
  {
    ...page('ParaphConsumerStalled', 'a busy consumer, which always has something before it'),
    series: {
      ...lag(5),
      'paraph_consumer_events_total{service_name="signing",paraph_outcome="handled"}': grows(50, 120),
    },
    silentAt: ['24m', '60m'],
  },
  {
    ...page('ParaphConsumerStalled', 'events that wait for a database'),
    series: { ...lag(5), 'paraph_database_up{service_name="signing",instance="signing"}': after10(1, 0) },
    silentAt: ['24m', '60m'],
  },
  {
    ...page('ParaphConsumerLate', 'half of the events six minutes late or more'),
    series: delay(5, 5, 10),
    silentAt: ['3m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphConsumerLate', 'half of the events two minutes late'),
    series: delay(5, 10, 10),
    silentAt: ['12m', '40m'],
  },
  {
    ...ticket('ParaphConsumerLate', 'half of the events two minutes late'),
    series: delay(5, 10, 10),
    silentAt: ['8m'],
    firesAt: ['15m'],
  },
  {
    ...ticket('ParaphConsumerLate', 'every event within a minute'),
    series: delay(10, 10, 10),
    silentAt: ['15m', '40m'],
  },
  {
    ...ticket('ParaphDeadLetters', 'one dead letter'),
    series: gauge('paraph_dead_letters', 'service_name="notification",instance="a"', 1),
    silentAt: ['9m'],
    firesAt: ['10m'],
  },

  {
    ...page('ParaphMailRelayDown', 'every worker finds it away'),
    series: {
      ...gauge('paraph_email_relay_up', `${NOTIFICATION},instance="a"`, 0, 1),
      ...gauge('paraph_email_relay_up', `${NOTIFICATION},instance="b"`, 0, 1),
    },
    silentAt: ['14m'],
    firesAt: ['15m'],
  },
  {
    ...page('ParaphMailRelayDown', 'one worker of two finds it away'),
    series: {
      ...gauge('paraph_email_relay_up', `${NOTIFICATION},instance="a"`, 0, 1),
      ...gauge('paraph_email_relay_up', `${NOTIFICATION},instance="b"`, 1, 1),
    },
    silentAt: ['15m', '60m'],
  },
  {
    ...page('ParaphMailPutOff', 'three mails a minute put off and none taken'),
    series: { ...attempts('put_off', 3), ...attempts('accepted', 0), ...relayUp(1) },
    silentAt: ['5m'],
    firesAt: ['20m'],
  },
  {
    ...page('ParaphMailPutOff', 'one mail that is tried again and again'),
    series: { ...attempts('put_off', 1), ...relayUp(1) },
    silentAt: ['20m', '60m'],
  },
  {
    ...page('ParaphMailPutOff', 'some put off and some taken'),
    series: { ...attempts('put_off', 30), ...attempts('accepted', 1), ...relayUp(1) },
    silentAt: ['20m', '60m'],
  },
  {
    ...page('ParaphMailPutOff', 'a relay that is away'),
    series: { ...attempts('put_off', 30), ...relayUp(0) },
    silentAt: ['20m', '60m'],
  },
  {
    ...page('ParaphMailWaiting', 'a code that is 61 seconds late'),
    series: { ...gauge('paraph_email_waiting_age_seconds', `${NOTIFICATION},paraph_lane="codes"`, 61), ...relayUp(1) },
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphMailWaiting', 'an invitation that is 301 seconds late'),
    series: {
      ...gauge('paraph_email_waiting_age_seconds', `${NOTIFICATION},paraph_lane="others"`, 301),
      ...relayUp(1),
    },
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphMailWaiting', 'an invitation that is 299 seconds late'),
    series: {
      ...gauge('paraph_email_waiting_age_seconds', `${NOTIFICATION},paraph_lane="others"`, 299),
      ...relayUp(1),
    },
    silentAt: ['12m', '60m'],
  },
  {
    ...page('ParaphMailWaiting', 'a relay that is away'),
    series: { ...gauge('paraph_email_waiting_age_seconds', `${NOTIFICATION},paraph_lane="codes"`, 900), ...relayUp(0) },
    silentAt: ['12m', '60m'],
  },
  ...burns('ParaphInvitationsLate', 10, (profile) => late('invitation', '60', profile)),
  {
    ...page('ParaphInvitationsLate', 'as Prometheus 3 writes the bucket, all in time'),
    series: late('invitation', '60.0', always(0)),
    silentAt: ['30m', '60m'],
  },
  {
    ...page('ParaphInvitationsLate', 'mails of the end, which are no part of this promise'),
    series: late('completed', '60', always(500)),
    silentAt: ['30m', '60m'],
  },
  ...burns('ParaphCodesLate', 10, (profile) => late('code', '15', profile)),
  {
    ...page('ParaphCodesLate', 'codes of owners'),
    series: late('owner_code', '15.0', always(500)),
    firesAt: ['30m'],
  },
  {
    ...ticket('ParaphMailRefused', 'one mail in ten refused for good'),
    series: { ...attempts('accepted', 90), ...attempts('refused', 10) },
    silentAt: ['3m'],
    firesAt: ['30m'],
  },
  {
    ...ticket('ParaphMailRefused', 'one mail in ten given up'),
    series: { ...attempts('accepted', 90), ...attempts('gave_up', 10) },
    firesAt: ['30m'],
  },
  {
    ...ticket('ParaphMailRefused', 'one mail in thirty refused'),
    series: { ...attempts('accepted', 290), ...attempts('refused', 10) },
    silentAt: ['30m', '60m'],
  },
  {
    ...ticket('ParaphMailRefused', 'one mistyped address at night'),
    series: { [`${ATTEMPTS}{${NOTIFICATION},paraph_kind="invitation",paraph_outcome="refused"}`]: after10(0, 1) },
    silentAt: ['15m', '30m', '60m'],
  },
  {
    ...ticket('ParaphMailHeld', 'mails that nobody has released for an hour'),
    series: { [`paraph_email_held{${NOTIFICATION}}`]: after10(0, 12, 120) },
    silentAt: ['69m'],
    firesAt: ['71m'],
  },
  {
    ...ticket('ParaphOwnerMailWaiting', 'a mail that is not taken for a quarter of an hour'),
    series: gauge('paraph_owner_mail_waiting', 'service_name="gateway"', 1),
    silentAt: ['23m'],
    firesAt: ['25m'],
  },
  {
    ...page('ParaphCodesWaiting', 'a code that is not taken'),
    series: gauge('paraph_code_waiting', 'service_name="signing"', 1),
    silentAt: ['11m'],
    firesAt: ['13m'],
  },
  {
    ...page('ParaphCodesWaiting', 'codes that come and go'),
    series: { 'paraph_code_waiting{service_name="signing"}': Array.from({ length: 30 }, () => '1 2 0').join(' ') },
    silentAt: ['13m', '30m', '61m'],
  },
  {
    ...ticket('ParaphCodeChecksFail', 'every second code wrong'),
    series: {
      [`${CODE_CHECKS}{service_name="signing",paraph_outcome="verified"}`]: grows(5, 60),
      [`${CODE_CHECKS}{service_name="signing",paraph_outcome="wrong"}`]: grows(5, 60),
    },
    silentAt: ['2m'],
    firesAt: ['20m'],
  },
  {
    ...ticket('ParaphCodeChecksFail', 'all of them wrong'),
    series: { [`${CODE_CHECKS}{service_name="gateway",paraph_outcome="wrong"}`]: grows(5, 60) },
    firesAt: ['20m'],
  },
  {
    ...ticket('ParaphCodeChecksFail', 'a third of them wrong'),
    series: {
      [`${CODE_CHECKS}{service_name="signing",paraph_outcome="verified"}`]: grows(10, 60),
      [`${CODE_CHECKS}{service_name="signing",paraph_outcome="wrong"}`]: grows(5, 60),
    },
    silentAt: ['20m', '60m'],
  },
  {
    ...ticket('ParaphCodeChecksFail', 'one person who types wrong codes at night'),
    series: { [`${CODE_CHECKS}{service_name="signing",paraph_outcome="wrong"}`]: `0+1x5 ${still(5, 60)}` },
    silentAt: ['20m', '30m'],
  },

  {
    ...page('ParaphExpiryOverdue', 'a contract that should have ended 121 seconds ago'),
    series: gauge('paraph_expiry_overdue_age_seconds', 'service_name="contract"', 121),
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphExpiryOverdue', 'a contract that should have ended 119 seconds ago'),
    series: gauge('paraph_expiry_overdue_age_seconds', 'service_name="contract"', 119),
    silentAt: ['12m', '60m'],
  },
  {
    ...page('ParaphSignaturesUnsettled', 'a signature for five minutes'),
    series: gauge('paraph_signature_unsettled', 'service_name="signing"', 1),
    silentAt: ['13m'],
    firesAt: ['15m'],
  },
  {
    ...page('ParaphSealsStopped', 'contracts that wait while none is sealed'),
    series: {
      ...gauge('paraph_seal_waiting', 'service_name="signing"', 3),
      'paraph_seal_duration_seconds_count{service_name="signing"}': still(9, 120),
    },
    silentAt: ['23m'],
    firesAt: ['25m'],
  },
  {
    ...page('ParaphSealsStopped', 'a busy day, on which some always wait'),
    series: {
      ...gauge('paraph_seal_waiting', 'service_name="signing"', 3),
      'paraph_seal_duration_seconds_count{service_name="signing"}': grows(9, 120),
    },
    silentAt: ['25m', '60m'],
  },
  {
    ...ticket('ParaphSealsTroubled', 'one seal that failed five times'),
    series: gauge('paraph_seal_troubled', 'service_name="signing"', 1),
    silentAt: ['14m'],
    firesAt: ['15m'],
  },
  {
    ...page('ParaphInvariantBroken', 'one violation, told once'),
    series: violations('broken', `1 _x200`),
    firesAt: ['1m', '119m'],
    silentAt: ['130m'],
  },
  {
    ...page('ParaphInvariantBroken', 'a verification that finds nothing more'),
    series: violations('broken', `1 _x59 0 _x100`),
    firesAt: ['59m'],
    silentAt: ['60m', '90m'],
  },
  { ...page('ParaphInvariantBroken', 'late work'), series: violations('late', `4 _x100`), silentAt: ['1m', '60m'] },
  {
    ...ticket('ParaphInvariantLate', 'late work'),
    series: violations('late', `4 _x59 0 _x100`),
    firesAt: ['1m', '59m'],
    silentAt: ['60m'],
  },

  {
    ...page('ParaphServiceSilent', 'one service of four says nothing for five minutes'),
    series: { 'paraph_database_up{service_name="signing",instance="signing"}': `${still(1, 9)} stale` },
    silentAt: ['14m'],
    firesAt: ['15m'],
  },
  {
    ...ticket('ParaphTargetDown', 'one replica for ten minutes'),
    series: gauge('up', 'container="gateway",instance="b"', 0, 1),
    silentAt: ['19m'],
    firesAt: ['20m'],
  },
  {
    ...ticket('ParaphTargetDown', 'somebody else’s target in the namespace'),
    series: gauge('up', 'container="postgres",instance="b"', 0, 1),
    silentAt: ['20m', '60m'],
  },
  {
    ...page('ParaphDatabaseDown', 'no process of a service has its database'),
    series: { 'paraph_database_up{service_name="contract",instance="contract"}': after10(1, 0) },
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphDatabaseDown', 'one process of two has it'),
    series: gauge('paraph_database_up', 'service_name="contract",instance="b"', 0, 1),
    silentAt: ['12m', '60m'],
  },
  {
    ...ticket('ParaphPoolExhausted', 'somebody waits for a connection for two minutes'),
    series: gauge('paraph_database_waiting', 'service_name="contract",instance="b",paraph_pool="main"', 1),
    silentAt: ['11m'],
    firesAt: ['13m'],
  },
  {
    ...ticket('ParaphPoolExhausted', 'a database that is away'),
    series: {
      ...gauge('paraph_database_waiting', 'service_name="contract",instance="b",paraph_pool="main"', 1),
      'paraph_database_up{service_name="contract",instance="contract"}': after10(1, 0),
    },
    silentAt: ['13m', '60m'],
  },
  {
    ...ticket('ParaphLoopStuck', 'a loop that stands still for 241 seconds'),
    series: gauge('paraph_loop_age_seconds', 'service_name="signing",instance="b",paraph_loop="sealing"', 241),
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...ticket('ParaphLoopStuck', 'the loop that goes round once an hour'),
    series: gauge('paraph_loop_age_seconds', 'service_name="contract",instance="b",paraph_loop="keeping"', 3_600),
    silentAt: ['12m', '60m'],
  },
  {
    ...ticket('ParaphEventLoopBlocked', 'a process that is half a second late'),
    series: gauge('nodejs_eventloop_delay_p99_seconds', 'service_name="signing",instance="b"', 0.6),
    silentAt: ['18m'],
    firesAt: ['20m'],
  },
  {
    ...ticket('ParaphEventLoopBlocked', 'one seal'),
    series: {
      'nodejs_eventloop_delay_p99_seconds{service_name="signing",instance="b"}': `${still(0.02, 9)} ${still(2, 2)} ${still(0.02, 60)}`,
    },
    silentAt: ['12m', '20m', '30m'],
  },
  {
    ...ticket('ParaphRestarts', 'four restarts within an hour'),
    series: {
      'kube_pod_container_status_restarts_total{container="signing",pod="signing-1"}':
        '0 _x9 1 _x9 2 _x9 3 _x9 4 _x60'.replaceAll(/(\d) _x(\d+)/g, (_, value: string, n: string) =>
          still(Number(value), Number(n)),
        ),
    },
    silentAt: ['29m'],
    firesAt: ['45m'],
  },
  {
    // What `increase` makes of three is a little more: it goes from the first and last look to the ends of the hour.
    ...ticket('ParaphRestarts', 'three restarts within an hour, of a pod that ended before, too'),
    series: {
      'kube_pod_container_status_restarts_total{container="signing",pod="signing-1"}': `_x59 ${still(10, 9)} ${still(11, 4)} ${still(12, 4)} ${still(13, 60)}`,
    },
    silentAt: ['100m'],
  },
  {
    ...ticket('ParaphTelemetryLost', 'spans that are dropped'),
    series: {
      'otel_sdk_processor_span_processed_total{service_name="contract",error_type="queue_full"}': grows(5, 60),
    },
    silentAt: ['8m'],
    firesAt: ['15m'],
  },
  {
    ...ticket('ParaphTelemetryLost', 'spans that no collector takes'),
    series: { 'otel_sdk_processor_span_processed_total{service_name="contract",error_type="Error"}': grows(5, 60) },
    firesAt: ['15m'],
  },
  {
    ...ticket('ParaphTelemetryLost', 'spans that are sent'),
    series: { 'otel_sdk_processor_span_processed_total{service_name="contract"}': grows(5, 60) },
    silentAt: ['15m', '60m'],
  },
]
