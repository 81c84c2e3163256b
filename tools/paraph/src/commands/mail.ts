// `paraph mail …`: check the SMTP server and the queue, send failed mails again, and handle the mails that are paused after a restore.
// [F6, F7, F34; docs/how-to/operators/backup-restore.md]
import { readFile } from 'node:fs/promises'
import { needed, type Command } from '../command.js'
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
      'Checks the SMTP server step by step, sends a test mail to --to, and shows the waiting mails. Exit code 1 if mail does not work.',
    options: { to: { value: 'ADDRESS' } },
    run: async ({ notification }, { to }) => {
      const answer = await notification.mail.check.mutate(to === undefined ? {} : { to })
      return { answer, text: describe(answer), isWell: answer.works }
    },
  },
  {
    name: 'mail retry',
    purpose:
      'Sends again the mails that failed since an instant, once the SMTP server is repaired. Leaves out codes, mails to owners, and what is no longer needed.',
    options: { 'failed-since': needed('INSTANT'), reason: { value: 'REASON', oneOf: ['refused', 'gave_up'] } },
    run: async ({ notification }, { 'failed-since': since = '', reason }) => {
      const failedSince = instantOf('--failed-since', since, 'the moment at which the mails began to fail')
      let [queued, failedUntil, mayHaveMore] = [0, null as string | null, true]
      while (mayHaveMore) {
        const input = { failedSince, failedUntil, reason: (reason ?? null) as 'refused' | 'gave_up' | null }
        const batch = await notification.mail.retry.mutate(input)
        ;({ failedUntil, mayHaveMore } = batch)
        queued += batch.queued
      }
      return {
        answer: { queued },
        text: queued === 0 ? 'No mail to send again.' : `Waiting to be sent again: ${queued}.`,
      }
    },
  },
  {
    name: 'mail held',
    purpose:
      'Counts the mails that are paused after a restore, by kind. With --made-until: prints the name that each mail created until then has in the log of the SMTP server, one per line.',
    options: { 'made-until': { value: 'INSTANT' } },
    run: async ({ notification }, { 'made-until': text }) => {
      if (text === undefined) {
        const answer = await notification.mail.held.query()
        return { answer, text: describeHeld(answer) }
      }
      const madeUntil = instantOf('--made-until', text, 'the moment to which you restored')
      const held = await readPages((after) => notification.mail.heldNames.query({ madeUntil, after }))
      const names = held.map(({ name }) => name)
      return { answer: { names }, text: names.join('\n') }
    },
  },
  {
    name: 'mail drop',
    purpose:
      'Records paused mails as sent. FILE contains their names, one per line, as mail held --made-until prints them.',
    options: { sent: needed('FILE') },
    run: async ({ notification }, { sent = '' }) => {
      const names = await readNames(sent)
      let dropped = 0
      for (let at = 0; at < names.length; at += NAMES_AT_ONCE)
        dropped += (await notification.mail.drop.mutate({ names: names.slice(at, at + NAMES_AT_ONCE) })).dropped
      const others = names.length - dropped
      return {
        answer: { dropped, others },
        text: `Recorded as sent: ${dropped}.${others > 0 ? ` Names that belong to no paused mail: ${others}.` : ''}`,
      }
    },
  },
]

function instantOf(option: string, text: string, meaning: string): string {
  const at = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(at.getTime()))
    throw new UserError(`${option} must be an instant such as 2026-11-23T10:00:00Z: ${meaning}.`)
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
  if (before === null) return 'No mail is paused: HOLD_MAILS_BEFORE is not set.'
  if (kinds.length === 0) return `No mail created before ${before} is waiting. Remove HOLD_MAILS_BEFORE.`
  const rows = kinds.map(
    ({ kind, count, oldest, newest }) =>
      [kind, String(count), `the oldest created at ${oldest}, the newest at ${newest}`] as const,
  )
  return `Created before ${before}, and paused until you remove HOLD_MAILS_BEFORE:\n${formatTable(rows)}`
}

function describe({ works, steps, queue, circuit, lastFailure }: Awaited<ReturnType<Mail['check']['mutate']>>): string {
  const waiting = queue.map(({ kind, waiting, held, oldestSeconds }): TableRow => {
    const suspended = held > 0 ? `, ${held} paused because their accounts are suspended` : ''
    return [kind, String(waiting), `the oldest for ${spanOf(oldestSeconds)}${suspended}`]
  })
  return [
    works ? 'The SMTP server works.' : 'The SMTP server does not work.',
    formatTable(steps.map(({ step, result, sentence }) => [step, result, sentence])),
    ...(waiting.length === 0 ? ['No mail is waiting.'] : ['Waiting mails:', formatTable(waiting)]),
    circuit === 'open'
      ? 'The circuit breaker is open: the queue sends single mails as probes, and the others when the SMTP server answers one.'
      : 'The circuit breaker is closed: the queue sends mails.',
    ...(lastFailure
      ? [
          `Last failure of a mail in the notification process that answered: ${lastFailure.reason} at ${lastFailure.at}.`,
        ]
      : []),
  ].join('\n')
}

/** Formats a duration in whole seconds, minutes or hours. */
function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`
}
