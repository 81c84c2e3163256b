// `paraph mail …`: whether mail can be sent, and what waits. [F6, F7]
import type { Command } from '../command-line.js'
import type { OperatorClient } from '../operator-client.js'
import { formatTable } from '../table.js'

type MailCheck = Awaited<ReturnType<OperatorClient['notification']['mail']['check']['mutate']>>

export const mailCommands: readonly Command[] = [
  {
    name: 'mail check',
    purpose:
      'Tries the mail relay step by step, sends a test mail to --to, and shows what waits. Exit 1 when mail does not work.',
    options: { to: { value: 'ADDRESS', required: false } },
    run: async ({ notification }, { to }) => {
      const answer = await notification.mail.check.mutate(to === undefined ? {} : { to })
      return { answer, text: describe(answer), isWell: answer.works }
    },
  },
]

function describe({ works, steps, queue, circuit, lastFailure }: MailCheck): string {
  return [
    works ? 'The mail relay works.' : 'The mail relay does not work.',
    formatTable(steps.map(({ step, result, sentence }) => ({ name: step, value: result, note: sentence }))),
    queue.length === 0 ? 'No mail waits.' : 'Mails that wait:',
    ...(queue.length === 0
      ? []
      : [
          formatTable(
            queue.map(({ kind, waiting, held, oldestSeconds }) => ({
              name: kind,
              value: String(waiting),
              note: `the oldest for ${spanOf(oldestSeconds)}${held > 0 ? `, ${held} held for a suspended account` : ''}`,
            })),
          ),
        ]),
    circuit === 'open'
      ? 'The queue takes the relay to be away: it asks now and then with one mail, and sends the rest once one is answered.'
      : 'The queue takes the relay to be there.',
    lastFailure
      ? `Last failure of a mail, as this process saw it: ${lastFailure.reason} at ${lastFailure.at}.`
      : undefined,
  ]
    .filter((line) => line !== undefined)
    .join('\n')
}

/** In the unit that a person would say. */
function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`
}
