// `paraph mail …`: the mail server, the queue, and the mails suspended after a restore. [F6, F7; docs/backup.md]
import { readFile } from 'node:fs/promises'
import { needed, type Command } from '../command-line.js'
import { readPages, type OperatorClient } from '../operator-client.js'
import { UserError } from '@paraph/config/refusal'
import { formatTable, type TableRow } from '../table.js'

/** Names per call of `mail drop`. */
const NAMES_AT_ONCE = 100

type Mail = OperatorClient['notification']['mail']

export const mailCommands: readonly Command[] = [
  {
    name: 'mail check',
    purpose:
      'Tries the mail relay step by step, sends a test mail to --to, and shows what waits. Exit 1 when mail does not work.',
    options: { to: { value: 'ADDRESS' } },
    run: async ({ notification }, { to }) => {
      const answer = await notification.mail.check.mutate(to === undefined ? {} : { to })
      return { answer, text: describe(answer), isWell: answer.works }
    },
  },
  {
    name: 'mail held',
    purpose:
      'Mails that wait for you after a restore, by kind; with --made-until those made up to then as the mail relay’s log names them, one a line.',
    options: { 'made-until': { value: 'INSTANT' } },
    run: async ({ notification }, { 'made-until': text }) => {
      if (text === undefined) {
        const answer = await notification.mail.held.query()
        return { answer, text: describeHeld(answer) }
      }
      const madeUntil = instantOf(text)
      const held = await readPages((after) => notification.mail.heldNames.query({ madeUntil, after }))
      const names = held.map(({ name }) => name)
      return { answer: { names }, text: names.join('\n') }
    },
  },
  {
    name: 'mail drop',
    purpose: 'Records held mails as sent: those of which the file has the names, as mail held prints them.',
    options: { sent: needed('FILE') },
    run: async ({ notification }, { sent = '' }) => {
      const names = await readNames(sent)
      let dropped = 0
      for (let at = 0; at < names.length; at += NAMES_AT_ONCE)
        dropped += (await notification.mail.drop.mutate({ names: names.slice(at, at + NAMES_AT_ONCE) })).dropped
      const others = names.length - dropped
      return {
        answer: { dropped, others },
        text: `${dropped} recorded as sent.${others > 0 ? ` ${others} of the names are of no mail that is held.` : ''}`,
      }
    },
  },
]

function instantOf(text: string): string {
  const at = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(at.getTime()))
    throw new UserError('--made-until takes an instant such as 2026-11-23T10:00:00Z: the moment that you restored to.')
  return at.toISOString()
}

/** The distinct lines of a file. */
async function readNames(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UserError(`Cannot read ${path}. Give a file with one name per line, or /dev/stdin.`)
  })
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

function describeHeld({ before, kinds }: Awaited<ReturnType<Mail['held']['query']>>): string {
  if (before === null) return 'No mail is held: HOLD_MAILS_BEFORE is not set.'
  if (kinds.length === 0) return `No mail waits that was made before ${before}. HOLD_MAILS_BEFORE can be taken away.`
  const rows = kinds.map(
    ({ kind, count, oldest, newest }) =>
      [kind, String(count), `the oldest of ${oldest}, the newest of ${newest}`] as const,
  )
  return `Held as long as HOLD_MAILS_BEFORE is set, made before ${before}:\n${formatTable(rows)}`
}

function describe({ works, steps, queue, circuit, lastFailure }: Awaited<ReturnType<Mail['check']['mutate']>>): string {
  const waiting = queue.map(({ kind, waiting, held, oldestSeconds }): TableRow => {
    const suspended = held > 0 ? `, ${held} held for a suspended account` : ''
    return [kind, String(waiting), `the oldest for ${spanOf(oldestSeconds)}${suspended}`]
  })
  return [
    works ? 'The mail relay works.' : 'The mail relay does not work.',
    formatTable(steps.map(({ step, result, sentence }) => [step, result, sentence])),
    ...(waiting.length === 0 ? ['No mail waits.'] : ['Mails that wait:', formatTable(waiting)]),
    circuit === 'open'
      ? 'The queue takes the relay to be away: it asks now and then with one mail, and sends the rest once one is answered.'
      : 'The queue takes the relay to be there.',
    ...(lastFailure
      ? [`Last failure of a mail, as this process saw it: ${lastFailure.reason} at ${lastFailure.at}.`]
      : []),
  ].join('\n')
}

/** In the unit that suits its length. */
function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`
}
