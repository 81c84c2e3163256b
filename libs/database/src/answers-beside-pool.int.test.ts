import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { answersBesidePool } from './answers-beside-pool.js'
import { openPool } from './pool.js'
import { cloneTestDatabase } from './test-database.js'

it('tells a pool that others hold from a database that is away [B.5]', async () => {
  const clone = await cloneTestDatabase('contract')
  const pool = openPool(clone.url, { warn: () => undefined }, { max: 1 })
  const holder = await pool.connect()
  const refused: unknown = await pool.query('select 1').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Error)
  expect(await answersBesidePool(clone.url)(refused)).toBe(true)
  // Another failure says of itself what it is.
  expect(await answersBesidePool(clone.url)(new Error('Connection terminated unexpectedly'))).toBe(false)
  holder.release()
  await pool.end()

  // A server that takes connections and never says a word: who waits for the pool fails alike.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const away = new URL(clone.url)
  away.port = String((silent.address() as AddressInfo).port)
  expect(await answersBesidePool(away.href)(refused)).toBe(false)
  silent.close()
  away.port = '1'
  expect(await answersBesidePool(away.href)(refused)).toBe(false)
  await clone.drop()
})
