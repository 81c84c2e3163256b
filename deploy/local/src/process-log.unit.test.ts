import { expect, it } from '@jest/globals'
import { postgresLevel, terminalLine } from './process-log.js'

it('the launcher shows warnings and errors, each on one readable line [local-stack]', () => {
  expect(terminalLine('{"level":"info","service":"contract","msg":"ready"}')).toBeUndefined()
  expect(
    terminalLine('{"level":"error","service":"contract","msg":"it broke","err":{"type":"Error","message":"why"}}'),
  ).toBe('contract     error it broke (why)')
  expect(terminalLine('{ not json')).toBeUndefined()
})

it('the level of a Postgres line is that of its severity, and info for a refused connection during a start', () => {
  expect(postgresLevel('LOG:  database system is ready to accept connections')).toBe('info')
  expect(postgresLevel('PANIC:  could not write')).toBe('fatal')
  expect(postgresLevel('FATAL:  the database system is starting up')).toBe('info')
  expect(postgresLevel('FATAL:  sorry, too many clients already')).toBe('warn')
  expect(postgresLevel('DETAIL:  belongs to the line before')).toBeUndefined()
})
