// The props of the console's pages, and the data of their frame.
import type { AccountRole } from '@paraph/protocol/account-role'
import type { Environment } from '@paraph/protocol/environment'
import { LANGUAGE_TAG, otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import type { Access } from '../../accounts/access.js'
import { isAllowed, type Permission } from '../permissions.js'

/** The props of every page. */
export interface PageProps {
  locale: Locale
  /** Path of the style sheet; the file name contains the content hash. */
  styleHref: string
  /** Paths of the scripts, which show the copy buttons, and times in the zone of the reader. */
  scripts: readonly string[]
  /** Path and query of the page, for the link to the other language; undefined if the page cannot be fetched again. */
  path: string | undefined
  /** The newest proof of the person is young enough for a grave act; a page draws no button of such an act otherwise. [D73] */
  isProven: boolean
  /** The token of every form in the session; undefined if nobody is signed in. */
  formToken: string | undefined
  /** The operator's status page. */
  statusHref: string | undefined
  /** The operator's email address. */
  operatorAddress: string | undefined
  /** The data of the shell; undefined before sign-in. */
  shell: ShellProps | undefined
}

export type ContractCounts = Record<Environment, Counted>

/** A count with an upper limit; `isMore` is true if the real number is larger. */
export interface Counted {
  count: number
  isMore: boolean
}

export interface ShellProps {
  mailbox: string
  /** Undefined for an operator without an account. */
  account:
    | {
        name: string
        /** Of the reader. */
        role: AccountRole
        access: Access
        /** The environment that the page shows; its contracts are the ones that the side list counts. */
        environment: Environment
        /** Undefined without a plan, and while the contract service does not respond. */
        contracts: ContractCounts | undefined
        keys: number
      }
    | undefined
  /** Undefined if the mailbox is not an operator's. */
  operator:
    | {
        /** How many applications wait. */
        applications: number
        /** How many reports nobody has handled; undefined while signing does not respond. */
        reports: Counted | undefined
      }
    | undefined
}

/** Whether the reader's role has a permission, in the environment that the page shows or in another. A page draws no other buttons. */
export function mayUse(
  { shell }: PageProps,
  permission: Permission,
  environment = shell?.account?.environment,
): boolean {
  return shell?.account !== undefined && isAllowed(shell.account.role, permission, environment)
}

export const OPERATOR_SECTIONS = ['applications', 'accounts', 'reports', 'audit'] as const
type OperatorSection = (typeof OPERATOR_SECTIONS)[number]

export const isOperatorSection = (section: string): section is OperatorSection =>
  OPERATOR_SECTIONS.some((each) => each === section)

/** A section of the side list. */
export type Section =
  'overview' | 'contracts' | 'keys' | 'requests' | 'webhooks' | 'testMail' | 'plan' | 'account' | OperatorSection

/** The page in the other language; undefined if it cannot be fetched again. */
export const inOtherLanguage = ({ path, locale }: PageProps): string | undefined =>
  path === undefined ? undefined : pathInLocale(path, otherLocale(locale))

/** The count as text: `1,000+` if the real number is larger. */
export const countText = ({ count, isMore }: Counted, locale: Locale): string =>
  `${new Intl.NumberFormat(LANGUAGE_TAG[locale]).format(count)}${isMore ? '+' : ''}`
