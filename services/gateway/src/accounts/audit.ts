// The append-only audit log: who did what to which account, when. Written in the transaction of the act.
// Facts are ids, states, counts, names of settings, and browser and network of who signed in: never a secret, a contract's text or a
// party's address.
import type { Kysely } from 'kysely'
import { ACCOUNT_ROLES, type AccountRole } from '@paraph/protocol/account-role'
import type { ActorKind, GatewayDatabase } from '../database.js'
import type { Trx } from './account-change.js'

/** Who acts. People of an account, by their role at that time, and operators are identified by the mailbox that they proved. */
export type Actor =
  | { kind: AccountRole | 'operator'; mailbox: string; name?: undefined }
  /** `name` is what the person states: everybody on the command line has the same key. [P36] */
  | { kind: 'command_line'; name?: string | undefined; mailbox?: undefined }
  | { kind: 'service'; name?: undefined; mailbox?: undefined }

export const COMMAND_LINE: Actor = { kind: 'command_line' }
/** The installation itself acts, because of its settings or at its first start. */
export const SERVICE: Actor = { kind: 'service' }

/** Every kind of actor. */
export const ACTOR_KINDS: readonly ActorKind[] = [...ACCOUNT_ROLES, 'operator', 'command_line', 'service']

/** Every audited act. */
export const ACTS = [
  ...(['application.sent', 'application.changed', 'application.withdrawn'] as const),
  ...(['application.approved', 'application.refused'] as const),
  ...(['account.created', 'account.changed', 'account.renamed'] as const),
  ...(['account.suspended', 'account.resumed', 'account.exported', 'contracts.exported'] as const),
  ...(['plan.chosen', 'subscription.granted', 'subscription.ended', 'quota.stopped', 'quota.served'] as const),
  ...(['owner.invited', 'owner.joined', 'owner.removed', 'owner.role_changed'] as const),
  'owner.signed_out_everywhere',
  ...(['reply_address.confirmed', 'reply_address.removed'] as const),
  ...(['brand.asked', 'brand.approved', 'brand.refused', 'brand.withdrawn', 'brand.removed'] as const),
  ...(['key.created', 'key.rotated', 'key.revoked'] as const),
  // `code.refused`, `code.locked`: the mailbox is the one whose codes were guessed; nobody knows who typed. [P31]
  // `session.withdrawn`: the issuer that opened the session no longer allows it. [D73]
  ...(['session.opened', 'session.ended', 'session.withdrawn', 'code.refused', 'code.locked'] as const),
  ...(['second_factor.proven', 'passkey.added', 'passkey.removed', 'passkey.reset'] as const),
  ...(['recovery_code.used', 'recovery_code.refused', 'recovery_code.locked', 'recovery_code.replaced'] as const),
  ...(['contract.cancelled', 'contract.erasure_requested', 'contract.kept', 'contract.erased'] as const),
  ...([
    'contract.held',
    'contract.released',
    'invitation.sent_again',
    'party.readdressed',
    'evidence.downloaded',
  ] as const),
  ...(['contract.signed_as', 'contract.expired'] as const),
  ...(['webhook.created', 'webhook.rotated', 'webhook.enabled', 'webhook.removed', 'webhook.disabled'] as const),
  ...(['operator.read', 'report.handled'] as const),
] as const
export type Act = (typeof ACTS)[number]

interface NewEntry {
  actor: Actor
  act: Act
  accountId: string | null
  /** The id of the object of the act, unless that object is the account. */
  subject?: string | undefined
  facts?: AuditEntry['facts']
}

/** Entries on one page. */
const AUDIT_PAGE = 50

/** Adds an entry in the transaction of the act, so that neither exists without the other. */
export async function recordAct(trx: Trx, { actor, act, accountId, subject, facts = {} }: NewEntry): Promise<void> {
  const by = { actor: actor.kind, actor_name: actor.name ?? null, mailbox: actor.mailbox ?? null }
  const entry = { ...by, account_id: accountId, act, subject: subject ?? null, facts: JSON.stringify(facts) }
  await trx.insertInto('audit_entry').values(entry).execute()
}

/**
 * Records that an operator read `subject`: an account's id, a contract's id, or the name of a list. One row for each operator, subject
 * and hour. [P36]
 */
export async function recordRead(
  database: Kysely<GatewayDatabase>,
  actor: Actor,
  { subject, accountId = null }: { subject: string; accountId?: string | null | undefined },
): Promise<void> {
  const by = { actor: actor.kind, actor_name: actor.name ?? null, mailbox: actor.mailbox ?? null }
  await database
    .insertInto('audit_entry')
    .values({ ...by, account_id: accountId, act: 'operator.read' satisfies Act, subject, facts: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Undefined fields do not filter. */
export interface AuditFilter {
  actor?: ActorKind | undefined
  /** A mailbox, or the name that a person on the command line stated. */
  who?: string | undefined
  act?: Act | undefined
  from?: Date | undefined
  until?: Date | undefined
}

export interface AuditPage extends AuditFilter {
  /** Undefined: the entries of all accounts. */
  accountId?: string | undefined
  /** Id of the last entry of the previous page. */
  before?: number | undefined
  limit?: number | undefined
}

/** A page of entries, newest first, of one account or of all. */
export async function listActs(
  database: Kysely<GatewayDatabase>,
  { accountId, before, limit = AUDIT_PAGE, actor, who, act, from, until }: AuditPage,
) {
  let query = database
    .selectFrom('audit_entry')
    .select(['id', 'at', 'actor', 'actor_name as actorName', 'mailbox'])
    .select(['account_id as accountId', 'act', 'subject', 'facts'])
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (accountId !== undefined) query = query.where('account_id', '=', accountId)
  if (before !== undefined) query = query.where('id', '<', before)
  if (actor !== undefined) query = query.where('actor', '=', actor)
  if (who !== undefined) query = query.where(who.includes('@') ? 'mailbox' : 'actor_name', '=', who)
  if (act !== undefined) query = query.where('act', '=', act)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (until !== undefined) query = query.where('at', '<=', until)
  const rows = await query.$narrowType<{ act: Act }>().execute()
  return { entries: rows.slice(0, limit), hasMore: rows.length > limit }
}

export type AuditEntry = Awaited<ReturnType<typeof listActs>>['entries'][number]
