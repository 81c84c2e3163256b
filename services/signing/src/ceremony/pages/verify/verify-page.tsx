// /verify: the form that takes a signed PDF or evidence.jws, and what the check of it found, in words. [ceremony 27 and 28, D68]
import { codeMessages } from '@paraph/codes/code-words'
import { Button, type FieldError, FileField, FormError, HiddenFields, LinkButton, WHOLE_FORM } from '@paraph/web/fields'
import { Details, Sheet } from '@paraph/web/sheet'
import type { CheckName, EvidenceReport } from '../../../verify/check.js'
import { CeremonyFrame, type PageProps } from '../frame/ceremony-frame.js'
import { EVIDENCE_GUIDE, VERIFY } from '../frame/links.js'
import { ceremonyMessages } from '../frame/messages.js'
import { verifyMessages } from './messages.js'

export interface VerifyPageProps extends PageProps {
  formToken: string
  /** Why the form before this page had no result. */
  problem?: 'missing' | 'too_large' | 'too_costly' | 'busy' | 'too_old' | undefined
}

/** Status 200; with a problem 422, 413 or 503. */
export function VerifyPage({ formToken, problem, ...page }: VerifyPageProps) {
  const messages = verifyMessages(page.locale)
  const error = problem && errorOf(problem, page.locale)
  return (
    <CeremonyFrame isGeneral page={page} title={messages.title} errors={error ? [error] : []}>
      <h1>{messages.title}</h1>
      <p class="lead">{messages.lead}</p>
      <Sheet
        parts={[
          <form method="post" action={VERIFY} encType="multipart/form-data" noValidate>
            {/* Before the file, so that it is read first. */}
            <HiddenFields values={{ formToken }} />
            <FileField
              name="file"
              label={messages.file}
              hint={messages.fileHint}
              accept=".pdf,.jws"
              error={error?.field === 'file' ? error.message : undefined}
            />
            <FormError message={error?.field === WHOLE_FORM ? error.message : undefined} />
            <Button look="primary">{messages.check}</Button>
          </form>,
        ]}
      />
      <WithoutUs locale={page.locale} />
    </CeremonyFrame>
  )
}

function errorOf(problem: NonNullable<VerifyPageProps['problem']>, locale: PageProps['locale']): FieldError {
  const messages = verifyMessages(locale)
  const { busy, formTooOld } = codeMessages(locale)
  if (problem === 'busy' || problem === 'too_old')
    return { field: WHOLE_FORM, message: problem === 'busy' ? busy : formTooOld }
  const { missing, tooLarge, tooCostly } = messages
  return { field: 'file', message: { missing, too_large: tooLarge, too_costly: tooCostly }[problem] }
}

const WithoutUs = ({ locale }: Pick<PageProps, 'locale'>) => (
  <p class="after">
    {verifyMessages(locale).withoutUs} <a href={EVIDENCE_GUIDE}>{verifyMessages(locale).steps}</a>
  </p>
)

/** The checks that this page gives material for. */
type Checked = Exclude<CheckName, 'given text' | 'openings'>

/** The most important check first. The first check that fails gives the page its heading. */
const ORDER: readonly Checked[] = [
  'signature',
  'chain',
  'signatures',
  'text',
  'seal',
  'attachments',
  'names',
  'certificate',
  'key',
  'environment',
  'day',
]

export interface ResultPageProps extends PageProps {
  /** Undefined for a file that is neither a PDF nor evidence. */
  report: EvidenceReport | undefined
}

/** Status 200, whatever was found. */
export function ResultPage({ report, ...page }: ResultPageProps) {
  const messages = verifyMessages(page.locale)
  const { title, lead } = verdictOf(report, page.locale)
  const checks = (report?.checks ?? []) as (EvidenceReport['checks'][number] & { name: Checked })[]
  const open = notChecked(report, page.locale)
  const isSandbox = report?.environment === 'sandbox'
  const words = (name: Checked, holds: boolean): string =>
    holds && name === 'environment' && isSandbox
      ? messages.sandbox
      : (holds ? messages.inOrder : messages.outOfOrder)[name]
  return (
    <CeremonyFrame isGeneral page={isSandbox ? { ...page, sandbox: {} } : page} title={title}>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {report?.contractNumber !== undefined && (
        <p class="soft checked-number">
          {ceremonyMessages(page.locale).contractNumber} <strong class="unbroken">{report.contractNumber}</strong>
        </p>
      )}
      {checks.length > 0 && (
        <section>
          <h2>{messages.checked}</h2>
          <Sheet
            parts={[
              <Details
                rows={checks.map(({ name, holds }) => ({
                  label: messages.labels[name],
                  value: holds ? messages.holds : <span class="not-in-order">{messages.isBroken}</span>,
                  detail: words(name, holds),
                }))}
              />,
            ]}
          />
        </section>
      )}
      <section class="prose">
        {open.length > 0 && (
          <>
            <h2>{messages.notChecked}</h2>
            <ul>
              {open.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </>
        )}
        <div class="actions">
          <LinkButton look="quiet" href={VERIFY}>
            {messages.another}
          </LinkButton>
        </div>
        <WithoutUs locale={page.locale} />
      </section>
    </CeremonyFrame>
  )
}

/** The first line, and what to do. */
export function verdictOf(report: EvidenceReport | undefined, locale: PageProps['locale']) {
  const messages = verifyMessages(locale)
  const holds = (name: CheckName) => report?.checks.find((check) => check.name === name)?.holds
  // A PDF without evidence stops before the evidence.
  if (!report || holds('signature') === undefined) return { title: messages.titles.other, lead: messages.otherLead }
  const broken = ORDER.find((name) => holds(name) === false)
  if (broken === undefined) {
    const count = report.partyCount ?? 0
    const title = holds('seal') === undefined ? messages.wholeEvidence(count) : messages.whole(count)
    return { title, lead: messages.wholeLead }
  }
  const isForeign = broken === 'certificate' || broken === 'key'
  return { title: messages.titles[broken], lead: isForeign ? messages.foreignLead : messages.brokenLead }
}

/** Without evidence nothing was signed that a check could leave open. */
function notChecked(report: EvidenceReport | undefined, locale: PageProps['locale']): string[] {
  const messages = verifyMessages(locale)
  const has = (name: CheckName) => report?.checks.some((check) => check.name === name)
  if (!has('signature')) return []
  return [
    ...(has('environment') ? [] : [messages.stopped]),
    ...(report?.open.some(({ name }) => name === 'compromised') ? [messages.compromised] : []),
    ...(has('environment') && !has('text') ? [messages.textAndNames] : []),
    ...messages.never,
  ]
}
