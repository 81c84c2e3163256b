// The two frames of the console: one column until the account has a plan, then the shell with its sections. Owns the parts of all pages.
// Pure, like every page of the console: no clock, no I/O.
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { ErrorSummary, type FieldError } from '@paraph/web/fields'
import { Document, LanguageLink, Layout } from '@paraph/web/layout'
import { LANGUAGE_TAG, otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { Wordmark } from '@paraph/web/mark'
import type { Access } from '../../accounts/access.js'
import { frameMessages, tierName } from './messages.js'
import { to } from './links.js'
import { BoldName } from './parts.js'

/** The props of every page. */
export interface PageProps {
  locale: Locale
  /** Path of the style sheet; the file name contains the content hash. */
  styleHref: string
  /** Path of the script that shows the copy button. */
  scriptHref: string
  /** Path and query of the page, for the link to the other language; undefined if the page cannot be fetched again. */
  path: string | undefined
  /** The token of every form in the session; undefined if nobody is signed in. */
  formToken: string | undefined
  /** The operator's status page. */
  statusHref: string | undefined
  /** The operator's email address. */
  operatorAddress: string | undefined
  /** The data of the shell; undefined before sign-in. */
  shell: ShellProps | undefined
}

/** A count with an upper limit; `isMore` is true if the real number is larger. */
export interface Counted {
  count: number
  isMore: boolean
}

export interface ShellProps {
  mailbox: string
  /** Undefined for an operator without an account. */
  account: { name: string; access: Access; contracts: Counted | undefined; keys: number } | undefined
  /** Undefined if the mailbox is not an operator's. */
  operator: { applications: number } | undefined
}

/** A section of the side list. */
export type Section =
  'overview' | 'contracts' | 'keys' | 'plan' | 'account' | 'applications' | 'accounts' | 'reports' | 'audit'

interface FrameProps {
  page: PageProps
  errors?: readonly FieldError[]
  /** The paragraph below the title; without it, no heading. */
  lead?: ComponentChildren
  children: ComponentChildren
}

const documentTitle = ({ page, errors = [] }: FrameProps, title: string): string =>
  errors.length > 0 ? frameMessages(page.locale).errorPrefix(title) : title

const inOtherLanguage = ({ path, locale }: PageProps): string | undefined =>
  path === undefined ? undefined : pathInLocale(path, otherLocale(locale))

/** The frame with one column and no sections, for sign-in, application and plan. */
export function SoloFrame(props: FrameProps & { title: string; width?: 'task' | 'reading' }) {
  const { page, errors = [] } = props
  const text = frameMessages(page.locale)
  return (
    <Layout
      locale={page.locale}
      title={documentTitle(props, props.title)}
      styleHref={page.styleHref}
      width={props.width ?? 'task'}
      otherLanguageHref={inOtherLanguage(page)}
      topLinks={page.shell === undefined ? [] : [{ href: to.signOut, text: text.signOut }]}
      foot={{
        note: text.footNote,
        label: text.footLabel,
        links: [
          { href: to.help, text: text.help },
          { href: to.privacy, text: text.privacy },
          { href: to.docs, text: text.reference },
          ...(page.statusHref === undefined ? [] : [{ href: page.statusHref, text: text.status }]),
        ],
      }}
    >
      <ErrorSummary title={text.problem} errors={errors} />
      {props.lead !== undefined && (
        <>
          <h1>{props.title}</h1>
          <p class="lead">{props.lead}</p>
        </>
      )}
      {props.children}
    </Layout>
  )
}

interface ConsoleFrameProps extends FrameProps {
  /** The current section. */
  at: Section
  /** By default the name of the section. */
  title?: string
  /** Narrow for forms and text, wide for tables. */
  width?: 'form' | 'wide'
  scripts?: boolean
}

/** The shell, with a list of sections at the side; on a phone, "Menu" opens the list. */
export function ConsoleFrame(props: ConsoleFrameProps) {
  const { page, at, errors = [], width = 'wide', lead } = props
  const text = frameMessages(page.locale)
  const title = props.title ?? text[at]
  return (
    <Document
      locale={page.locale}
      title={documentTitle(props, title)}
      styleHref={page.styleHref}
      scripts={props.scripts ? [page.scriptHref] : []}
    >
      <div class="shell">
        <header class="side">
          <Wordmark homeHref={to.home} />
          {/* The same list twice: in a menu for phones, and beside the page for wide screens. The style sheet shows one of the two. */}
          <details class="menu">
            <summary>{text.menu}</summary>
            <Sections page={page} at={at} />
          </details>
          <div class="side-list">
            <Sections page={page} at={at} />
          </div>
        </header>
        <main class={width === 'form' ? 'content content-form' : 'content'}>
          <ErrorSummary title={text.problem} errors={errors} />
          <StatusLine page={page} />
          {lead !== undefined && (
            <div>
              <h1>{title}</h1>
              <p class="soft">{lead}</p>
            </div>
          )}
          {props.children}
        </main>
      </div>
    </Document>
  )
}

function Sections({ page, at }: { page: PageProps; at: Section }) {
  const text = frameMessages(page.locale)
  const { account, operator, mailbox } = page.shell ?? { account: undefined, operator: undefined, mailbox: '' }
  const entry = (section: Section, href: string, count?: string | number) => (
    <li key={section}>
      <a href={href} aria-current={section === at ? 'page' : undefined}>
        <span>{text[section]}</span>
        {count !== undefined && <span class="count">{count}</span>}
      </a>
    </li>
  )
  const foot = [
    <a href={to.docs}>{text.reference}</a>,
    page.statusHref !== undefined && <a href={page.statusHref}>{text.status}</a>,
    page.path !== undefined && <LanguageLink locale={page.locale} href={inOtherLanguage(page)} />,
    <a href={to.signOut}>{text.signOut}</a>,
  ]
  return (
    <nav class="sections" aria-label={text.sections}>
      {account && (
        <>
          <p class="side-name">
            <BoldName name={account.name} />
            <span>{'tier' in account.access ? text.planOf(tierName(account.access.tier)) : text.noPlan}</span>
          </p>
          <ul>
            {entry('overview', to.overview)}
            {entry('contracts', to.contracts, account.contracts && countText(account.contracts, page.locale))}
            {entry('keys', to.keys, account.keys)}
            {entry('plan', to.plan)}
            {entry('account', to.account)}
          </ul>
        </>
      )}
      {operator && (
        <>
          <p class="side-head">{text.operator}</p>
          <ul>
            {entry('applications', to.operator.applications, operator.applications)}
            {entry('accounts', to.operator.accounts)}
            {entry('reports', to.operator.reports)}
            {entry('audit', to.operator.audit)}
          </ul>
        </>
      )}
      <ul class="side-foot">
        {foot.map((link, at) => link && <li key={at}>{link}</li>)}
        <li class="side-mailbox">{text.signedInAs(mailbox)}</li>
      </ul>
    </nav>
  )
}

/** The count as text: `1,000+` if the real number is larger. */
export const countText = ({ count, isMore }: Counted, locale: Locale): string =>
  `${new Intl.NumberFormat(LANGUAGE_TAG[locale]).format(count)}${isMore ? '+' : ''}`

/** The status of an account that requires action, with a link to the page for that action. */
function StatusLine({ page }: { page: PageProps }) {
  const access = page.shell?.account?.access
  const text = frameMessages(page.locale)
  const status = access && statusText(access, page.locale)
  if (status === undefined) return null
  const isForOperator = access?.step === 'suspended' || access?.step === 'plan_chosen'
  return (
    <div class="note note-warning status-line">
      <p>
        {status} {!isForOperator && <a href={to.plan}>{text.seePlan}</a>}
        {isForOperator && page.operatorAddress !== undefined && (
          <a href={`mailto:${page.operatorAddress}`}>{text.writeToOperator}</a>
        )}
      </p>
    </div>
  )
}

function statusText(access: Access, locale: Locale): string | undefined {
  const text = frameMessages(locale)
  const { step } = access
  if (step === 'suspended' || step === 'trial' || step === 'ended') return text[step]
  if (step === 'past_due') return text.pastDue(formatInstant(access.keysStopAt, locale))
  return step === 'plan_chosen' ? text.planChosen(tierName(access.wantedTier)) : undefined
}

/** An instant as a `time` element. */
export function Instant(props: { at: Date; locale: Locale; timeZone?: string | undefined; seconds?: boolean }) {
  const { at, locale, ...options } = props
  return <time dateTime={at.toISOString()}>{formatInstant(at, locale, { ...options, short: true })}</time>
}
