// `paraph report …`: the reports of recipients about requests.
import type { Command } from '../command-line.js'
import { forTerminal } from '../table.js'

export const reportCommands: readonly Command[] = [
  {
    name: 'report list',
    purpose: 'Lists the messages sent with "Report this request", newest first.',
    options: {},
    run: async ({ signing }) => {
      const answer = await signing.report.list.query({})
      const lines = answer.reports.map(({ contractId, reason, message, createdAt }) =>
        [
          `${createdAt}  ${contractId}  ${reason}`,
          ...forTerminal(message)
            .split('\n')
            .map((line) => `    ${line}`),
        ].join('\n'),
      )
      return { answer, text: lines.length === 0 ? 'There is no report.' : lines.join('\n') }
    },
  },
]
