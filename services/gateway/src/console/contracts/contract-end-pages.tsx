// Cancelling and erasing a contract, each on a page of its own, confirmed by the typed number. [D19, D43]
import type { Environment } from '@paraph/protocol/caller'
import { Button, TextArea, TextField, type FieldError } from '@paraph/web/fields'
import { setNames } from '@paraph/web/names-in-words'
import { ConsoleForm, ConsoleFrame, type PageProps } from './console-frame.js'
import type { ContractDetail } from './contract-facts.js'
import { contractWords } from './contract-words.js'
import { to } from './links.js'

interface QuestionProps {
  page: PageProps
  environment: Environment
  contract: ContractDetail
  /** What was typed, kept on a page with errors. */
  typed?: { number: string; reason: string }
  errors?: readonly FieldError[]
}

/** What happens, who has signed already, and the number to type. 200, or 422 with what is wrong. */
export function CancelPage({ page, environment, contract, typed, errors = [] }: QuestionProps) {
  const say = contractWords(page.locale)
  const signed = contract.parties.filter(({ signedAt }) => signedAt !== null).map(({ legalName }) => legalName)
  const at = to.contract(environment, contract.id)
  return (
    <ConsoleFrame page={page} title={say.cancelTitle} at="contracts" width="form" errors={errors}>
      <p class="back">
        <a href={at}>{contract.contractNumber}</a>
      </p>
      <h1>{say.cancelTitle}</h1>
      <p>{say.cancelLead}</p>
      {signed.length > 0 && (
        <p>
          <strong>{setNames(say.cancelSigned, signed.join(', '))}</strong>
        </p>
      )}
      <p>{say.cancelMail}</p>
      <ConsoleForm page={page} action={`${at}/cancel`}>
        <TextArea
          name="reason"
          label={say.reasonOptional}
          hint={say.reasonHint}
          error={errors.find(({ field }) => field === 'reason')?.message}
          value={typed?.reason}
          rows={2}
        />
        <TypedNumber {...{ page, contract, errors, typed: typed?.number }} />
        <div class="actions">
          <Button look="danger">{say.cancelNow}</Button>
          <a class="plain-link" href={at}>
            {say.keepIt}
          </a>
        </div>
      </ConsoleForm>
    </ConsoleFrame>
  )
}

/** What goes and what stays, and the number to type. 200, or 422 with what is wrong. [D43] */
export function ErasePage({ page, environment, contract, typed, errors = [] }: QuestionProps) {
  const say = contractWords(page.locale)
  const at = to.contract(environment, contract.id)
  return (
    <ConsoleFrame page={page} title={say.eraseTitle} at="contracts" width="form" errors={errors}>
      <p class="back">
        <a href={at}>{contract.contractNumber}</a>
      </p>
      <h1>{say.eraseTitle}</h1>
      <p>{say.eraseLead}</p>
      <ConsoleForm page={page} action={`${at}/erase`}>
        <TypedNumber {...{ page, contract, errors, typed: typed?.number }} />
        <div class="actions">
          <Button look="danger">{say.eraseNow}</Button>
          <a class="plain-link" href={at}>
            {say.keepIt}
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
  const say = contractWords(props.page.locale)
  return (
    <TextField
      name="number"
      label={say.typeNumber}
      hint={props.contract.contractNumber}
      error={props.errors.find(({ field }) => field === 'number')?.message}
      value={props.typed}
      autocomplete="off"
    />
  )
}
