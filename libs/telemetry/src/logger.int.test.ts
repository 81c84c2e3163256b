// The lines of a process, as its reader gets them.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from '@jest/globals'
import { FROM_SOURCES } from '@paraph/testing/test/from-sources-fixture'

/** A process in which a thousand calls fail because Postgres starts, one for another reason, and three mails go out. */
const SOURCE = `
  import { pbkdf2 } from 'node:crypto'
  import { createLogger } from '@paraph/telemetry/logger'
  const logger = createLogger('probe', 'info')
  const notYet = Object.assign(new Error('jane@a.example is not welcome'), { severity: 'FATAL', code: '57P03' })
  for (let call = 0; call < 1000; call += 1)
    logger.error({ requestId: 'r' + call, code: 'unavailable', err: notYet }, 'request failed')
  logger.error({ requestId: 'other', code: 'internal_error', err: new TypeError('no such thing') }, 'request failed')
  for (let mail = 0; mail < 3; mail += 1) logger.info({ deliveryId: mail }, 'SMTP server accepted message')
  // Occupies every thread of the pool: what is handed to it at the exit waits, and Node cancels it.
  process.prependListener('exit', () => {
    for (let thread = 0; thread < 4; thread += 1) pbkdf2('', '', 200_000, 64, 'sha512', () => undefined)
  })`

interface Line {
  level: string
  msg: string
  requestId?: string
  code?: string
  suppressed?: number
  err?: { type: string; code?: string; condition?: string; message?: string; stack: string }
}

let output: string
let lines: Line[]
beforeAll(async () => {
  const argv = [...FROM_SOURCES, '--input-type=module', '--eval', SOURCE]
  output = (await promisify(execFile)(process.execPath, argv)).stdout
  lines = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
})

it('a thousand failures of one kind are one full line and a count; another kind is not hidden by them [F47]', () => {
  const failures = lines.filter(({ msg }) => msg === 'request failed')
  expect(failures).toMatchObject([
    { level: 'error', requestId: 'r0', code: 'unavailable' },
    { level: 'error', requestId: 'other', code: 'internal_error', err: { type: 'TypeError' } },
    { level: 'error', code: 'unavailable', suppressed: 999 },
  ])
})

it('a line that reports work is never suppressed', () => {
  expect(lines.filter(({ msg }) => msg === 'SMTP server accepted message')).toHaveLength(3)
})

it('an error of Postgres has its code and the name of the code, and no text, which may quote a value [I14]', () => {
  expect(lines[0]!.err).toMatchObject({ type: 'Error', code: '57P03', condition: 'cannot_connect_now' })
  expect(output).not.toContain('jane')
})
