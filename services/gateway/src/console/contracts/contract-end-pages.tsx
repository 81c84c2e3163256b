// The pages that cancel and erase a contract; the owner types the contract number to confirm. [D19, D43]
import type { Environment } from '@paraph/protocol/environment'
import { fieldsWith, TextArea, TextField, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import type { PageProps } from '../frame/page-props.js'
import { Question } from '../frame/forms.js'
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

/** Shows the consequences, the parties that have signed, and a field for the contract number. Status 200, or 422 with errors. */
export function CancelPage(props: QuestionProps) {
  const text = contractMessages(props.page.locale)
  const signed = props.contract.parties.filter(({ signedAt }) => signedAt !== null).map(({ legalName }) => legalName)
  const { question, field, number } = partsOf(props)
  return (
    <Question
      {...question}
      action={`${question.back.href}/cancel`}
      title={text.cancelTitle}
      button={text.cancelNow}
      lead={
        <>
          <p>{text.cancelLead}</p>
          {signed.length > 0 && (
            <p>
              <strong>{isolateNames(text.cancelSigned, signed.join(', '))}</strong>
            </p>
          )}
          <p>{text.cancelMail}</p>
        </>
      }
    >
      <TextArea {...field('reason')} label={text.reasonOptional} hint={text.reasonHint} rows={2} />
      {number}
    </Question>
  )
}

/** Shows the erased and the retained data, and a field for the contract number. Status 200, or 422 with errors. [D43] */
export function ErasePage(props: QuestionProps) {
  const text = contractMessages(props.page.locale)
  const { question, number } = partsOf(props)
  return (
    <Question
      {...question}
      action={`${question.back.href}/erase`}
      title={text.eraseTitle}
      button={text.eraseNow}
      lead={
        <>
          <p>{text.eraseLead}</p>
          <p>{text.eraseStays}</p>
          <p>{text.eraseUndo}</p>
        </>
      }
    >
      {number}
    </Question>
  )
}

/** The common parts of both pages: the props of `Question`, the fields, and the field for the contract number. */
function partsOf({ page, environment, contract, typed, errors = [] }: QuestionProps) {
  const text = contractMessages(page.locale)
  const field = fieldsWith(typed ?? { number: '', reason: '' }, errors)
  const back = { href: to.contract(environment, contract.id), text: contract.contractNumber }
  return {
    question: { page, errors, back, at: 'contracts', leave: text.keepIt } as const,
    field,
    number: (
      <TextField {...field('number')} label={text.typeNumber} hint={contract.contractNumber} autocomplete="off" />
    ),
  }
}
