// The two frames of the console: solo, before there is a plan, and the shell with its sections. Owns what all its pages share.
// Pure, like every page here: facts come in, a page goes out; no clock, no I/O.
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { Document } from '@paraph/web/document'
import { LanguageLink } from '@paraph/web/language-link'
import { ErrorSummary, HiddenFields, type FieldError } from '@paraph/web/fields'
import { Layout } from '@paraph/web/layout'
import { LANGUAGE_TAG, otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { Wordmark } from '@paraph/web/mark'
import type { Access } from '../../access.js'
import { frameWords, tierName } from './frame-words.js'
import { to } from './links.js'

/** What every page takes. */
export interface PageProps {
  locale: Locale
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  /** Path of the script that adds a button to copy. */
  scriptHref: string
  /** Where the page stands, with its query, for its link to the other language; undefined for one that cannot be fetched again. */
  path: string | undefined
  /** Of every form in the session; undefined where nobody is signed in. */
  formToken: string | undefined
  /** Where the operator tells how the service is doing; left out, there is no such link. */
  statusHref: string | undefined
  /** Where the operator reads mail. */
  operatorAddress: string | undefined
  /** What the shell shows beside the page; undefined before somebody has signed in. */
  shell: ShellProps | undefined
}

/** A count that is not carried to its end: `isMore` says that there are more. */
export interface Counted {
  count: number
  isMore: boolean
}

export interface ShellProps {
  mailbox: string
  /** Undefined for an operator without an account. */
  account: { name: string; access: Access; contracts: Counted | undefined; keys: number } | undefined
  /** Undefined for whoever is no operator. */
  operator: { applications: number } | undefined
}

/** A place in the side list. */
export type Section =
  'overview' | 'contracts' | 'keys' | 'plan' | 'account' | 'applications' | 'accounts' | 'reports' | 'audit'

interface FrameProps {
  page: PageProps
  title: string
  errors?: readonly FieldError[]
  children: ComponentChildren
}

const titleOf = ({ page, title, errors = [] }: FrameProps): string =>
  errors.length > 0 ? frameWords(page.locale).errorPrefix(title) : title

const inOtherLanguage = ({ path, locale }: PageProps): string | undefined =>
  path === undefined ? undefined : pathInLocale(path, otherLocale(locale))

/** One column, no sections: sign-in, application, plan. */
export function SoloFrame(props: FrameProps & { width?: 'task' | 'reading' }) {
  const { page, errors = [] } = props
  const say = frameWords(page.locale)
  return (
    <Layout
      locale={page.locale}
      title={titleOf(props)}
      styleHref={page.styleHref}
      width={props.width ?? 'task'}
      otherLanguageHref={inOtherLanguage(page)}
      topLinks={page.shell === undefined ? [] : [{ href: to.signOut, text: say.signOut }]}
      foot={{
        note: say.footNote,
        label: say.footLabel,
        links: [
          { href: to.help, text: say.help },
          { href: to.privacy, text: say.privacy },
          { href: to.docs, text: say.reference },
          ...(page.statusHref === undefined ? [] : [{ href: page.statusHref, text: say.status }]),
        ],
      }}
    >
      <ErrorSummary title={say.problem} errors={errors} />
      {props.children}
    </Layout>
  )
}

/** The shell: sections at the side, on a phone behind "Menu". @param at the section of this page @param width of forms and words, or of tables */
export function ConsoleFrame(props: FrameProps & { at: Section; width?: 'form' | 'wide'; scripts?: boolean }) {
  const { page, at, errors = [], width = 'wide' } = props
  const say = frameWords(page.locale)
  return (
    <Document
      locale={page.locale}
      title={titleOf(props)}
      styleHref={page.styleHref}
      scripts={props.scripts ? [page.scriptHref] : []}
    >
      <div class="shell">
        <header class="side">
          <Wordmark homeHref={to.home} />
          {/* The same list twice: a disclosure on a phone, open beside the page where there is room. The sheet shows one of them. */}
          <details class="menu">
            <summary>{say.menu}</summary>
            <Sections page={page} at={at} />
          </details>
          <div class="side-list">
            <Sections page={page} at={at} />
          </div>
        </header>
        <main class={width === 'form' ? 'content content-form' : 'content'}>
          <ErrorSummary title={say.problem} errors={errors} />
          <StatusLine page={page} />
          {props.children}
        </main>
      </div>
    </Document>
  )
}

function Sections({ page, at }: { page: PageProps; at: Section }) {
  const say = frameWords(page.locale)
  const { account, operator, mailbox } = page.shell ?? { account: undefined, operator: undefined, mailbox: '' }
  const entry = (section: Section, href: string, count?: string | number) => (
    <li key={section}>
      <a href={href} aria-current={section === at ? 'page' : undefined}>
        <span>{say[section]}</span>
        {count !== undefined && <span class="count">{count}</span>}
      </a>
    </li>
  )
  return (
    <nav class="sections" aria-label={say.sections}>
      {account && (
        <>
          <p class="side-name">
            <strong>
              <bdi>{account.name}</bdi>
            </strong>
            <span>{planLine(account.access, page.locale)}</span>
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
          <p class="side-head">{say.operator}</p>
          <ul>
            {entry('applications', to.operator.applications, operator.applications)}
            {entry('accounts', to.operator.accounts)}
            {entry('reports', to.operator.reports)}
            {entry('audit', to.operator.audit)}
          </ul>
        </>
      )}
      <ul class="side-foot">
        <li>
          <a href={to.docs}>{say.reference}</a>
        </li>
        {page.statusHref !== undefined && (
          <li>
            <a href={page.statusHref}>{say.status}</a>
          </li>
        )}
        {page.path !== undefined && (
          <li>
            <LanguageLink locale={page.locale} href={inOtherLanguage(page)} />
          </li>
        )}
        <li>
          <a href={to.signOut}>{say.signOut}</a>
        </li>
        <li class="side-mailbox">{say.signedInAs(mailbox)}</li>
      </ul>
    </nav>
  )
}

/** `1,000+` for what is not counted to its end. */
export const countText = ({ count, isMore }: Counted, locale: Locale): string =>
  `${new Intl.NumberFormat(LANGUAGE_TAG[locale]).format(count)}${isMore ? '+' : ''}`

function planLine(access: Access, locale: Locale): string {
  const say = frameWords(locale)
  return 'tier' in access ? say.planOf(tierName(access.tier)) : say.noPlan
}

/** Where the account stands, when that asks for something; with the one thing to do. */
function StatusLine({ page }: { page: PageProps }) {
  const access = page.shell?.account?.access
  const say = frameWords(page.locale)
  const text = access && statusText(access, page.locale)
  if (text === undefined) return null
  const mail = page.operatorAddress === undefined ? undefined : `mailto:${page.operatorAddress}`
  return (
    <div class="note note-warning status-line">
      <p>
        {text}{' '}
        {access?.step === 'suspended' || access?.step === 'plan_chosen' ? (
          mail !== undefined && <a href={mail}>{say.writeToOperator}</a>
        ) : (
          <a href={to.plan}>{say.seePlan}</a>
        )}
      </p>
    </div>
  )
}

function statusText(access: Access, locale: Locale): string | undefined {
  const say = frameWords(locale)
  switch (access.step) {
    case 'suspended':
      return say.suspended
    case 'trial':
      return say.trial
    case 'past_due':
      return say.pastDue(formatInstant(access.keysStopAt, locale))
    case 'ended':
      return say.ended
    case 'plan_chosen':
      return say.planChosen(tierName(access.wantedTier))
    default:
      return undefined
  }
}

/** A form of the session: it carries the token that no other site knows. */
export function ConsoleForm(props: {
  page: PageProps
  action: string
  hidden?: Record<string, string | number | undefined>
  children: ComponentChildren
}) {
  return (
    <form method="post" action={props.action} noValidate>
      <HiddenFields values={{ formToken: props.page.formToken, ...props.hidden }} />
      {props.children}
    </form>
  )
}

/** An instant on a page, readable by machines too. */
export function Instant(props: { at: Date; locale: Locale; timeZone?: string | undefined; seconds?: boolean }) {
  const { at, locale, ...options } = props
  return <time dateTime={at.toISOString()}>{formatInstant(at, locale, { ...options, short: true })}</time>
}
