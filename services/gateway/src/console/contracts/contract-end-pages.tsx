// The pages that cancel and erase a contract; the owner types the contract number to confirm. [D19, D43]
import type { Environment } from '@paraph/protocol/environment'
import { Button, TextArea, TextField, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { ConsoleForm, ConsoleFrame, type PageProps } from '../frame/console-frame.js'
import type { ContractDetail } from './contract-rows.js'
import { contractMessages } from './messages.js'
import { to } from '../frame/links.js'

interface QuestionProps {
  page: PageProps
  environment: Environment
  contract: ContractDetail
  /** The typed values, shown again with errors. */
  typed?: { number: string; reason: string }
  errors?: readonly FieldError[]
}

/** The consequences, who has signed already, and the number to type. Status 200, or 422 with errors. */
export function CancelPage({ page, environment, contract, typed, errors = [] }: QuestionProps) {
  const text = contractMessages(page.locale)
  const signed = contract.parties.filter(({ signedAt }) => signedAt !== null).map(({ legalName }) => legalName)
  const at = to.contract(environment, contract.id)
  return (
    <ConsoleFrame page={page} title={text.cancelTitle} at="contracts" width="form" errors={errors}>
      <p class="back">
        <a href={at}>{contract.contractNumber}</a>
      </p>
      <h1>{text.cancelTitle}</h1>
      <p>{text.cancelLead}</p>
      {signed.length > 0 && (
        <p>
          <strong>{isolateNames(text.cancelSigned, signed.join(', '))}</strong>
        </p>
      )}
      <p>{text.cancelMail}</p>
      <ConsoleForm page={page} action={`${at}/cancel`}>
        <TextArea
          name="reason"
          label={text.reasonOptional}
          hint={text.reasonHint}
          error={errors.find(({ field }) => field === 'reason')?.message}
          value={typed?.reason}
          rows={2}
        />
        <TypedNumber {...{ page, contract, errors, typed: typed?.number }} />
        <div class="actions">
          <Button look="danger">{text.cancelNow}</Button>
          <a class="plain-link" href={at}>
            {text.keepIt}
          </a>
        </div>
      </ConsoleForm>
    </ConsoleFrame>
  )
}

/** What is erased and what is retained, and the number to type. Status 200, or 422 with errors. [D43] */
export function ErasePage({ page, environment, contract, typed, errors = [] }: QuestionProps) {
  const text = contractMessages(page.locale)
  const at = to.contract(environment, contract.id)
  return (
    <ConsoleFrame page={page} title={text.eraseTitle} at="contracts" width="form" errors={errors}>
      <p class="back">
        <a href={at}>{contract.contractNumber}</a>
      </p>
      <h1>{text.eraseTitle}</h1>
      <p>{text.eraseLead}</p>
      <ConsoleForm page={page} action={`${at}/erase`}>
        <TypedNumber {...{ page, contract, errors, typed: typed?.number }} />
        <div class="actions">
          <Button look="danger">{text.eraseNow}</Button>
          <a class="plain-link" href={at}>
            {text.keepIt}
          </a>
        </div>
      </ConsoleForm>
    </ConsoleFrame>
  )
}

function TypedNumber(props: {
  page: PageProps
  contract: ContractDetail
  errors: readonly FieldError[]
  typed: string | undefined
}) {
  const text = contractMessages(props.page.locale)
  return (
    <TextField
      name="number"
      label={text.typeNumber}
      hint={props.contract.contractNumber}
      error={props.errors.find(({ field }) => field === 'number')?.message}
      value={props.typed}
      autocomplete="off"
    />
  )
}
