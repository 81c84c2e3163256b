// The test cases of each alert: series for which the alert fires, and series near its threshold for which it stays silent. Pure. [docs/runbooks]
// Values use promtool's notation, one sample a minute: `0+60x30` is 0, then 60 more each minute, thirty times.

export interface AlertCase {
  alert: string
  severity: 'page' | 'ticket'
  scenario: string
  series: Readonly<Record<string, string>>
  /** Times at which the alert fires, and times at which it does not. */
  firesAt?: readonly string[]
  silentAt?: readonly string[]
}

const still = (value: number, minutes: number): string => `${value}+0x${minutes}`
/** A gauge that is `normal` for ten minutes and then `value`. */
const after10 = (normal: number, value: number, minutes = 60): string => `${still(normal, 9)} ${still(value, minutes)}`
/** A counter that grows by `each` a minute. */
const grows = (each: number, minutes: number): string => `0+${each}x${minutes}`
/** Phases of a load of 1,000 requests a minute: the length of each, and its errors per minute. */
type Profile = readonly (readonly [minutes: number, errors: number])[]
/** A counter that grows each minute by `rate` of the errors of that minute. */
function counted(profile: Profile, rate: (errors: number) => number): string {
  let value = 0
  return profile
    .map(([minutes, errors]) => {
      const each = rate(errors)
      const part = `${value}+${each}x${minutes - 1}`
      value += each * minutes
      return part
    })
    .join(' ')
}
const always = (errors: number): Profile => [[400, errors]]

const COUNT = 'http_server_request_duration_seconds_count'
const BUCKET = 'http_server_request_duration_seconds_bucket'
const ACCEPT = 'paraph_email_accept_duration_seconds'
const contracts = '/api/external/v2/contracts'

const answers = (status: number, route = `${contracts}/{id}`, method = 'GET', service = 'gateway'): string =>
  `${COUNT}{service_name="${service}",http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"}`
const within = (le: string, route: string, method: string): string =>
  `${BUCKET}{service_name="gateway",http_request_method="${method}",http_route="${route}",http_response_status_code="200",le="${le}"}`
const gauge = (name: string, labels: string, value: number, normal = 0) => ({
  [`${name}{${labels}}`]: after10(normal, value),
})

const failing = (profile: Profile) => ({
  [answers(200)]: counted(profile, (errors) => 1_000 - errors),
  [answers(503)]: counted(profile, (errors) => errors),
})
/** An error is a request slower than the objective. */
const slow = (route: string, method: string, le: string, profile: Profile) => ({
  [answers(200, route, method)]: counted(profile, () => 1_000),
  [within(le, route, method)]: counted(profile, (errors) => 1_000 - errors),
  [within('+Inf', route, method)]: counted(profile, () => 1_000),
})
const late = (kind: string, le: string, profile: Profile) => ({
  [`${ACCEPT}_count{service_name="notification",paraph_kind="${kind}"}`]: counted(profile, () => 1_000),
  [`${ACCEPT}_bucket{service_name="notification",paraph_kind="${kind}",le="${le}"}`]: counted(
    profile,
    (errors) => 1_000 - errors,
  ),
  [`${ACCEPT}_bucket{service_name="notification",paraph_kind="${kind}",le="+Inf"}`]: counted(profile, () => 1_000),
})

/** The cases of a burn rate: both pairs of windows that page, and the pair of the ticket. @param budget allowed errors a minute [H25] */
function burns(alert: string, budget: number, series: (profile: Profile) => Record<string, string>): AlertCase[] {
  const [page, ticket] = [
    { alert, severity: 'page' as const },
    { alert, severity: 'ticket' as const },
  ]
  const good = [360, 0] as const
  return [
    {
      ...page,
      scenario: '18 times the budget, after six good hours',
      // After 48 minutes, the errors of the last hour exceed 14.4 times the budget.
      series: series([good, [120, 18 * budget]]),
      silentAt: ['355m', '380m'],
      firesAt: ['415m'],
    },
    {
      ...page,
      scenario: '14 times the budget for an hour',
      series: series([good, [120, 14 * budget]]),
      silentAt: ['380m', '415m'],
    },
    {
      ...page,
      scenario: '18 times the budget that ended ten minutes ago',
      series: series([good, [60, 18 * budget], [60, 0]]),
      firesAt: ['420m'],
      silentAt: ['430m'],
    },
    { ...page, scenario: '7 times the budget for six hours', series: series(always(7 * budget)), firesAt: ['360m'] },
    {
      ...page,
      scenario: '7 times the budget that ended an hour ago',
      series: series([
        [360, 7 * budget],
        [90, 0],
      ]),
      silentAt: ['420m'],
    },
    {
      ...page,
      scenario: '5 times the budget for six hours',
      series: series(always(5 * budget)),
      silentAt: ['30m', '60m', '360m'],
    },
    { ...ticket, scenario: '2 times the budget', series: series(always(2 * budget)), firesAt: ['360m'] },
    { ...ticket, scenario: 'half of the budget', series: series(always(budget / 2)), silentAt: ['60m', '360m'] },
  ]
}

const CODE_CHECKS = 'paraph_code_checks_total'
const ATTEMPTS = 'paraph_email_attempts_total'
const NOTIFICATION = 'service_name="notification"'
const attempts = (outcome: string, each: number) => ({
  [`${ATTEMPTS}{${NOTIFICATION},paraph_kind="invitation",paraph_outcome="${outcome}"}`]: grows(each, 120),
})
const smtpUp = (value: number) => ({ [`paraph_email_relay_up{${NOTIFICATION},instance="a"}`]: still(value, 120) })
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
  'paraph_consumer_delay_seconds_count{service_name="signing"}': grows(10, 60),
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
const VERIFY = 'cronjob="paraph-verify"'
const SUCCEEDED = `kube_cronjob_status_last_successful_time{${VERIFY}}`
/** A Job of the CronJob that was created and failed in this minute. */
const failedJob = (minute: number, name = 'paraph-verify-1') => ({
  [`kube_job_created{job_name="${name}"}`]: `_x${minute} ${still(minute * 60, 300)}`,
  [`kube_job_failed{job_name="${name}",condition="true"}`]: `_x${minute} ${still(1, 300)}`,
})
const certificate = (environment: string, days: number) => ({
  [`paraph_seal_certificate_expires_seconds{service_name="signing",paraph_environment="${environment}"}`]: still(
    days * 86_400,
    60,
  ),
})
const page = (alert: string, scenario: string) => ({ alert, severity: 'page' as const, scenario })
const ticket = (alert: string, scenario: string) => ({ alert, severity: 'ticket' as const, scenario })

/** The series of four healthy, idle services. */
export const IDLE: Readonly<Record<string, string>> = Object.fromEntries(
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
    ...page('ParaphRequestsFail', 'nine errors in nine requests'),
    series: { [answers(503)]: `0+1x9 ${still(9, 60)}` },
    silentAt: ['5m', '9m', '20m'],
  },
  {
    ...page('ParaphRequestsFail', 'failing calls between services'),
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
    ...page('ParaphReadsSlow', 'slow reads of usage'),
    series: slow('/api/external/v2/usage', 'GET', '0.2', always(500)),
    firesAt: ['30m'],
  },
  {
    ...page('ParaphReadsSlow', 'slow pages, which this objective excludes'),
    series: slow('/contract/{shareToken}', 'GET', '0.2', always(500)),
    silentAt: ['30m', '60m'],
  },

  {
    ...ticket('ParaphAuthFailures', 'a quarter of the calls without a valid key'),
    series: {
      [answers(200)]: grows(300, 60),
      [answers(401)]: grows(100, 60),
      'paraph_auth_failures_total{service_name="gateway",paraph_reason="unknown"}': grows(100, 60),
    },
    silentAt: ['9m'],
    firesAt: ['21m'],
  },
  {
    ...ticket('ParaphAuthFailures', 'a sixth of the calls without a valid key'),
    series: {
      [answers(200)]: grows(500, 60),
      [answers(401)]: grows(100, 60),
      'paraph_auth_failures_total{service_name="gateway",paraph_reason="unknown"}': grows(100, 60),
    },
    silentAt: ['21m', '60m'],
  },
  {
    ...ticket('ParaphAuthFailures', 'inactive accounts'),
    series: {
      [answers(403)]: grows(100, 60),
      'paraph_auth_failures_total{service_name="gateway",paraph_reason="inactive"}': grows(100, 60),
    },
    silentAt: ['21m', '60m'],
  },
  {
    ...ticket('ParaphAuthFailures', 'four calls a minute without a key, and no other traffic'),
    series: {
      [answers(401)]: grows(4, 60),
      'paraph_auth_failures_total{service_name="gateway",paraph_reason="missing"}': grows(4, 60),
    },
    silentAt: ['21m', '60m'],
  },
  {
    ...ticket('ParaphWindowFallback', 'every decision without the shared windows'),
    series: windows(100, `${still(0, 9)} 100+100x60`),
    silentAt: ['14m'],
    firesAt: ['16m'],
  },
  {
    ...ticket('ParaphWindowFallback', 'fallbacks within a single minute'),
    series: windows(100, `${still(0, 9)} ${still(50, 60)}`),
    silentAt: ['11m', '14m', '16m', '30m'],
  },
  {
    ...ticket('ParaphWindowFallback', 'much traffic with few late answers'),
    series: windows(10_000, `${still(0, 9)} 50+50x60`),
    silentAt: ['16m', '60m'],
  },
  {
    ...ticket('ParaphWindowFallback', 'one late answer of ten with little traffic'),
    series: windows(10, `${still(0, 9)} 1+1x60`),
    silentAt: ['16m', '60m'],
  },

  {
    ...page('ParaphUsageNotRecorded', 'commits that fail'),
    series: gauge('paraph_usage_failing', 'service_name="gateway",instance="a"', 1),
    silentAt: ['9m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphUsageNotRecorded', 'calls waiting without any commit'),
    series: {
      ...gauge('paraph_usage_uncommitted', 'service_name="gateway",instance="a"', 7),
      'paraph_usage_commit_duration_seconds_count{service_name="gateway",instance="a"}': `0+20x9 ${still(180, 60)}`,
    },
    silentAt: ['9m'],
    firesAt: ['14m'],
  },
  {
    ...page('ParaphUsageNotRecorded', 'a busy gateway where some calls always wait for their commit'),
    series: {
      ...gauge('paraph_usage_uncommitted', 'service_name="gateway",instance="a"', 7),
      'paraph_usage_commit_duration_seconds_count{service_name="gateway",instance="a"}': grows(600, 60),
    },
    silentAt: ['14m', '30m'],
  },

  {
    ...page('ParaphBusNotTaking', 'an event waiting 61 seconds with a running relay'),
    series: outbox(61, 2),
    silentAt: ['11m'],
    firesAt: ['13m'],
  },
  { ...page('ParaphBusNotTaking', 'an event waiting 59 seconds'), series: outbox(59, 2), silentAt: ['13m', '60m'] },
  { ...page('ParaphBusNotTaking', 'a stuck relay'), series: outbox(200, 200), silentAt: ['13m', '60m'] },
  { ...page('ParaphRelayStuck', 'a stuck relay'), series: outbox(200, 200), silentAt: ['11m'], firesAt: ['13m'] },
  {
    ...page('ParaphRelayStuck', 'a stuck relay with an empty outbox'),
    series: outbox(0, 200),
    silentAt: ['13m', '60m'],
  },
  {
    ...page('ParaphConsumerStalled', 'a partition without progress for 130 seconds'),
    series: gauge('paraph_consumer_stalled_seconds', 'service_name="signing",instance="a"', 130),
    silentAt: ['9m', '10m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphConsumerStalled', 'a partition without progress for 110 seconds'),
    series: gauge('paraph_consumer_stalled_seconds', 'service_name="signing",instance="a"', 110),
    silentAt: ['12m', '60m'],
  },
  {
    ...page('ParaphConsumerStalled', 'events that no consumer processes'),
    series: {
      ...lag(5),
      'paraph_consumer_events_total{service_name="signing",paraph_outcome="handled"}': still(40, 120),
    },
    silentAt: ['15m'],
    firesAt: ['24m'],
  },
  {
    ...page('ParaphConsumerStalled', 'a busy consumer with a permanent backlog'),
    series: {
      ...lag(5),
      'paraph_consumer_events_total{service_name="signing",paraph_outcome="handled"}': grows(50, 120),
    },
    silentAt: ['24m', '60m'],
  },
  {
    ...page('ParaphConsumerStalled', 'events waiting for an unavailable database'),
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
    ...page('ParaphMailRelayDown', 'no worker reaches the SMTP server'),
    series: {
      ...gauge('paraph_email_relay_up', `${NOTIFICATION},instance="a"`, 0, 1),
      ...gauge('paraph_email_relay_up', `${NOTIFICATION},instance="b"`, 0, 1),
    },
    silentAt: ['14m'],
    firesAt: ['15m'],
  },
  {
    ...page('ParaphMailRelayDown', 'one worker of two does not reach the SMTP server'),
    series: {
      ...gauge('paraph_email_relay_up', `${NOTIFICATION},instance="a"`, 0, 1),
      ...gauge('paraph_email_relay_up', `${NOTIFICATION},instance="b"`, 1, 1),
    },
    silentAt: ['15m', '60m'],
  },
  {
    ...page('ParaphMailPutOff', 'three mails a minute deferred and none accepted'),
    series: { ...attempts('put_off', 3), ...attempts('accepted', 0), ...smtpUp(1) },
    silentAt: ['5m'],
    firesAt: ['20m'],
  },
  {
    ...page('ParaphMailPutOff', 'retries of a single mail'),
    series: { ...attempts('put_off', 1), ...smtpUp(1) },
    silentAt: ['20m', '60m'],
  },
  {
    ...page('ParaphMailPutOff', 'some mails deferred and some accepted'),
    series: { ...attempts('put_off', 30), ...attempts('accepted', 1), ...smtpUp(1) },
    silentAt: ['20m', '60m'],
  },
  {
    ...page('ParaphMailPutOff', 'an unavailable SMTP server'),
    series: { ...attempts('put_off', 30), ...smtpUp(0) },
    silentAt: ['20m', '60m'],
  },
  {
    ...page('ParaphMailWaiting', 'a code that is 61 seconds late'),
    series: { ...gauge('paraph_email_waiting_age_seconds', `${NOTIFICATION},paraph_lane="codes"`, 61), ...smtpUp(1) },
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphMailWaiting', 'an invitation that is 301 seconds late'),
    series: { ...gauge('paraph_email_waiting_age_seconds', `${NOTIFICATION},paraph_lane="others"`, 301), ...smtpUp(1) },
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphMailWaiting', 'an invitation that is 299 seconds late'),
    series: { ...gauge('paraph_email_waiting_age_seconds', `${NOTIFICATION},paraph_lane="others"`, 299), ...smtpUp(1) },
    silentAt: ['12m', '60m'],
  },
  {
    ...page('ParaphMailWaiting', 'an unavailable SMTP server'),
    series: { ...gauge('paraph_email_waiting_age_seconds', `${NOTIFICATION},paraph_lane="codes"`, 900), ...smtpUp(0) },
    silentAt: ['12m', '60m'],
  },
  ...burns('ParaphInvitationsLate', 10, (profile) => late('invitation', '60', profile)),
  {
    ...page('ParaphInvitationsLate', 'invitations in time, with the bucket label of Prometheus 3'),
    series: late('invitation', '60.0', always(0)),
    silentAt: ['30m', '60m'],
  },
  {
    ...page('ParaphInvitationsLate', 'late completion mails, which this objective excludes'),
    series: late('completed', '60', always(500)),
    silentAt: ['30m', '60m'],
  },
  ...burns('ParaphCodesLate', 10, (profile) => late('code', '15', profile)),
  {
    ...page('ParaphCodesLate', 'late codes of owners'),
    series: late('owner_code', '15.0', always(500)),
    firesAt: ['30m'],
  },
  {
    ...ticket('ParaphMailRefused', 'one mail in ten rejected permanently'),
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
    ...ticket('ParaphMailRefused', 'one mail in thirty rejected permanently'),
    series: { ...attempts('accepted', 290), ...attempts('refused', 10) },
    silentAt: ['30m', '60m'],
  },
  {
    ...ticket('ParaphMailRefused', 'one mistyped address with little traffic'),
    series: { [`${ATTEMPTS}{${NOTIFICATION},paraph_kind="invitation",paraph_outcome="refused"}`]: after10(0, 1) },
    silentAt: ['15m', '30m', '60m'],
  },
  {
    ...ticket('ParaphMailHeld', 'mails suspended for an hour'),
    series: { [`paraph_email_held{${NOTIFICATION}}`]: after10(0, 12, 120) },
    silentAt: ['69m'],
    firesAt: ['71m'],
  },
  {
    ...ticket('ParaphOwnerMailWaiting', 'a mail waiting for 15 minutes'),
    series: gauge('paraph_owner_mail_waiting', 'service_name="gateway"', 1),
    silentAt: ['23m'],
    firesAt: ['25m'],
  },
  {
    ...page('ParaphCodesWaiting', 'a waiting code'),
    series: gauge('paraph_code_waiting', 'service_name="signing"', 1),
    silentAt: ['11m'],
    firesAt: ['13m'],
  },
  {
    ...page('ParaphCodesWaiting', 'codes that wait only for a moment'),
    series: { 'paraph_code_waiting{service_name="signing"}': Array.from({ length: 30 }, () => '1 2 0').join(' ') },
    silentAt: ['13m', '30m', '61m'],
  },
  {
    ...ticket('ParaphCodeChecksFail', 'half of the codes wrong'),
    series: {
      [`${CODE_CHECKS}{service_name="signing",paraph_outcome="verified"}`]: grows(5, 60),
      [`${CODE_CHECKS}{service_name="signing",paraph_outcome="wrong"}`]: grows(5, 60),
    },
    silentAt: ['2m'],
    firesAt: ['20m'],
  },
  {
    ...ticket('ParaphCodeChecksFail', 'all codes wrong'),
    series: { [`${CODE_CHECKS}{service_name="gateway",paraph_outcome="wrong"}`]: grows(5, 60) },
    firesAt: ['20m'],
  },
  {
    ...ticket('ParaphCodeChecksFail', 'a third of the codes wrong'),
    series: {
      [`${CODE_CHECKS}{service_name="signing",paraph_outcome="verified"}`]: grows(10, 60),
      [`${CODE_CHECKS}{service_name="signing",paraph_outcome="wrong"}`]: grows(5, 60),
    },
    silentAt: ['20m', '60m'],
  },
  {
    ...ticket('ParaphCodeChecksFail', 'one person with wrong codes and no other traffic'),
    series: { [`${CODE_CHECKS}{service_name="signing",paraph_outcome="wrong"}`]: `0+1x5 ${still(5, 60)}` },
    silentAt: ['20m', '30m'],
  },

  {
    ...page('ParaphExpiryOverdue', 'a contract that expired 121 seconds ago'),
    series: gauge('paraph_expiry_overdue_age_seconds', 'service_name="contract"', 121),
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...page('ParaphExpiryOverdue', 'a contract that expired 119 seconds ago'),
    series: gauge('paraph_expiry_overdue_age_seconds', 'service_name="contract"', 119),
    silentAt: ['12m', '60m'],
  },
  {
    ...page('ParaphSignaturesUnsettled', 'a signature without an outcome for five minutes'),
    series: gauge('paraph_signature_unsettled', 'service_name="signing"', 1),
    silentAt: ['13m'],
    firesAt: ['15m'],
  },
  {
    ...page('ParaphSealsStopped', 'waiting contracts without any seal'),
    series: {
      ...gauge('paraph_seal_waiting', 'service_name="signing"', 3),
      'paraph_seal_duration_seconds_count{service_name="signing"}': still(9, 120),
    },
    silentAt: ['23m'],
    firesAt: ['25m'],
  },
  {
    ...page('ParaphSealsStopped', 'steady sealing with a permanent backlog'),
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
    ...page('ParaphDocumentDamaged', 'one read of an altered document'),
    series: {
      'paraph_document_damaged_total{service_name="signing",paraph_reason="altered"}': after10(0, 1, 120),
      'paraph_document_damaged_total{service_name="signing",paraph_reason="missing"}': still(0, 120),
    },
    silentAt: ['9m', '75m'],
    firesAt: ['12m', '60m'],
  },
  {
    ...page('ParaphInvariantBroken', 'one violation, reported once'),
    series: violations('broken', `1 _x200`),
    firesAt: ['1m', '119m'],
    silentAt: ['130m'],
  },
  {
    ...page('ParaphInvariantBroken', 'a violation that the next run no longer finds'),
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
    ...page('ParaphInvariantsUnchecked', 'a failed run after a successful one'),
    series: { [SUCCEEDED]: still(0, 300), ...failedJob(60) },
    silentAt: ['59m'],
    firesAt: ['62m', '120m'],
  },
  {
    ...page('ParaphInvariantsUnchecked', 'a failed first run'),
    series: failedJob(60),
    silentAt: ['59m'],
    firesAt: ['62m'],
  },
  {
    ...page('ParaphInvariantsUnchecked', 'a failed run that a successful one followed'),
    series: { [SUCCEEDED]: `${still(0, 119)} ${still(7_200, 180)}`, ...failedJob(60) },
    firesAt: ['65m'],
    silentAt: ['125m', '200m'],
  },
  {
    ...page('ParaphInvariantsUnchecked', 'a failed run whose violations OTLP brought'),
    series: { [SUCCEEDED]: still(0, 300), ...failedJob(60), ...violations('late', '_x59 4 _x200') },
    silentAt: ['62m', '120m'],
  },
  {
    ...page('ParaphInvariantsUnchecked', 'failed runs, the first of them during an outage of a database'),
    series: {
      ...failedJob(60),
      ...failedJob(120, 'paraph-verify-2'),
      'paraph_database_up{service_name="signing",instance="signing"}': `${still(1, 57)} ${still(0, 4)} ${still(1, 240)}`,
    },
    silentAt: ['62m', '120m'],
    firesAt: ['130m'],
  },
  {
    ...page('ParaphInvariantsUnchecked', 'the failed Job of another release'),
    series: failedJob(60, 'other-paraph-verify-1'),
    silentAt: ['62m', '120m'],
  },
  {
    ...ticket('ParaphInvariantsUnchecked', 'no success for 25 hours'),
    series: { [SUCCEEDED]: still(0, 1_600), [`kube_cronjob_created{${VERIFY}}`]: still(0, 1_600) },
    silentAt: ['1490m'],
    firesAt: ['1510m'],
  },
  {
    ...ticket('ParaphInvariantsUnchecked', 'a CronJob that never ran'),
    series: { [`kube_cronjob_created{${VERIFY}}`]: still(0, 1_600) },
    silentAt: ['1490m'],
    firesAt: ['1510m'],
  },
  {
    ...ticket('ParaphInvariantsUnchecked', 'an old CronJob with a recent success'),
    series: {
      [SUCCEEDED]: `${still(0, 1_199)} ${still(72_000, 400)}`,
      [`kube_cronjob_created{${VERIFY}}`]: still(0, 1_600),
    },
    silentAt: ['1510m', '1590m'],
  },
  {
    ...page('ParaphSealCertificateExpires', 'two days left in production'),
    series: certificate('production', 2),
    silentAt: ['3m'],
    firesAt: ['6m', '60m'],
  },
  {
    ...page('ParaphSealCertificateExpires', 'two days left in the sandbox'),
    series: certificate('sandbox', 2),
    silentAt: ['60m'],
  },
  {
    ...page('ParaphSealCertificateExpires', 'four days left'),
    series: certificate('production', 4),
    silentAt: ['60m'],
  },
  { ...ticket('ParaphSealCertificateExpires', '29 days left'), series: certificate('sandbox', 29), firesAt: ['6m'] },
  {
    ...ticket('ParaphSealCertificateExpires', 'an ended certificate'),
    series: certificate('sandbox', -1),
    firesAt: ['6m'],
  },
  { ...ticket('ParaphSealCertificateExpires', '31 days left'), series: certificate('sandbox', 31), silentAt: ['60m'] },

  {
    ...page('ParaphServiceSilent', 'one service of four without metrics for five minutes'),
    series: { 'paraph_database_up{service_name="signing",instance="signing"}': `${still(1, 9)} stale` },
    silentAt: ['14m'],
    firesAt: ['15m'],
  },
  {
    ...ticket('ParaphTargetDown', 'one replica down for ten minutes'),
    series: gauge('up', 'container="gateway",instance="b"', 0, 1),
    silentAt: ['19m'],
    firesAt: ['20m'],
  },
  {
    ...ticket('ParaphTargetDown', 'a foreign target in the namespace'),
    series: gauge('up', 'container="postgres",instance="b"', 0, 1),
    silentAt: ['20m', '60m'],
  },
  {
    ...page('ParaphDatabaseDown', 'no process of a service reaches its database'),
    series: { 'paraph_database_up{service_name="contract",instance="contract"}': after10(1, 0) },
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...page(
      'ParaphDatabaseDown',
      'a database that was unavailable for five minutes, which the alert outlasts by half an hour',
    ),
    series: {
      'paraph_database_up{service_name="contract",instance="contract"}': `${still(1, 9)} ${still(0, 4)} ${still(1, 60)}`,
    },
    firesAt: ['15m', '40m'],
    silentAt: ['11m', '46m'],
  },
  {
    ...page('ParaphDatabaseDown', 'one process of two reaches the database'),
    series: gauge('paraph_database_up', 'service_name="contract",instance="b"', 0, 1),
    silentAt: ['12m', '60m'],
  },
  {
    ...ticket('ParaphPoolExhausted', 'a request waits for a connection for two minutes'),
    series: gauge('paraph_database_waiting', 'service_name="contract",instance="b",paraph_pool="main"', 1),
    silentAt: ['11m'],
    firesAt: ['13m'],
  },
  {
    ...ticket('ParaphPoolExhausted', 'an unavailable database'),
    series: {
      ...gauge('paraph_database_waiting', 'service_name="contract",instance="b",paraph_pool="main"', 1),
      'paraph_database_up{service_name="contract",instance="contract"}': after10(1, 0),
    },
    silentAt: ['13m', '60m'],
  },
  {
    ...ticket('ParaphLoopStuck', 'a loop without a run for 241 seconds'),
    series: gauge('paraph_loop_age_seconds', 'service_name="signing",instance="b",paraph_loop="sealing"', 241),
    silentAt: ['11m'],
    firesAt: ['12m'],
  },
  {
    ...ticket('ParaphLoopStuck', 'the loop that runs once an hour'),
    series: gauge('paraph_loop_age_seconds', 'service_name="contract",instance="b",paraph_loop="keeping"', 3_600),
    silentAt: ['12m', '60m'],
  },
  {
    ...ticket('ParaphEventLoopBlocked', 'a process with a delay of 0.6 s'),
    series: gauge('nodejs_eventloop_delay_p99_seconds', 'service_name="signing",instance="b"', 0.6),
    silentAt: ['18m'],
    firesAt: ['20m'],
  },
  {
    ...ticket('ParaphEventLoopBlocked', 'a delay of two minutes, as one seal causes'),
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
    // `increase` extrapolates to the ends of the hour and yields a little more than 3.
    ...ticket('ParaphRestarts', 'three restarts within an hour, of a pod with earlier restarts'),
    series: {
      'kube_pod_container_status_restarts_total{container="signing",pod="signing-1"}': `_x59 ${still(10, 9)} ${still(11, 4)} ${still(12, 4)} ${still(13, 60)}`,
    },
    silentAt: ['100m'],
  },
  {
    ...ticket('ParaphTelemetryLost', 'dropped spans'),
    series: {
      'otel_sdk_processor_span_processed_total{service_name="contract",error_type="queue_full"}': grows(5, 60),
    },
    silentAt: ['8m'],
    firesAt: ['15m'],
  },
  {
    ...ticket('ParaphTelemetryLost', 'spans that no collector accepts'),
    series: { 'otel_sdk_processor_span_processed_total{service_name="contract",error_type="Error"}': grows(5, 60) },
    firesAt: ['15m'],
  },
  {
    ...ticket('ParaphTelemetryLost', 'exported spans'),
    series: { 'otel_sdk_processor_span_processed_total{service_name="contract"}': grows(5, 60) },
    silentAt: ['15m', '60m'],
  },
]
