// Dashboard 1: is it up for customers? What was promised, and how much of the month's allowance is left. [H25, B.5]
import { ask, graph, NAMESPACE, number, PROMETHEUS, type Dashboard } from './panel.js'

const COUNT = 'http_server_request_duration_seconds_count'
const BUCKET = 'http_server_request_duration_seconds_bucket'
const PUBLIC = 'HERE,service_name="gateway",http_route!~"/rpc/.*"'
const CREATES =
  'HERE,service_name="gateway",http_request_method="POST",http_route="/api/external/v2/contracts",http_response_status_code!~"5.."'
const READS =
  'HERE,service_name="gateway",http_request_method="GET",http_route=~"/api/external/v2/(contracts/\\\\{id\\\\}|usage|status)",http_response_status_code!~"5.."'

const failed = (range: string) =>
  `(sum(rate(${COUNT}{${PUBLIC},http_response_status_code=~"5.."}[${range}])) or vector(0)) / sum(rate(${COUNT}{${PUBLIC}}[${range}]))`
const slow = (which: string, le: string, range: string) =>
  `1 - sum(rate(${BUCKET}{${which},le="${le}"}[${range}])) / sum(rate(${COUNT}{${which}}[${range}]))`

const PROMISES = [
  { name: 'Requests answered without a fault of ours', allowance: 0.001, share: failed },
  { name: 'Contracts made within 500 ms', allowance: 0.01, share: (range: string) => slow(CREATES, '0.5', range) },
  { name: 'Readings within 200 ms', allowance: 0.01, share: (range: string) => slow(READS, '0.2', range) },
]

export const customers: Dashboard = {
  name: 'paraph-customers',
  title: 'Paraph: is it up for customers?',
  description: 'What was promised to customers, how fast the month’s allowance is used up, and what is asked.',
  variables: [PROMETHEUS, NAMESPACE],
  rows: [
    {
      title: 'What was promised, over 30 days',
      height: 5,
      panels: PROMISES.map(({ name, allowance, share }) =>
        number(
          `${name}: allowance used`,
          `The part of 30 days’ allowance (${allowance * 100} %) that is gone. 100 % and more: the promise is broken.`,
          'percentunit',
          ask(`(${share('30d')}) / ${allowance}`),
          1,
        ),
      ),
    },
    {
      title: 'How fast it is used up',
      panels: PROMISES.map(({ name, allowance, share }) =>
        graph(
          name,
          'Times the allowance. Paged is 14.4 over 1 h and 5 min, or 6 over 6 h and 30 min; 1 over 3 days is a ticket.',
          'none',
          ...['5m', '1h', '6h', '3d'].map((range) => ask(`(${share(range)}) / ${allowance}`, range)),
        ),
      ),
    },
    {
      title: 'What is asked',
      panels: [
        graph(
          'Requests by route',
          'Of the public port. A route that vanishes is a customer who stopped, or a proxy in front that does not pass it.',
          'reqps',
          ask(`sum by (http_route) (rate(${COUNT}{${PUBLIC}}[$__rate_interval]))`, '{{http_route}}'),
        ),
        graph(
          'Answers by status',
          '5xx are faults of ours; 4xx are theirs.',
          'reqps',
          ask(
            `sum by (http_response_status_code) (rate(${COUNT}{${PUBLIC}}[$__rate_interval]))`,
            '{{http_response_status_code}}',
          ),
        ),
        graph(
          'How long it takes',
          'Of 100 calls the 50th, 95th and 99th, long polls left out.',
          's',
          ...[0.5, 0.95, 0.99].map((part) =>
            ask(
              `histogram_quantile(${part}, sum by (le) (rate(${BUCKET}{HERE,service_name="gateway",http_route=~"/api/external/v2/.*",http_route!~".*/wait"}[$__rate_interval])))`,
              `p${part * 100}`,
            ),
          ),
        ),
      ],
    },
    {
      title: 'What it stands on',
      panels: [
        graph(
          'Databases',
          '1 while a service has its database; 0 is ParaphDatabaseDown.',
          'bool_yes_no',
          ask('max by (service_name) (paraph_database_up{HERE})', '{{service_name}}'),
        ),
        graph(
          'Lateness of the event loop',
          'By how much a process comes late with everything. Above 0.1 s people notice.',
          's',
          ask('max by (service_name) (nodejs_eventloop_delay_p99_seconds{HERE})', '{{service_name}}'),
        ),
        graph(
          'Contracts by change of state',
          'Changes that were committed, by the state that they lead to.',
          'short',
          ask(
            'sum by (paraph_to) (increase(paraph_contract_transitions_total{HERE}[$__rate_interval]))',
            '{{paraph_to}}',
          ),
        ),
      ],
    },
  ],
}
