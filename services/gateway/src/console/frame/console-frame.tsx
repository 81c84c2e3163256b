// The two frames of the console: one column until the account has a plan, then the shell with its sections. Owns the parts of all pages.
// Pure, like every page of the console: no clock, no I/O.
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { ErrorSummary, type FieldError } from '@paraph/web/fields'
import { Document, Layout, PAGE_ID, SKIP_TEXT, SkipLink } from '@paraph/web/layout'
import type { Locale } from '@paraph/web/locale'
import { Wordmark } from '@paraph/web/mark'
import type { Access } from '../../accounts/access.js'
import { frameMessages, tierName } from './messages.js'
import { to } from './links.js'
import { inOtherLanguage, isOperatorSection, mayUse, type PageProps, type Section } from './page-props.js'
import { Sections } from './side-list.js'

interface FrameProps {
  page: PageProps
  errors?: readonly FieldError[]
  /** The paragraph below the title; without it, no heading. */
  lead?: ComponentChildren
  children: ComponentChildren
}

const documentTitle = ({ page, errors = [] }: FrameProps, title: string): string =>
  errors.length > 0 ? frameMessages(page.locale).errorPrefix(title) : title

/** The frame with one column and no sections, for sign-in, application and plan. */
export function SoloFrame(props: FrameProps & { title: string; width?: 'task' | 'reading' }) {
  const { page, errors = [] } = props
  const text = frameMessages(page.locale)
  return (
    <Layout
      locale={page.locale}
      title={documentTitle(props, props.title)}
      styleHref={page.styleHref}
      scripts={page.scripts}
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
}

/** The shell, with a list of sections at the side; on a phone, "Menu" opens the list. The operator's pages say so on top. */
export function ConsoleFrame(props: ConsoleFrameProps) {
  const { page, at, errors = [], width = 'wide', lead } = props
  const text = frameMessages(page.locale)
  const title = props.title ?? text[at]
  const isForOperator = isOperatorSection(at)
  return (
    <Document
      locale={page.locale}
      title={documentTitle(props, title)}
      styleHref={page.styleHref}
      scripts={page.scripts}
    >
      <SkipLink text={SKIP_TEXT[page.locale]} />
      <div class={isForOperator ? 'shell shell-operator' : 'shell'}>
        <header class="side">
          {isForOperator && <p class="side-operator">{text.operator}</p>}
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
        <main id={PAGE_ID} class={width === 'form' ? 'content content-form' : 'content'}>
          <ErrorSummary title={text.problem} errors={errors} />
          {!isForOperator && <StatusLine page={page} />}
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
        {status} {!isForOperator && mayUse(page, 'manage') && <a href={to.plan}>{text.seePlan}</a>}
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
