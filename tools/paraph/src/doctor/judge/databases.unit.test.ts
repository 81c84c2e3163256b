import { expect, it } from '@jest/globals'
import { login, MIGRATIONS, wrong } from '../../../test/facts-fixture.js'
import type { Facts } from '../facts.js'

it.each<[string, Partial<Facts>, string]>([
  [
    'a wrong password',
    { logins: [login({ result: { failure: '28P01' } })] },
    'broken database contract: refuses the login (DATABASE_URL of contract, 28P01)',
  ],
  [
    'a missing database',
    { logins: [login({ result: { failure: '3D000' } })] },
    'broken database contract: does not exist',
  ],
  [
    'a stopped database',
    { logins: [login({ result: { failure: 'ECONNREFUSED' } })] },
    'broken database contract: does not answer (DATABASE_URL of contract, ECONNREFUSED)',
  ],
  [
    'a certificate that nobody trusts',
    { logins: [login({ result: { failure: 'SELF_SIGNED_CERT_IN_CHAIN' } })] },
    'broken database contract: cannot be reached by TLS',
  ],
  [
    'no connection left',
    { logins: [login({ result: { failure: '53300' } })] },
    'broken database contract: has no connection left',
  ],
  ['an old Postgres', { logins: [login({}, { version: 150_013 })] }, 'broken database contract: runs on Postgres 15'],
  ['a standby', { logins: [login({}, { isStandby: true })] }, 'broken database contract: is a standby'],
  [
    'a superuser as the runtime role',
    { logins: [login({}, { isSuperuser: true })] },
    'broken database contract: has a login with the rights of an administrator',
  ],
  [
    'an owner as the runtime role',
    { logins: [login({}, { tables: { all: 12, owned: 12, unreadable: 0 } })] },
    'broken database contract: belongs to the login of a service',
  ],
  [
    'tables without rights',
    { logins: [login({}, { tables: { all: 12, owned: 0, unreadable: 3 } })] },
    'broken database contract: has 3 tables that the service may not read',
  ],
  [
    'an owner that owns too little',
    { logins: [login({ role: 'owner' }, { tables: { all: 12, owned: 11, unreadable: 0 } })] },
    'broken database contract: has 1 tables that the migrations may not change',
  ],
  ['an empty database', { logins: [login({}, { migrations: [] })] }, 'broken database contract: is not migrated'],
  [
    'a missing migration',
    { logins: [login({}, { migrations: ['0001_contract'] })] },
    'broken database contract: lacks the migration 0002_verify_views',
  ],
  [
    'a newer schema',
    { logins: [login({}, { migrations: [...MIGRATIONS, '0003_next'] })] },
    'look database contract: has the migration 0003_next, which this version does not know',
  ],
  [
    'a bus without its schema',
    { logins: [login({ database: 'bus' }, { migrations: undefined })] },
    'broken database bus: is not migrated',
  ],
  [
    'a bus without rights',
    { logins: [login({ database: 'bus' }, { migrations: undefined, mayUseBus: false })] },
    'broken database bus: refuses the service its functions',
  ],
])('%s is found', (_, facts, line) => {
  const found = wrong(facts)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(line)
})

it('a service sees the bus through its functions, and its tables need no right', () => {
  const bus = login(
    { database: 'bus' },
    { migrations: undefined, mayUseBus: true, tables: { all: 2, owned: 0, unreadable: 2 } },
  )
  expect(wrong({ logins: [bus] })).toEqual([])
})

it('the same error of several logins is one line', () => {
  const standby = { isStandby: true }
  expect(wrong({ logins: [login({}, standby), login({}, standby)] })).toHaveLength(1)
})
