// The brands of accounts: what an owner asked for, and what the operator approved beside the account's name. [D36, D59]
// Each change writes its audit entry, its event and its mails in one transaction. Does not own: reading a picture (logo.ts).
import type { Kysely, Selectable } from 'kysely'
import { DomainError } from '@paraph/protocol/errors'
import type { Brand } from '@paraph/protocol/brand'
import {
  appendAccountEvent,
  createTransactions,
  lockAccount,
  type StoreDeps,
  type Trx,
} from '../accounts/account-change.js'
import { recordAct, type Actor } from '../accounts/audit.js'
import { queueMailToOwners } from '../accounts/owner-mail-queue.js'
import type { BrandTable, GatewayDatabase } from '../database.js'
import type { Logo } from './logo.js'

/** Which brand of an account: `asked` waits for the operator or was refused; `approved` is shown. */
export type BrandState = Selectable<BrandTable>['state']

/** A brand without the bytes of its logo. */
export interface KeptBrand extends Brand {
  /** A decision names the brand that the operator saw. */
  id: number
  sentAt: Date
  /** Why the operator refused it; null while it waits, and for an approved brand. */
  reason: string | null
}

/** What an owner asks for. `keep`: the logo of the brand that the page showed. */
export interface WantedBrand {
  accent: string | null
  logo: Logo | 'keep' | null
}

const FACTS = ['id', 'state', 'accent', 'logo', 'sent_at as sentAt', 'reason'] as const

export function createBrandStore({ database, triggerRelay, triggerMails }: StoreDeps) {
  const inTransaction = createTransactions(database, triggerRelay, triggerMails)

  /** Both brands of an account; undefined for one that it does not have. */
  async function read(accountId: string, from: Kysely<GatewayDatabase> = database) {
    const rows = await from.selectFrom('account_brand').select(FACTS).where('account_id', '=', accountId).execute()
    const of = (state: BrandState): KeptBrand | undefined => rows.find((row) => row.state === state)
    return { asked: of('asked'), approved: of('approved') }
  }

  return {
    read,

    /** The picture of one of the brands; undefined without one. */
    async readLogo(accountId: string, state: BrandState): Promise<Logo | undefined> {
      const row = await selectLogo(database, accountId, state)
      return row?.logo && row.bytes ? { ...row.logo, bytes: row.bytes } : undefined
    },

    /** The accounts whose brand waits for the operator, oldest first. */
    async waiting(): Promise<{ accountId: string; name: string; sentAt: Date }[]> {
      return database
        .selectFrom('account_brand')
        .innerJoin('account', 'account.id', 'account_brand.account_id')
        .select(['account_id as accountId', 'account.name', 'sent_at as sentAt'])
        .where('state', '=', 'asked')
        .where('reason', 'is', null)
        .orderBy('sent_at')
        .limit(100)
        .execute()
    },

    /**
     * Asks the operator for a brand, in place of what was asked before. The approved one stays until the decision.
     * @throws DomainError `invalid_request` before the account's name is approved, or for a brand of nothing
     */
    async ask(accountId: string, { accent, logo }: WantedBrand, actor: Actor): Promise<void> {
      await inTransaction(async (trx) => {
        const { approvedAt } = await lockAccount(trx, accountId)
        if (approvedAt === null) throw refusal('Choose a brand once the operator has approved the name of the account.')
        const picture = logo === 'keep' ? await logoToKeep(trx, accountId) : logo
        if (accent === null && picture === null) throw refusal('Choose a colour, a logo, or both.')
        const { bytes = null, ...facts } = picture ?? {}
        await trx.deleteFrom('account_brand').where('account_id', '=', accountId).where('state', '=', 'asked').execute()
        await trx
          .insertInto('account_brand')
          .values({ account_id: accountId, state: 'asked', accent, logo: picture && JSON.stringify(facts), bytes })
          .execute()
        await recordAct(trx, { actor, act: 'brand.asked', accountId, facts: factsOf(accent, picture) })
      })
    },

    /** Takes both brands away; pages and mails show the account's name again. Idempotent. */
    async remove(accountId: string, actor: Actor): Promise<void> {
      await inTransaction(async (trx) => {
        await lockAccount(trx, accountId)
        const gone = await trx
          .deleteFrom('account_brand')
          .where('account_id', '=', accountId)
          .returning('state')
          .execute()
        if (gone.length === 0) return
        if (gone.some(({ state }) => state === 'approved')) await publish(trx, accountId, undefined)
        await recordAct(trx, { actor, act: 'brand.removed', accountId })
      })
    },

    /** Shows what was asked, in place of what was shown. @throws DomainError `invalid_request` if `id` waits no longer */
    async approve(accountId: string, id: number, actor: Actor): Promise<void> {
      await inTransaction(async (trx) => {
        const { name } = await lockAccount(trx, accountId)
        const asked = await requireAsked(trx, accountId, id)
        await trx
          .deleteFrom('account_brand')
          .where('account_id', '=', accountId)
          .where('state', '=', 'approved')
          .execute()
        await trx.updateTable('account_brand').set({ state: 'approved' }).where('id', '=', id).execute()
        await publish(trx, accountId, asked)
        const facts = factsOf(asked.accent, asked.logo)
        await recordAct(trx, { actor, act: 'brand.approved', accountId, facts })
        await queueMailToOwners(trx, { accountId, kind: 'brand_approved', data: { accountName: name } })
      })
    },

    /** Refuses what was asked; what is shown stays. @throws as `approve` does */
    async refuse(accountId: string, { id, reason }: { id: number; reason: string }, actor: Actor): Promise<void> {
      await inTransaction(async (trx) => {
        const { name } = await lockAccount(trx, accountId)
        await requireAsked(trx, accountId, id)
        await trx.updateTable('account_brand').set({ reason }).where('id', '=', id).execute()
        await recordAct(trx, { actor, act: 'brand.refused', accountId, facts: { reason } })
        await queueMailToOwners(trx, { accountId, kind: 'brand_refused', data: { accountName: name, reason } })
      })
    },

    /** Shows the approved brand no longer. Idempotent. */
    async withdraw(accountId: string, reason: string, actor: Actor): Promise<void> {
      await inTransaction(async (trx) => {
        const { name } = await lockAccount(trx, accountId)
        const { numDeletedRows } = await trx
          .deleteFrom('account_brand')
          .where('account_id', '=', accountId)
          .where('state', '=', 'approved')
          .executeTakeFirst()
        if (numDeletedRows === 0n) return
        await publish(trx, accountId, undefined)
        await recordAct(trx, { actor, act: 'brand.withdrawn', accountId, facts: { reason } })
        await queueMailToOwners(trx, { accountId, kind: 'brand_refused', data: { accountName: name, reason } })
      })
    },
  }
}

export type BrandStore = ReturnType<typeof createBrandStore>

type BrandRow = Pick<Selectable<BrandTable>, 'accent' | 'logo' | 'bytes'>

const selectLogo = (from: Kysely<GatewayDatabase>, accountId: string, state: BrandState) =>
  from
    .selectFrom('account_brand')
    .select(['logo', 'bytes'])
    .where('account_id', '=', accountId)
    .where('state', '=', state)
    .executeTakeFirst()

/** The logo that the owner's page showed: of what was asked, else of what is shown. */
async function logoToKeep(trx: Trx, accountId: string): Promise<Logo | null> {
  const row = (await selectLogo(trx, accountId, 'asked')) ?? (await selectLogo(trx, accountId, 'approved'))
  return row?.logo && row.bytes ? { ...row.logo, bytes: row.bytes } : null
}

/** The waiting brand that the operator saw. */
async function requireAsked(trx: Trx, accountId: string, id: number): Promise<BrandRow> {
  const asked = await trx
    .selectFrom('account_brand')
    .select(['accent', 'logo', 'bytes'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'asked')
    .where('id', '=', id)
    .where('reason', 'is', null)
    .executeTakeFirst()
  if (!asked) throw refusal('The brand was changed or decided in the meantime. Look at it again.')
  return asked
}

/** Tells the other services what they show from now on. [D47] */
async function publish(trx: Trx, accountId: string, brand: BrandRow | undefined): Promise<void> {
  const logo = brand?.logo && brand.bytes ? { ...brand.logo, hex: brand.bytes.toString('hex') } : null
  await appendAccountEvent(trx, accountId, 'account.brand_changed', { accent: brand?.accent ?? null, logo })
}

/** What the audit log says of a brand. */
const factsOf = (accent: string | null, logo: { sha256: string } | null) => ({ accent, logo: logo?.sha256 ?? null })

const refusal = (sentence: string) => new DomainError('invalid_request', sentence)
