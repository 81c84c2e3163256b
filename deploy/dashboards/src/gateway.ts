// Dashboard 2: the gateway: keys, the window, quotas, the record of usage. [D27, D40, B.5]
import { ask, graph, NAMESPACE, number, PROMETHEUS, type Dashboard } from './panel.js'

export const gateway: Dashboard = {
  name: 'paraph-gateway',
  title: 'Paraph: gateway',
  description: 'Who is let in, who is refused and for what, and whether what is answered is recorded.',
  variables: [PROMETHEUS, NAMESPACE],
  rows: [
    {
      title: 'Now',
      height: 5,
      panels: [
        number('Long polls', 'Clients that wait for a change.', 'short', ask('sum(paraph_waits_open{HERE})')),
        number(
          'Record fails',
          'Gateways whose last commit of usage failed: they answer 503.',
          'short',
          ask('sum(paraph_usage_failing{HERE})'),
          1,
        ),
        number(
          'Shared windows left alone',
          'Gateways that decide about limits each for itself.',
          'short',
          ask('count(paraph_ratelimit_store_up{HERE}) - sum(paraph_ratelimit_store_up{HERE})'),
          1,
        ),
        number(
          'Mails to owners waiting',
          'Not taken by notification yet.',
          'short',
          ask('max(paraph_owner_mail_waiting{HERE})'),
          1,
        ),
      ],
    },
    {
      title: 'Keys',
      panels: [
        graph(
          'Refused for their key',
          '`missing` and `unknown` are 401; a step after a rotation is a customer who still uses the old key.',
          'reqps',
          ask('sum by (paraph_reason) (rate(paraph_auth_failures_total{HERE}[$__rate_interval]))', '{{paraph_reason}}'),
        ),
        graph(
          'Share of calls that are refused for their key',
          'Above 20 % for ten minutes is ParaphAuthFailures.',
          'percentunit',
          ask(
            'sum(rate(paraph_auth_failures_total{HERE,paraph_reason=~"missing|unknown|too_many"}[10m])) / sum(rate(http_server_request_duration_seconds_count{HERE,service_name="gateway",http_route=~"/api/external/v2/.*"}[10m]))',
            'share',
          ),
        ),
      ],
    },
    {
      title: 'Limits and quotas',
      panels: [
        graph(
          '429 by tier',
          'Calls that the window refused. One tier alone: one customer, most likely.',
          'reqps',
          ask(
            'sum by (paraph_tier, paraph_environment) (rate(paraph_ratelimit_decisions_total{HERE,paraph_outcome="refused"}[$__rate_interval]))',
            '{{paraph_tier}} {{paraph_environment}}',
          ),
        ),
        graph(
          'Refused for the month’s quota',
          'Accounts that stop at their quota.',
          'reqps',
          ask(
            'sum by (paraph_tier, paraph_environment) (rate(paraph_quota_refusals_total{HERE}[$__rate_interval]))',
            '{{paraph_tier}} {{paraph_environment}}',
          ),
        ),
        graph(
          'How long the window takes',
          'Of 100 calls the 99th. It is given up after 25 ms.',
          's',
          ask(
            'histogram_quantile(0.99, sum by (le) (rate(paraph_ratelimit_duration_seconds_bucket{HERE}[$__rate_interval])))',
            'p99',
          ),
        ),
        graph(
          'Decided by the gateway alone',
          'Fallbacks: limits are exact per gateway only. Five minutes of them are ParaphWindowFallback.',
          'reqps',
          ask('sum(rate(paraph_ratelimit_fallbacks_total{HERE}[$__rate_interval]))', 'fallbacks'),
        ),
      ],
    },
    {
      title: 'Record of usage',
      panels: [
        graph(
          'Calls that wait for their commit',
          'Some always do on a busy day. A number that stands still is ParaphUsageNotRecorded.',
          'short',
          ask('max by (instance) (paraph_usage_uncommitted{HERE})', '{{instance}}'),
        ),
        graph(
          'Commits',
          'Writes of the record. Each call waits for one.',
          'reqps',
          ask(
            'sum by (instance) (rate(paraph_usage_commit_duration_seconds_count{HERE}[$__rate_interval]))',
            '{{instance}}',
          ),
        ),
        graph(
          'How long a commit takes',
          'It is part of every answer.',
          's',
          ask(
            'histogram_quantile(0.99, sum by (le) (rate(paraph_usage_commit_duration_seconds_bucket{HERE}[$__rate_interval])))',
            'p99',
          ),
        ),
      ],
    },
  ],
}
