// "Report this request": what is wrong, in the person's words, for the operator. [ceremony 22 and 23]
// Names nobody and signs nothing.
import { codeWords } from '@paraph/codes/code-words'
import { Button, FormError, HiddenFields, Radios, TextArea, WHOLE_FORM, type FieldError } from '@paraph/web/fields'
import { Note, Sheet } from '@paraph/web/sheet'
import { CeremonyFrame, OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { links } from './links.js'
import { mailLink } from './mail-link.js'
import { setNames } from '@paraph/web/names-in-words'
import { reportWords } from './report-dictionary.js'

export interface ReportPageProps extends PageProps {
  form: { token: string; formToken: string; reason?: string | undefined; message?: string | undefined }
  errors?: { reason?: 'missing' | 'too_old' | undefined; isMessageTooLong?: boolean } | undefined
  /** A day's reports are used up. */
  isTooMany?: boolean | undefined
  operatorAddress?: string | undefined
}

/** 200; 422 with errors; 429 when a day's reports are used up. */
export function ReportPage({ form, errors, isTooMany, operatorAddress, ...page }: ReportPageProps) {
  const say = reportWords(page.locale)
  const faults: FieldError[] = [
    ...(errors?.reason === 'missing' ? [{ field: 'reason', message: say.reasonMissing }] : []),
    ...(errors?.isMessageTooLong ? [{ field: 'message', message: say.messageTooLong }] : []),
    ...(errors?.reason === 'too_old' ? [{ field: WHOLE_FORM, message: codeWords(page.locale).formTooOld }] : []),
  ]
  const errorOf = (field: string) => faults.find((fault) => fault.field === field)?.message
  return (
    <CeremonyFrame page={page} title={say.title} errors={faults}>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      {isTooMany && (
        <Note kind="information">
          <p>{say.tooMany}</p>
        </Note>
      )}
      <Sheet
        parts={[
          <form method="post" action={links(form.token).report} noValidate>
            <HiddenFields values={{ formToken: form.formToken }} />
            <Radios
              name="reason"
              legend={say.reasonLegend}
              error={errorOf('reason')}
              value={form.reason}
              choices={[
                { value: 'unknown_sender', label: say.unknownSender },
                { value: 'impersonation', label: say.impersonation },
                { value: 'asks_for_money', label: say.asksForMoney },
                { value: 'other', label: say.other },
              ]}
            />
            <TextArea
              name="message"
              label={say.messageLabel}
              hint={say.messageHint}
              error={errorOf('message')}
              value={form.message}
            />
            <FormError message={errorOf(WHOLE_FORM)} />
            <Button look="primary">{say.send}</Button>
          </form>,
        ]}
      />
      <p class="after">
        {operatorAddress === undefined ? say.after : setNames(say.afterWithAddress, mailLink(operatorAddress))}
      </p>
    </CeremonyFrame>
  )
}

/** After the form. 200. */
export function ReportedPage({ token, ...page }: PageProps & { token: string }) {
  const say = reportWords(page.locale)
  return (
    <OutcomeFrame page={page} title={say.sentTitle} lead={say.sentLead}>
      <p>{say.sentDetail}</p>
      <p>
        <a class="plain-link" href={links(token).open}>
          {say.back}
        </a>
      </p>
    </OutcomeFrame>
  )
}
