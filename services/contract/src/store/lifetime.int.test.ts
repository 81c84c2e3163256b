// The lifetime of a contract to the millisecond, on days with calendar irregularities. The test sets the database's clock.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { stopClock } from '@paraph/database/test/clock-fixture'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { openContractFixture, PRINCIPAL, type ContractFixture } from '../../test/contract-fixture.js'
import { expireDue } from './expiry.js'

/** In 2027, daylight saving time begins on 28 March and ends on 31 October. */
const TIME_ZONE = 'Europe/Paris'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const DAYS = [
  ['a leap day', '2028-02-29T23:30:00.123Z'],
  ['the day before a leap day', '2028-02-28T23:59:59.999Z'],
  ['the last day of a February without a leap day', '2027-02-28T23:59:59.001Z'],
  ['the last day of a year', '2026-12-31T23:59:59.999Z'],
  ['the last millisecond before the clocks go forward', '2027-03-28T00:59:59.999Z'],
  ['a day less than two weeks before the clocks go forward', '2027-03-20T12:00:00.500Z'],
  ['the hour that occurs twice when the clocks go back', '2027-10-31T00:30:00.000Z'],
  ['a day less than two weeks before the clocks go back', '2027-10-25T01:30:00.007Z'],
] as const

const ENVIRONMENTS = [
  ['production', 14 * DAY_MS, '14 days'],
  ['sandbox', HOUR_MS, 'one hour'],
] as const

let fixture: ContractFixture
let clock: Awaited<ReturnType<typeof stopClock>>
const processTimeZone = process.env['TZ']
beforeAll(async () => {
  process.env['TZ'] = TIME_ZONE
  fixture = await openContractFixture()
  clock = await stopClock(fixture.clone, { timeZone: TIME_ZONE })
})
afterAll(async () => {
  if (processTimeZone === undefined) delete process.env['TZ']
  else process.env['TZ'] = processTimeZone
  await fixture.close()
})

const make = (environment: 'production' | 'sandbox') =>
  fixture.createContract(2, { principal: { ...PRINCIPAL, environment } })
const sign = (id: string, partyIndex: number) =>
  fixture.store.execute(id, { type: 'sign', partyIndex, attemptId: randomUUID() })
const statusOf = async (id: string) => (await fixture.read(id))!.body.contract.status

describe.each(ENVIRONMENTS)('a %s contract', (environment, lifeMs, life) => {
  it.each(DAYS)(
    `created on %s is open for ${life} and not a millisecond longer [Environments, D20, F26]`,
    async (_, at) => {
      const createdAt = new Date(at)
      await clock.set(createdAt)
      const [signed, left] = [await make(environment), await make(environment)]
      const expiresAt = new Date(createdAt.getTime() + lifeMs)
      expect([left.createdAt, left.expiresAt]).toEqual([createdAt.toISOString(), expiresAt.toISOString()])

      await clock.set(new Date(expiresAt.getTime() - 1))
      expect(await expireDue(fixture.database, 100)).toBe(0)
      expect(await statusOf(left.id)).toBe('pending_signature')
      await sign(signed.id, 0)
      expect(await sign(signed.id, 1)).toMatchObject({ contract: { status: 'signed' } })

      await clock.set(expiresAt)
      expectWithMessage(await statusOf(left.id), 'the status before the sweep').toBe('expired')
      expect(await sign(left.id, 0)).toMatchObject({ refusal: 'expired' })
      expect(await expireDue(fixture.database, 100)).toBe(1)
      expect([await statusOf(left.id), await statusOf(signed.id)]).toEqual(['expired', 'signed'])
    },
  )
})
