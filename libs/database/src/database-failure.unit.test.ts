import { expect, it } from '@jest/globals'
import { isDatabaseBusy, isDatabaseUnavailable } from './database-failure.js'

const failure = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields)

it.each(
  [
    failure('terminating connection due to administrator command', { severity: 'FATAL', code: '57P01' }),
    failure('the database system is starting up', { severity: 'FATAL', code: '57P03' }),
    failure('sorry, too many clients already', { severity: 'FATAL', code: '53300' }),
    failure('cannot execute INSERT in a read-only transaction', { severity: 'ERROR', code: '25006' }),
    failure('relation "contract" does not exist', { severity: 'ERROR', code: '42P01' }),
    failure('permission denied for table contract', { severity: 'ERROR', code: '42501' }),
    // A pooler refuses a login or a database only at the first statement.
    failure('database "contract" does not exist', { severity: 'FATAL', code: '3D000' }),
    failure('password authentication failed', { severity: 'FATAL', code: '28P01' }),
    failure('role "contract_runtime" is not permitted to log in', { severity: 'FATAL', code: '28000' }),
    failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED', syscall: 'connect' }),
    failure('Connection terminated unexpectedly'),
    failure('timeout exceeded when trying to connect'),
  ].map((error) => [error.message, error] as const),
)('the error "%s" counts as an unavailable database [D49, P21]', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true)
})

it.each(
  [
    failure('duplicate key value violates unique constraint', { severity: 'ERROR', code: '23505' }),
    failure('x is not a function'),
    // An error of a handler that used the network, not of the database.
    failure('getaddrinfo', { code: 'ERR_INVALID_ARG_TYPE' }),
    'a string',
    undefined,
  ].map((error) => [String(error), error] as const),
)('%s counts as a failure of the handler [D49]', (_, error) => {
  expect([isDatabaseUnavailable(error), isDatabaseBusy(error)]).toEqual([false, false])
})

it.each(
  [
    failure('deadlock detected', { severity: 'ERROR', code: '40P01' }),
    failure('canceling statement due to lock timeout', { severity: 'ERROR', code: '55P03' }),
    failure('canceling statement due to statement timeout', { severity: 'ERROR', code: '57014' }),
    failure('terminating connection due to idle-in-transaction timeout', { severity: 'FATAL', code: '25P03' }),
    failure('terminating connection due to transaction timeout', { severity: 'FATAL', code: '25P04' }),
  ].map((error) => [error.message, error] as const),
)('the error "%s" counts as a busy database, not as an unavailable one [P20]', (_, error) => {
  expect([isDatabaseUnavailable(error), isDatabaseBusy(error)]).toEqual([false, true])
})
