// Dashboard 4: one contract by its id: its traces and its log lines. Nothing personal is in either. [I13, I14, B.5]
import { LOKI, PROMETHEUS, TEMPO, NAMESPACE, type Dashboard } from './panel.js'

const SET_UP = [
  'Type a contract’s id above, as the API and `paraph contract show` give it.',
  '',
  '**What this needs.** Traces: `telemetry.otlp.endpoint` of the chart leads to a collector that writes to Tempo. Where you have Jaeger in its',
  'place, search there for the tag `paraph.subject=<id>`. Logs: an agent on each node sends what the pods print to Loki, with the label',
  '`namespace`; the lines are JSON.',
  '',
  '**What it does not show.** Texts, names, addresses, codes and tokens are in no span and no line. A trace that was not sampled is not here.',
  'The state of the contract itself: `paraph contract show --id <id>`.',
].join('\n')

export const oneContract: Dashboard = {
  name: 'paraph-one-contract',
  title: 'Paraph: one contract',
  description: 'What happened to one contract: its traces over all services, and the log lines that name it.',
  variables: [PROMETHEUS, NAMESPACE, TEMPO, LOKI, { name: 'contract', label: 'Contract', type: 'textbox', query: '' }],
  rows: [
    {
      title: 'How to read this',
      height: 6,
      panels: [
        {
          ...{ type: 'text', title: 'What to set up', unit: 'none', queries: [], markdown: SET_UP },
          description: 'Where the two panels below get what they show.',
        },
      ],
    },
    {
      title: 'Traces',
      height: 10,
      panels: [
        {
          ...{ type: 'table', title: 'Traces of this contract', unit: 'none' },
          description:
            'From the POST to the mail, and from the link to the seal. Choose one to see where its time went.',
          queries: [{ expr: '{ span.paraph.subject = "$contract" }', legend: '', source: 'tempo' }],
        },
      ],
    },
    {
      title: 'Log lines',
      height: 14,
      panels: [
        {
          ...{ type: 'logs', title: 'Log lines of this contract', unit: 'none' },
          description: 'Of all four services, the oldest first. `trace_id` leads to the trace.',
          queries: [
            {
              expr: '{namespace="$namespace"} |= "$contract" | json | contractId = "$contract"',
              legend: '',
              source: 'loki',
            },
          ],
        },
      ],
    },
  ],
}
