// What a sign-in leaves behind: its browser, audit entries, and mails to the mailbox itself and the other owners. [P30, P31]
import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { addressBlocksOf } from '@paraph/http/address-block'
import { clock, type Trx } from '../accounts/account-change.js'
import { recordAct, type Act, type AuditEntry } from '../accounts/audit.js'
import { queueMailTo, queueMailToOwners } from '../accounts/owner-mail-queue.js'
import type { GatewayDatabase } from '../database.js'

/** The browser that acts for a mailbox. */
export interface Visitor {
  /** The cookie of the browser. */
  browser: string
  userAgent: string
  clientAddress: string
}

interface Recorded {
  mailbox: string
  subject?: string
  facts?: AuditEntry['facts']
  /** The issuer of the session; a session by code has none. */
  issuer?: 'owners' | 'operators' | null | undefined
}

/** Longer user agents are cut; the start identifies the browser. */
const USER_AGENT_LENGTH_MAX = 300

export const userAgentOf = ({ userAgent }: Visitor): string => userAgent.slice(0, USER_AGENT_LENGTH_MAX)

/** The client's address cut to /24 or /48, which says where a browser is without naming a line; null if it is unknown. */
export function networkOf({ clientAddress }: Visitor): string | null {
  if (clientAddress.includes(':')) return addressBlocksOf(clientAddress).at(-1) ?? null
  const [, network] = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(clientAddress) ?? []
  return network === undefined ? null : `${network}.0/24`
}

const hashOf = (mailbox: string, browser: string): Buffer =>
  createHash('sha256').update(`${mailbox} ${browser}`).digest()

/** @param deps.operatorEmails the mailboxes that are operators by a code; none with an operators' issuer */
export function createSignInRecord({ operatorEmails }: { operatorEmails: readonly string[] }) {
  const isOperator = (mailbox: string): boolean => operatorEmails.includes(mailbox)

  /** The accounts of the mailbox, with its role in each. */
  const accountsOf = (database: Kysely<GatewayDatabase>, mailbox: string) =>
    database
      .selectFrom('account_owner')
      .innerJoin('account', 'account.id', 'account_owner.account_id')
      .select(['account_id as accountId', 'role', 'account.name as accountName'])
      .where('mailbox', '=', mailbox)
      .where('confirmed_at', 'is not', null)
      .execute()

  /** An entry for each account of the mailbox, so that its other owners see it, and one without an account for an operator. */
  async function record(trx: Trx, act: Act, { mailbox, subject, facts = {}, issuer }: Recorded): Promise<string[]> {
    const accounts = await accountsOf(trx, mailbox)
    for (const { accountId, role } of accounts)
      await recordAct(trx, { actor: { kind: role, mailbox }, act, accountId, subject, facts })
    const kind = issuer === 'operators' || isOperator(mailbox) ? 'operator' : 'owner'
    if (kind === 'operator' || accounts.length === 0)
      await recordAct(trx, { actor: { kind, mailbox }, act, accountId: null, subject, facts })
    return accounts.map(({ accountId }) => accountId)
  }

  return {
    record,

    /** True for a mailbox of an operator or owner, an invited one, or one that has signed in before. */
    async isKnown(database: Kysely<GatewayDatabase>, mailbox: string): Promise<boolean> {
      if (isOperator(mailbox)) return true
      const { rows } = await sql`
        select 1 where exists (select 1 from account_owner where mailbox = ${mailbox})
                    or exists (select 1 from known_browser where mailbox = ${mailbox})`.execute(database)
      return rows.length > 0
    },

    /** True if the mailbox has signed in in this browser before. */
    async isKnownBrowser(database: Kysely<GatewayDatabase>, mailbox: string, browser: string): Promise<boolean> {
      const row = await database
        .selectFrom('known_browser')
        .select('mailbox')
        .where('mailbox', '=', mailbox)
        .where('browser_sha256', '=', hashOf(mailbox, browser))
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Records a new session and its browser. Mails the mailbox if it has signed in before, but never in this browser, and the other
     * owners of the accounts that it owns.
     */
    async opened(
      trx: Trx,
      { id, mailbox, issuer }: { id: string; mailbox: string; issuer?: Recorded['issuer'] },
      visitor: Visitor,
    ): Promise<void> {
      const [userAgent, network] = [userAgentOf(visitor), networkOf(visitor)]
      await trx
        .updateTable('mailbox_session')
        .set({ user_agent: userAgent, network, last_seen_at: clock })
        .where('id', '=', id)
        .execute()
      const { rows } = await sql<{ isFirst: boolean; isNew: boolean }>`
        insert into known_browser (mailbox, browser_sha256) values (${mailbox}, ${hashOf(mailbox, visitor.browser)})
        on conflict (mailbox, browser_sha256) do update set last_used_at = clock_timestamp()
        returning xmax = 0 as "isNew", not exists (select 1 from known_browser where mailbox = ${mailbox}) as "isFirst"`.execute(
        trx,
      )
      const isNewBrowser = rows.some(({ isNew, isFirst }) => isNew && !isFirst)
      const facts = { browser: userAgent, network, newBrowser: isNewBrowser, ...(issuer && { issuer }) }
      const [accountId = null] = await record(trx, 'session.opened', { mailbox, subject: id, facts, issuer })
      if (!isNewBrowser || network === null) return
      await queueMailTo(trx, { accountId, address: mailbox, kind: 'new_browser', data: { network } })
      for (const { accountName, role, ...account } of await accountsOf(trx, mailbox)) {
        const data = { accountName, owner: mailbox, network }
        if (role === 'owner')
          await queueMailToOwners(trx, { ...account, except: mailbox, kind: 'owner_new_browser', data })
      }
    },

    /** Records that too many wrong codes were typed for the mailbox, and mails it. Nothing for a mailbox that nobody proved. */
    async locked(trx: Trx, mailbox: string): Promise<void> {
      if (!(await this.isKnown(trx, mailbox))) return
      const [accountId = null] = await record(trx, 'code.locked', { mailbox })
      await queueMailTo(trx, { accountId, address: mailbox, kind: 'codes_locked', data: {} })
    },

    /** Records that every try of a challenge was wrong. Nothing for a mailbox that nobody proved: an entry is kept for ever. */
    async refused(trx: Trx, mailbox: string, visitor: Visitor): Promise<void> {
      if (!(await this.isKnown(trx, mailbox))) return
      const facts = { browser: userAgentOf(visitor), network: networkOf(visitor) }
      await record(trx, 'code.refused', { mailbox, facts })
    },
  }
}

export type SignInRecord = ReturnType<typeof createSignInRecord>
