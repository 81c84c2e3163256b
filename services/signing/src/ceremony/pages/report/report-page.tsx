// "Report this request": a reason and a message for the operator. Shows no names and signs nothing. [ceremony 22 and 23]
import { codeMessages } from '@paraph/codes/code-words'
import { Button, FormError, HiddenFields, Radios, TextArea, WHOLE_FORM, type FieldError } from '@paraph/web/fields'
import { Note, Sheet } from '@paraph/web/sheet'
import { CeremonyFrame, mailLink, OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { links } from '../frame/links.js'
import { isolateNames } from '@paraph/web/names-in-words'
import { reportMessages } from './messages.js'

export interface ReportPageProps extends PageProps {
  form: { token: string; formToken: string; reason?: string | undefined; message?: string | undefined }
  errors?: { reason?: 'missing' | 'too_old' | undefined; isMessageTooLong?: boolean } | undefined
  /** True if the daily limit of reports is reached. */
  isTooMany?: boolean | undefined
  operatorAddress?: string | undefined
}

/** Status 200; 422 with errors; 429 with `isTooMany`. */
export function ReportPage({ form, errors, isTooMany, operatorAddress, ...page }: ReportPageProps) {
  const messages = reportMessages(page.locale)
  const fieldErrors: FieldError[] = [
    ...(errors?.reason === 'missing' ? [{ field: 'reason', message: messages.reasonMissing }] : []),
    ...(errors?.isMessageTooLong ? [{ field: 'message', message: messages.messageTooLong }] : []),
    ...(errors?.reason === 'too_old' ? [{ field: WHOLE_FORM, message: codeMessages(page.locale).formTooOld }] : []),
  ]
  const errorOf = (field: string) => fieldErrors.find((error) => error.field === field)?.message
  return (
    <CeremonyFrame page={page} title={messages.title} errors={fieldErrors}>
      <h1>{messages.title}</h1>
      <p class="lead">{messages.lead}</p>
      {isTooMany && (
        <Note kind="information">
          <p>{messages.tooMany}</p>
        </Note>
      )}
      <Sheet
        parts={[
          <form method="post" action={links(form.token).report} noValidate>
            <HiddenFields values={{ formToken: form.formToken }} />
            <Radios
              name="reason"
              legend={messages.reasonLegend}
              error={errorOf('reason')}
              value={form.reason}
              choices={[
                { value: 'unknown_sender', label: messages.unknownSender },
                { value: 'impersonation', label: messages.impersonation },
                { value: 'asks_for_money', label: messages.asksForMoney },
                { value: 'other', label: messages.other },
              ]}
            />
            <TextArea
              name="message"
              label={messages.messageLabel}
              hint={messages.messageHint}
              error={errorOf('message')}
              value={form.message}
            />
            <FormError message={errorOf(WHOLE_FORM)} />
            <Button look="primary">{messages.send}</Button>
          </form>,
        ]}
      />
      <p class="after">
        {operatorAddress === undefined
          ? messages.after
          : isolateNames(messages.afterWithAddress, mailLink(operatorAddress))}
      </p>
    </CeremonyFrame>
  )
}

/** The confirmation after the form, status 200. */
export function ReportedPage({ token, ...page }: PageProps & { token: string }) {
  const messages = reportMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.sentTitle} lead={messages.sentLead}>
      <p>{messages.sentDetail}</p>
      <p>
        <a class="plain-link" href={links(token).open}>
          {messages.back}
        </a>
      </p>
    </OutcomeFrame>
  )
}
