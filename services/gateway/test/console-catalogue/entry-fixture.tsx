// An entry of the catalogue, the shell around its page, and the accesses of sample accounts.
import type { VNode } from 'preact'
import type { AccountRole } from '@paraph/protocol/account-role'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { OWNER } from '@paraph/testing/test/sample-data-fixture'
import type { Locale } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/page-answer'
import type { Access } from '../../src/accounts/access.js'
import type { PageProps, ShellProps } from '../../src/console/frame/page-props.js'

export interface CatalogueEntry {
  /** Unique; also the file name of its picture. */
  name: string
  /** The HTTP status of the page. */
  status: number
  /** Renders the document with its style sheet at `styleHref`. */
  render: (locale: Locale, styleHref: string) => string
}

export const at = (instant: string): Date => new Date(instant)
/** Half an hour after `NOW`. */
export const TRY_AGAIN_AT = at('2026-11-24T12:40:00.000Z')
export const TIME_ZONE = 'UTC'

export const ACTIVE = { step: 'active', tier: 'startup', periodEnd: null } satisfies Access
export const APPLY: Access = { step: 'apply' }
export const PENDING: Access = { step: 'pending', sentAt: shared.APPLIED_AT }
export const CHOOSE_PLAN: Access = { step: 'choose_plan' }
export const TRIAL: Access = { step: 'trial', tier: 'startup', periodEnd: null }
/** The accesses of an account that has not created a contract or a key. */
const NEW_STEPS = new Set<Access['step']>(['apply', 'pending', 'refused', 'choose_plan', 'plan_chosen', 'trial'])

const NO_CONTRACTS = { count: 0, isMore: false }

export const shellWith = (access: Access, isOperator = false, role: AccountRole = 'owner'): ShellProps => ({
  mailbox: OWNER,
  account: {
    name: shared.ACCOUNT_NAME,
    role,
    access,
    environment: role === 'developer' ? 'sandbox' : 'production',
    ...(NEW_STEPS.has(access.step)
      ? { contracts: { production: NO_CONTRACTS, sandbox: NO_CONTRACTS }, keys: 0 }
      : { contracts: { production: { count: 1_000, isMore: true }, sandbox: { count: 3, isMore: false } }, keys: 3 }),
  },
  operator: isOperator ? { applications: 2, reports: { count: 3, isMore: false } } : undefined,
})

/** @param shell undefined for a page before sign-in */
export const entry = (
  name: string,
  status: number,
  shell: ShellProps | undefined,
  page: (frame: PageProps) => VNode,
  isProven = true,
): CatalogueEntry => ({
  name,
  status,
  render: (locale, styleHref) =>
    renderPage(
      page({
        locale,
        styleHref,
        scripts: ['/assets/gateway/copy.js', '/assets/gateway/local-zone.js'],
        path: '/console',
        isProven,
        shell,
        formToken: shell && 'sample-form-token',
        statusHref: shared.STATUS_URL,
        operatorAddress: shared.OPERATOR_ADDRESS,
      }),
    ),
})

export const solo = (name: string, page: (frame: PageProps) => VNode, status = 200) =>
  entry(name, status, undefined, page)
export const owned = (name: string, page: (frame: PageProps) => VNode, status = 200, access: Access = ACTIVE) =>
  entry(name, status, shellWith(access), page)
/** A page whose reader has given no fresh proof. [D73] */
export const unproven = (name: string, page: (frame: PageProps) => VNode) =>
  entry(name, 200, shellWith(ACTIVE), page, false)
/** A page as somebody sees it who does not own the account. */
export const member = (name: string, role: AccountRole, page: (frame: PageProps) => VNode, status = 200) =>
  entry(name, status, shellWith(ACTIVE, false, role), page)
export const operated = (name: string, page: (frame: PageProps) => VNode, status = 200) =>
  entry(name, status, shellWith(ACTIVE, true), page)
