// Which role of an account may do what in the console. Pure. [D72]
import type { AccountRole } from '@paraph/protocol/account-role'
import type { Environment } from '@paraph/protocol/environment'

type Extent = 'all' | 'sandbox' | 'none'

/** What a route requires, and how far each role has it. `sandbox`: for contracts and usage of the sandbox alone. */
export const PERMISSIONS = {
  /** The role, the sessions, and leaving the account. */
  belong: { owner: 'all', developer: 'all', viewer: 'all' },
  /** Contracts and usage, on pages. */
  read: { owner: 'all', developer: 'sandbox', viewer: 'all' },
  /** Acts on contracts, and their files. */
  act: { owner: 'all', developer: 'sandbox', viewer: 'none' },
  /** Keys, request log, webhooks, test mailbox. */
  develop: { owner: 'all', developer: 'all', viewer: 'none' },
  /** People, settings, plan, erasures, activity, export. */
  manage: { owner: 'all', developer: 'none', viewer: 'none' },
} as const satisfies Record<string, Record<AccountRole, Extent>>

export type Permission = keyof typeof PERMISSIONS

export const isPermission = (name: string): name is Permission => Object.hasOwn(PERMISSIONS, name)

/** @param environment the one that the page or form is about; undefined for a page that belongs to none */
export function isAllowed(role: AccountRole, permission: Permission, environment: Environment | undefined): boolean {
  const extent: Extent = PERMISSIONS[permission][role]
  return extent === 'all' || (extent === 'sandbox' && environment === 'sandbox')
}
