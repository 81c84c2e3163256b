// The frame of every page of the ceremony: test bar, steps, error summary, foot.
// Pure, like every page in pages/: no clock, no I/O.
import type { ComponentChildren } from 'preact'
import { Button, ErrorSummary, type FieldError, HiddenFields, LinkButton } from '@paraph/web/fields'
import { Layout, type PageBrand } from '@paraph/web/layout'
import { type Locale, otherLocale, pathInLocale } from '@paraph/web/locale'
import { timeInWords } from '@paraph/web/local-time'
import { isolateNames } from '@paraph/web/names-in-words'
import { Steps } from '@paraph/web/steps'
import { ceremonyMessages } from './messages.js'
import { HELP, links, PRIVACY, REPORT } from './links.js'

export interface PageProps {
  locale: Locale
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  /** Path of the script that shows times in the zone of the reader. [D60] */
  scriptHref: string
  /** The page's address, for the link to the other language; undefined: no link. The answer to a form has its page's address. */
  path?: string | undefined
  /** Shows the yellow bar of sandbox contracts, with the time when the contract ends, unless it has ended. [D15] */
  sandbox?: { endsAt?: Date | undefined; timeZone?: string | undefined } | undefined
  /** The address of "Report this request" for this contract; undefined: the link leads to the help page. */
  reportHref?: string | undefined
  /** The name of the installation in the foot. */
  footName: string
  /** Of the account; undefined: our own mark and colour. [D59] */
  brand?: PageBrand | undefined
  /** The operator's status page; undefined: no link. */
  statusHref?: string | undefined
}

interface FrameProps {
  page: PageProps
  title: string
  width?: 'task' | 'reading'
  /** The current step: 0 your email, 1 read, 2 sign, 3 all done; undefined: no steps are shown. */
  step?: 0 | 1 | 2 | 3
  errors?: readonly FieldError[]
  /** True for a page that belongs to no contract: its foot speaks of contracts in general. */
  isGeneral?: boolean
  children: ComponentChildren
}

/** With errors, the title starts with "Error" and the error summary takes the focus. */
export function CeremonyFrame({ page, title, width = 'task', step, errors = [], isGeneral, children }: FrameProps) {
  const messages = ceremonyMessages(page.locale)
  return (
    <Layout
      locale={page.locale}
      title={errors.length > 0 ? messages.errorPrefix(title) : title}
      styleHref={page.styleHref}
      scripts={[page.scriptHref]}
      width={width}
      brand={page.brand}
      otherLanguageHref={page.path === undefined ? undefined : pathInLocale(page.path, otherLocale(page.locale))}
      testBar={testBarOf(page)}
      foot={{
        note: (isGeneral ? messages.generalFootNote : messages.footNote)(page.footName),
        via: page.brand && page.footName,
        label: messages.footLabel,
        links: [
          { href: HELP, text: messages.help },
          { href: PRIVACY, text: messages.privacy },
          { href: page.reportHref ?? REPORT, text: isGeneral ? messages.reportAny : messages.report },
          ...(page.statusHref === undefined ? [] : [{ href: page.statusHref, text: messages.status }]),
        ],
      }}
    >
      <ErrorSummary title={messages.problem} errors={errors} />
      {step !== undefined && (
        <Steps
          label={messages.stepsLabel}
          steps={[messages.stepMail, messages.stepRead, messages.stepSign]}
          at={step}
          doneText={messages.stepDone}
        />
      )}
      {children}
    </Layout>
  )
}

function testBarOf({ sandbox, locale }: PageProps) {
  if (sandbox === undefined) return undefined
  const { endsAt, timeZone } = sandbox
  const messages = ceremonyMessages(locale)
  return {
    title: messages.testTitle,
    detail: endsAt && isolateNames(messages.testEnds, timeInWords(endsAt, locale, { timeZone })),
  }
}

/** A page with nothing to sign: an empty signature line, what happened, what to do. Pass the key part of the lead as `<strong>`. */
export function OutcomeFrame(props: {
  page: PageProps
  title: string
  lead: ComponentChildren
  errors?: readonly FieldError[]
  /** For a person who asks the sender or us about the contract. */
  contractNumber?: string | undefined
  /** A page that offers nothing else to do offers help. */
  offersHelp?: boolean
  children?: ComponentChildren
}) {
  const messages = ceremonyMessages(props.page.locale)
  return (
    <CeremonyFrame page={props.page} title={props.title} errors={props.errors ?? []}>
      <hr class="bare-line" />
      <h1>{props.title}</h1>
      <p class="lead">{props.lead}</p>
      {props.children}
      {props.contractNumber !== undefined && (
        <p class="soft">
          {messages.contractNumber} <strong class="unbroken">{props.contractNumber}</strong>
        </p>
      )}
      {props.offersHelp && (
        <div class="actions">
          <LinkButton look="quiet" href={HELP}>
            {messages.getHelp}
          </LinkButton>
        </div>
      )}
    </CeremonyFrame>
  )
}

export interface LeaveFormProps {
  token: string
  /** Bound to the session. */
  formToken: string
}

/** Ends the session in this browser: after signing, or for another person who shares the browser. [D33] */
export function LeaveForm({ form, locale, isDone }: { form: LeaveFormProps; locale: Locale; isDone: boolean }) {
  const messages = ceremonyMessages(locale)
  return (
    <form method="post" action={links(form.token).leave} class="leave">
      <HiddenFields values={{ formToken: form.formToken }} />
      <Button look="quiet">{isDone ? messages.finish : messages.notYou}</Button>
    </form>
  )
}

/** An address as a `mailto:` link, for `isolateNames`. */
export const mailLink = (address: string) => ({ text: address, markup: <a href={`mailto:${address}`}>{address}</a> })
