import { expect, it } from '@jest/globals'
import { holdLines, postgresLevel, terminalLine } from './process-log.js'

it('the launcher shows warnings and errors, each on one readable line [local-stack]', () => {
  expect(terminalLine('{"level":"info","service":"contract","msg":"ready"}')).toBeUndefined()
  expect(
    terminalLine('{"level":"error","service":"contract","msg":"it broke","err":{"type":"Error","message":"why"}}'),
  ).toBe('contract     error it broke (why)')
  expect(
    terminalLine(
      '{"level":"warn","service":"contract","msg":"no","err":{"type":"error","condition":"admin_shutdown"}}',
    ),
  ).toBe('contract     warn  no (admin_shutdown)')
  expect(terminalLine('{ not json')).toBeUndefined()
})

it('the level of a Postgres line is that of its severity, and info for a refused connection during a start', () => {
  expect(postgresLevel('LOG:  database system is ready to accept connections')).toBe('info')
  expect(postgresLevel('PANIC:  could not write')).toBe('fatal')
  expect(postgresLevel('FATAL:  the database system is starting up')).toBe('info')
  expect(postgresLevel('FATAL:  sorry, too many clients already')).toBe('warn')
  expect(postgresLevel('DETAIL:  belongs to the line before')).toBeUndefined()
})

it('no line appears between the steps of a start; after it no warning of it does, and if it failed all do [local-stack]', () => {
  const shown: string[] = []
  const during = () => {
    const terminal = holdLines((line) => void shown.push(line))
    terminal.show('a warning', true)
    terminal.show('an error')
    expect(shown.splice(0)).toEqual([])
    return terminal
  }
  const terminal = during()
  terminal.begin()
  terminal.show('a later warning', true)
  expect(shown.splice(0)).toEqual(['an error', 'a later warning'])
  during().giveUp()
  expect(shown).toEqual(['a warning', 'an error'])
})
