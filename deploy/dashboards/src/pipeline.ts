// Dashboard 3: from the outbox over the bus to the consumers and the mail relay, on one axis of time. [B.5, H9, H11]
import { ask, graph, NAMESPACE, number, PROMETHEUS, type Dashboard } from './panel.js'

export const pipeline: Dashboard = {
  name: 'paraph-pipeline',
  title: 'Paraph: from the event to the mail',
  description: 'Read from above: the first graph that rises is where it is late; those below it follow.',
  variables: [PROMETHEUS, NAMESPACE],
  rows: [
    {
      title: 'Now',
      height: 5,
      panels: [
        number('Dead letters', 'Events that wait for a person.', 'short', ask('max(paraph_dead_letters{HERE})'), 1),
        number('Mail relay', '1 while it takes mail.', 'bool_yes_no', ask('max(paraph_email_relay_up{HERE})')),
        number(
          'Mails held',
          'After a restore, until somebody releases them.',
          'short',
          ask('max(paraph_email_held{HERE}) or vector(0)'),
          1,
        ),
        number('Seals in trouble', 'Failed five times or more.', 'short', ask('max(paraph_seal_troubled{HERE})'), 1),
        number(
          'Signatures unsettled',
          'People who wait to hear whether they signed.',
          'short',
          ask('max(paraph_signature_unsettled{HERE})'),
          1,
        ),
        number(
          'Ends overdue',
          'Contracts past their end that the sweep has not ended.',
          'short',
          ask('max(paraph_expiry_overdue{HERE})'),
          1,
        ),
      ],
    },
    {
      title: '1. In the outbox',
      panels: [
        graph(
          'Oldest event that the bus has not taken',
          'Above 60 s for two minutes somebody is paged.',
          's',
          ask('max by (service_name) (paraph_outbox_unpublished_age_seconds{HERE})', '{{service_name}}'),
        ),
        graph(
          'Events taken and refused',
          'Batches. `refused` without `taken` is a bus that is away.',
          'reqps',
          ask(
            'sum by (service_name, paraph_outcome) (rate(paraph_outbox_publish_duration_seconds_count{HERE}[$__rate_interval]))',
            '{{service_name}} {{paraph_outcome}}',
          ),
        ),
      ],
    },
    {
      title: '2. On the bus',
      panels: [
        graph(
          'From the bus to the rows',
          'Of 100 batches the 95th. Above 60 s is a ticket, above 300 s a page.',
          's',
          ask(
            'histogram_quantile(0.95, sum by (le, service_name) (rate(paraph_consumer_delay_seconds_bucket{HERE}[$__rate_interval])))',
            '{{service_name}}',
          ),
        ),
        graph(
          'Events that wait',
          'Of the whole group, by topic.',
          'short',
          ask(
            'max by (service_name, messaging_destination_name) (paraph_consumer_lag{HERE})',
            '{{service_name}} {{messaging_destination_name}}',
          ),
        ),
        graph(
          'What became of events',
          '`failed` counts attempts; five of them make a dead letter. `duplicate` after a replay or a kill is well.',
          'reqps',
          ask(
            'sum by (service_name, paraph_outcome) (rate(paraph_consumer_events_total{HERE}[$__rate_interval]))',
            '{{service_name}} {{paraph_outcome}}',
          ),
        ),
      ],
    },
    {
      title: '3. To the relay of mails',
      panels: [
        graph(
          'From the row to the relay’s 250',
          'Of 100 mails the 99th. Promised: invitations within 60 s, codes within 15 s.',
          's',
          ask(
            'histogram_quantile(0.99, sum by (le, paraph_kind) (rate(paraph_email_accept_duration_seconds_bucket{HERE}[$__rate_interval])))',
            '{{paraph_kind}}',
          ),
        ),
        graph(
          'Oldest mail that should have been sent',
          'By lane. The graph on the left knows only mails that were taken; this one knows the others.',
          's',
          ask('max by (paraph_lane) (paraph_email_waiting_age_seconds{HERE})', '{{paraph_lane}}'),
        ),
        graph(
          'What came of mails',
          '`put_off` and `unanswered` are tried again; `refused`, `gave_up` and `lapsed` are not.',
          'reqps',
          ask(
            'sum by (paraph_outcome) (rate(paraph_email_attempts_total{HERE}[$__rate_interval]))',
            '{{paraph_outcome}}',
          ),
        ),
      ],
    },
    {
      title: 'Codes and seals',
      panels: [
        graph(
          'Codes not taken by notification',
          'Above nought for three minutes somebody is paged.',
          'short',
          ask('max by (service_name) (paraph_code_waiting{HERE})', '{{service_name}}'),
        ),
        graph(
          'Typed codes',
          'Below 60 % `verified` is a ticket.',
          'reqps',
          ask('sum by (paraph_outcome) (rate(paraph_code_checks_total{HERE}[$__rate_interval]))', '{{paraph_outcome}}'),
        ),
        graph(
          'Contracts that wait for their seal',
          'People see “preparing”.',
          'short',
          ask('max(paraph_seal_waiting{HERE})', 'waiting'),
        ),
      ],
    },
  ],
}
