// The frame of every page of the ceremony: test bar, steps, error summary, foot. Owns what all those pages share.
// Pure, like every page here: facts come in, a page goes out; no clock, no I/O.
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { ErrorSummary, type FieldError } from '@paraph/web/fields'
import { Layout } from '@paraph/web/layout'
import { otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { Steps } from '@paraph/web/steps'
import { words } from './dictionary.js'
import { HELP, PRIVACY, REPORT } from './links.js'

/** What every page takes. */
export interface PageProps {
  locale: Locale
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  /** Where the page stands, for its link to the other language; left out, there is none. An answer to a form names the form's page. */
  path?: string | undefined
  /** Sandbox contracts carry the yellow bar. [D15] */
  sandbox?: boolean | undefined
  /** "Report this request" of this contract's link; left out, the help page says what to do. */
  reportHref?: string | undefined
  /** Where the operator tells how the service is doing; left out, there is no such link. */
  statusHref?: string | undefined
}

interface FrameProps {
  page: PageProps
  title: string
  width?: 'task' | 'reading'
  /** 0 your e-mail, 1 read, 2 sign, 3 all done; left out, no steps are shown. */
  step?: 0 | 1 | 2 | 3
  errors?: readonly FieldError[]
  children: ComponentChildren
}

/** The frame; with errors the title says so first and the summary takes the focus. */
export function CeremonyFrame({ page, title, width = 'task', step, errors = [], children }: FrameProps) {
  const say = words(page.locale)
  return (
    <Layout
      locale={page.locale}
      title={errors.length > 0 ? say.errorPrefix(title) : title}
      styleHref={page.styleHref}
      width={width}
      otherLanguageHref={page.path === undefined ? undefined : pathInLocale(page.path, otherLocale(page.locale))}
      testBar={page.sandbox ? { title: say.testTitle, detail: say.testDetail } : undefined}
      foot={{
        note: say.footNote,
        label: say.footLabel,
        links: [
          { href: HELP, text: say.help },
          { href: PRIVACY, text: say.privacy },
          { href: page.reportHref ?? REPORT, text: say.report },
          ...(page.statusHref === undefined ? [] : [{ href: page.statusHref, text: say.status }]),
        ],
      }}
    >
      <ErrorSummary title={say.problem} errors={errors} />
      {step !== undefined && (
        <Steps
          label={say.stepsLabel}
          steps={[say.stepMail, say.stepRead, say.stepSign]}
          at={step}
          doneText={say.stepDone}
        />
      )}
      {children}
    </Layout>
  )
}

/** A page with nothing to sign: a bare dotted line, what happened, what to do. What matters most in the lead is strong. */
export function OutcomeFrame(props: {
  page: PageProps
  title: string
  lead: ComponentChildren
  children?: ComponentChildren
}) {
  return (
    <CeremonyFrame page={props.page} title={props.title}>
      <hr class="bare-line" />
      <h1>{props.title}</h1>
      <p class="lead">{props.lead}</p>
      {props.children}
    </CeremonyFrame>
  )
}

/** An instant on a page, readable by machines too. */
export function Instant(props: { at: Date; locale: Locale; timeZone?: string | undefined; seconds?: boolean }) {
  const { at, locale, ...options } = props
  return <time dateTime={at.toISOString()}>{formatInstant(at, locale, options)}</time>
}
