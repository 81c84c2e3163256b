import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { answersOutsidePool } from './answers-beside-pool.js'
import { openPool } from './pool.js'
import { cloneTestDatabase } from '../test/test-database-fixture.js'

it('a full connection pool is not counted as an unavailable database', async () => {
  const clone = await cloneTestDatabase('contract')
  const pool = openPool(clone.url, { warn: () => undefined }, { max: 1 })
  const holder = await pool.connect()
  const refused: unknown = await pool.query('select 1').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Error)
  expect(await answersOutsidePool(clone.url)(refused)).toBe(true)
  // Other errors are not about the pool.
  expect(await answersOutsidePool(clone.url)(new Error('Connection terminated unexpectedly'))).toBe(false)
  holder.release()
  await pool.end()

  // A server that accepts connections and never answers: waiting for the pool fails in the same way.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const unavailable = new URL(clone.url)
  unavailable.port = String((silent.address() as AddressInfo).port)
  expect(await answersOutsidePool(unavailable.href)(refused)).toBe(false)
  silent.close()
  unavailable.port = '1'
  expect(await answersOutsidePool(unavailable.href)(refused)).toBe(false)
  await clone.drop()
})
