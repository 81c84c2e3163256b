// The approved brands of accounts, with the bytes of their logos. [D59]
// Owns `brand_logo`: one row for each picture that a brand refers to, whichever accounts share it.
import { createHash } from 'node:crypto'
import { recordBrand, type BrandEvent } from '@paraph/messaging/account-brand'
import type { Brand, LogoFacts, LogoType } from '@paraph/protocol/brand'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { SigningDatabase } from '../database.js'

/** A brand with the bytes of its logo. */
export interface DrawnBrand extends Pick<Brand, 'accent'> {
  logo: (Pick<LogoFacts, 'type' | 'width' | 'height'> & { bytes: Uint8Array }) | null
}

export function createBrands({ database }: { database: Kysely<SigningDatabase> }) {
  return {
    /** Whether the account is suspended, and the brand that the operator approved: null without one, and while it is suspended. [D37] */
    async sender(accountId: string): Promise<{ isSuspended: boolean; brand: Brand | null }> {
      const { rows } = await sql<{ isSuspended: boolean; brand: Brand | null }>`
        select coalesce(h.is_suspended, false) as "isSuspended",
               case when h.is_suspended or (b.accent is null and b.logo is null) then null
                    else jsonb_build_object('accent', b.accent, 'logo', b.logo) end as brand
          from (select ${accountId}::text as account_id) a
          left join account_hold h using (account_id) left join account_brand b using (account_id)`.execute(database)
      return rows[0]!
    },

    /** A picture of a brand; undefined if no brand refers to it. */
    logo: (sha256: string): Promise<{ type: LogoType; bytes: Buffer } | undefined> =>
      database.selectFrom('brand_logo').select(['type', 'bytes']).where('sha256', '=', sha256).executeTakeFirst(),

    /** The brand with its picture, both of one moment: no event between two queries can separate them. */
    async ofWithLogo(accountId: string): Promise<DrawnBrand | undefined> {
      const { rows } = await sql<Brand & { bytes: Buffer | null }>`
        select b.accent, b.logo, l.bytes
          from account_brand b left join brand_logo l on l.sha256 = b.logo->>'sha256'
         where b.account_id = ${accountId} and (b.accent is not null or b.logo is not null)`.execute(database)
      const [row] = rows
      if (!row) return undefined
      const { accent, logo, bytes } = row
      if (!logo || !bytes) return { accent, logo: null }
      const { type, width, height } = logo
      return { accent, logo: { type, width, height, bytes } }
    },

    /**
     * Records a brand and its picture in the transaction of the event's inbox row. An event older than the recorded one changes nothing.
     * @throws Error if the picture is not the one of its hash
     */
    async record(trx: Transaction<SigningDatabase>, event: BrandEvent): Promise<void> {
      // Two accounts may have the same picture. Without this lock, one transaction could delete it while another, whose reference no
      // snapshot shows yet, finds it stored. Comes first: every statement after it sees what the lock's last holder committed.
      await sql`select pg_advisory_xact_lock(hashtextextended('brand logos', 0))`.execute(trx)
      if (!(await recordBrand(trx, event))) return
      const { logo } = event.data
      if (logo) {
        const { sha256, type } = logo
        const bytes = Buffer.from(logo.hex, 'hex')
        if (createHash('sha256').update(bytes).digest('hex') !== sha256)
          throw new Error('the logo of a brand is not the one of its hash')
        await trx
          .insertInto('brand_logo')
          .values({ sha256, type, bytes })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
      await sql`
        delete from brand_logo
         where not exists (select from account_brand where logo->>'sha256' = brand_logo.sha256)`.execute(trx)
    },
  }
}

export type Brands = ReturnType<typeof createBrands>
