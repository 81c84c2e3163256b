import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { recordSuspension } from '@paraph/messaging/account-suspension'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { jpegLogo, logoData, pngLogo } from '../../test/picture-fixture.js'
import type { SigningDatabase } from '../database.js'
import { createBrands, type Brands } from './brands.js'

const AT = '2026-11-20T14:00:00.000Z'
const ROUNDS = 200
const [first, second] = [pngLogo({ seed: 1 }), jpegLogo()].map(logoData)
const NONE = { accent: null, logo: null }

let clone: TestDatabase
let database: Kysely<SigningDatabase>
let brands: Brands
beforeAll(async () => {
  clone = await cloneTestDatabase('signing')
  database = createDatabase<SigningDatabase>(openPool(clone.url, createLogger('signing', 'silent')))
  brands = createBrands({ database })
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})
beforeEach(async () => {
  await sql`delete from account_brand`.execute(database)
  await sql`delete from brand_logo`.execute(database)
})

type BrandData = Pick<Parameters<Brands['record']>[1]['data'], 'accent' | 'logo'>

let sequence = 0
/** Delivers the event of a brand, the newest unless `at` is given. */
const deliver = (accountId: string, brand: BrandData, at = (sequence += 1)) =>
  database
    .transaction()
    .execute((trx) =>
      brands.record(trx, {
        id: `${at}`,
        subject: accountId,
        type: 'account.brand_changed',
        data: { accountId, at: AT, ...brand },
        sequence: String(at),
        time: AT,
      }),
    )
const brandOf = async (accountId: string) => (await brands.sender(accountId)).brand
const storedHashes = async () =>
  (await database.selectFrom('brand_logo').select('sha256').execute()).map(({ sha256 }) => sha256)

describe('the brand of an account [D59]', () => {
  it('has the bytes of its logo, and those of the next logo after a change', async () => {
    await deliver('acc_1', { accent: '#0b6e4f', logo: first! })
    const { hex, ...facts } = first!
    expect(await brandOf('acc_1')).toEqual({ accent: '#0b6e4f', logo: facts })
    expect(await brands.logo(facts.sha256)).toEqual({ type: 'png', bytes: Buffer.from(hex, 'hex') })
    const { type, width, height, bytes } = pngLogo({ seed: 1 })
    expect(await brands.ofWithLogo('acc_1')).toEqual({ accent: '#0b6e4f', logo: { type, width, height, bytes } })
    await deliver('acc_1', { accent: null, logo: second! })
    expect(await brands.logo(facts.sha256)).toBeUndefined()
    expect((await brands.logo(second!.sha256))?.type).toBe('jpeg')
    expect((await brands.ofWithLogo('acc_1'))?.logo).toEqual(jpegLogo())
  })

  it('ends with its removal, together with the bytes', async () => {
    await deliver('acc_1', { accent: '#0b6e4f', logo: first! })
    await deliver('acc_1', NONE)
    expect(await brandOf('acc_1')).toBeNull()
    expect(await brands.ofWithLogo('acc_1')).toBeUndefined()
    expect(await storedHashes()).toEqual([])
  })

  it('is not shown while the account is suspended [D37]', async () => {
    const suspend = (type: 'account.suspended' | 'account.resumed', sequence: string) =>
      database
        .transaction()
        .execute((trx) => recordSuspension(trx, { type, data: { accountId: 'acc_1' }, sequence } as never))
    await deliver('acc_1', { accent: '#0b6e4f', logo: null })
    await suspend('account.suspended', '1')
    expect(await brands.sender('acc_1')).toEqual({ isSuspended: true, brand: null })
    await suspend('account.resumed', '2')
    expect(await brands.sender('acc_1')).toEqual({ isSuspended: false, brand: { accent: '#0b6e4f', logo: null } })
    expect(await brands.sender('acc_2')).toEqual({ isSuspended: false, brand: null })
  })

  it('may have an accent without a logo', async () => {
    await deliver('acc_1', { accent: '#0b6e4f', logo: null })
    expect(await brands.ofWithLogo('acc_1')).toEqual({ accent: '#0b6e4f', logo: null })
    expect(await brands.ofWithLogo('acc_2')).toBeUndefined()
  })

  it('keeps a picture that another account has too', async () => {
    await deliver('acc_1', { accent: null, logo: first! })
    await deliver('acc_2', { accent: null, logo: first! })
    await deliver('acc_1', NONE)
    expect(await storedHashes()).toEqual([first!.sha256])
    await deliver('acc_2', NONE)
    expect(await storedHashes()).toEqual([])
  })

  it('is not changed by an older event, which also stores no picture [I9]', async () => {
    const older = (sequence += 1)
    await deliver('acc_1', { accent: null, logo: first! })
    await deliver('acc_1', { accent: '#0b6e4f', logo: second! }, older)
    expect(await storedHashes()).toEqual([first!.sha256])
    expect(await brandOf('acc_1')).toMatchObject({ accent: null })
  })

  it('is not changed by an event whose picture is not the one of its hash', async () => {
    await deliver('acc_1', { accent: null, logo: first! })
    const wrong = { ...second!, sha256: '0'.repeat(64) }
    await expect(deliver('acc_1', { accent: null, logo: wrong })).rejects.toThrow('not the one of its hash')
    expect((await brandOf('acc_1'))?.logo?.sha256).toBe(first!.sha256)
    expect(await storedHashes()).toEqual([first!.sha256])
  })

  it(`keeps its picture when another account gives it up at that moment, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [giver, taker] = [`acc_${round}`, `acc_${round + 1}`]
      await deliver(giver, { accent: null, logo: first! })
      await Promise.all([
        deliver(taker, { accent: null, logo: first! }),
        deliver(giver, round % 2 === 0 ? NONE : { accent: null, logo: second! }),
      ])
      expect(await brands.ofWithLogo(taker)).toMatchObject({ logo: { type: 'png' } })
      await deliver(giver, NONE)
    }
    expect(await storedHashes()).toEqual([first!.sha256])
  })
})
