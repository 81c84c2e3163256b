// A party says no: the form, and the page afterwards. [D57]
import { Button, HiddenFields, LinkButton, Radios, TextArea, type FieldError } from '@paraph/web/fields'
import { timeInWords } from '@paraph/web/local-time'
import { isolateNames } from '@paraph/web/names-in-words'
import { Sheet } from '@paraph/web/sheet'
import { DECLINE_REASONS } from '../../../decline/decline.js'
import { CeremonyFrame, OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { links } from '../frame/links.js'
import { partyName } from '../review/contract-sheet.js'
import { declineMessages } from './messages.js'

export interface DeclinePageProps extends PageProps {
  form: {
    token: string
    formToken: string
    party: { index: number; role: string; legalName: string }
    senderName: string
    /** Whether the decline cancels the contract. */
    cancelsOnDecline: boolean
    reason?: string | undefined
    note?: string | undefined
  }
  errors?: { isReasonMissing?: boolean; isNoteTooLong?: boolean } | undefined
}

/** Status 200; 422 with errors. */
export function DeclinePage({ form, errors, ...page }: DeclinePageProps) {
  const messages = declineMessages(page.locale)
  const to = links(form.token)
  const fieldErrors: FieldError[] = [
    ...(errors?.isReasonMissing ? [{ field: 'reason', message: messages.reasonMissing }] : []),
    ...(errors?.isNoteTooLong ? [{ field: 'note', message: messages.noteTooLong }] : []),
  ]
  const errorOf = (field: string) => fieldErrors.find((error) => error.field === field)?.message
  return (
    <CeremonyFrame page={page} title={messages.title} errors={fieldErrors}>
      <h1>{messages.title}</h1>
      <p class="lead">
        {isolateNames(messages.lead, form.senderName)} {isolateNames(messages.decliningAs, partyName(form.party))}
      </p>
      <Sheet
        parts={[
          <form method="post" action={to.decline()} noValidate>
            <HiddenFields values={{ formToken: form.formToken, partyIndex: form.party.index }} />
            <Radios
              name="reason"
              legend={messages.reasonLegend}
              error={errorOf('reason')}
              value={form.reason}
              choices={DECLINE_REASONS.map((value) => ({ value, label: messages[value] }))}
            />
            <TextArea
              name="note"
              label={messages.noteLabel}
              hint={messages.noteHint}
              error={errorOf('note')}
              value={form.note}
            />
            <Button look="primary">{messages.send}</Button>
          </form>,
        ]}
      />
      <p class="after">
        {form.cancelsOnDecline ? messages.afterCancels : messages.after}{' '}
        <a href={to.review(form.party.index)}>{messages.back}</a>
      </p>
    </CeremonyFrame>
  )
}

interface DeclinedPageProps extends PageProps {
  token: string
  partyIndex: number
  senderName: string
  declinedAt: Date
  timeZone: string
}

/** The page of a party that has declined, status 200. */
export function DeclinedPage({ token, partyIndex, senderName, declinedAt, timeZone, ...page }: DeclinedPageProps) {
  const messages = declineMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.doneTitle} lead={isolateNames(messages.doneLead, senderName)}>
      <p>{isolateNames(messages.declinedOn, timeInWords(declinedAt, page.locale, { timeZone }))}</p>
      <div class="actions">
        <LinkButton look="quiet" href={links(token).review(partyIndex)}>
          {messages.signAfterAll}
        </LinkButton>
      </div>
    </OutcomeFrame>
  )
}
