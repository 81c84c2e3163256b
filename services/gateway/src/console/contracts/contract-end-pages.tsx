// The pages that cancel and erase a contract; the owner types the contract number to confirm. [D19, D43]
import type { ComponentChildren } from 'preact'
import type { Environment } from '@paraph/protocol/environment'
import { fieldsWith, TextArea, TextField, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { ConsoleForm, ConsoleFrame, type PageProps } from '../frame/console-frame.js'
import type { ContractDetail } from './contract-rows.js'
import { contractMessages } from './messages.js'
import { to } from '../frame/links.js'
import { Back, FormActions } from '../frame/parts.js'

interface QuestionProps {
  page: PageProps
  environment: Environment
  contract: ContractDetail
  /** The typed values, shown again with errors. */
  typed?: { number: string; reason: string }
  errors?: readonly FieldError[]
}

const NOTHING_TYPED = { number: '', reason: '' }

/** The consequences, who has signed already, and the number to type. Status 200, or 422 with errors. */
export function CancelPage(props: QuestionProps) {
  const text = contractMessages(props.page.locale)
  const signed = props.contract.parties.filter(({ signedAt }) => signedAt !== null).map(({ legalName }) => legalName)
  const field = fieldsWith(props.typed ?? NOTHING_TYPED, props.errors)
  return (
    <Question
      {...props}
      act="cancel"
      title={text.cancelTitle}
      button={text.cancelNow}
      reason={<TextArea {...field('reason')} label={text.reasonOptional} hint={text.reasonHint} rows={2} />}
    >
      <p>{text.cancelLead}</p>
      {signed.length > 0 && (
        <p>
          <strong>{isolateNames(text.cancelSigned, signed.join(', '))}</strong>
        </p>
      )}
      <p>{text.cancelMail}</p>
    </Question>
  )
}

/** What is erased and what is retained, and the number to type. Status 200, or 422 with errors. [D43] */
export function ErasePage(props: QuestionProps) {
  const text = contractMessages(props.page.locale)
  return (
    <Question {...props} act="erase" title={text.eraseTitle} button={text.eraseNow}>
      <p>{text.eraseLead}</p>
    </Question>
  )
}

function Question(
  props: QuestionProps & {
    act: 'cancel' | 'erase'
    title: string
    button: string
    /** The field for the reason of the act. */
    reason?: ComponentChildren
    children: ComponentChildren
  },
) {
  const { page, environment, contract, typed = NOTHING_TYPED, errors = [], act, title, button } = props
  const text = contractMessages(page.locale)
  const at = to.contract(environment, contract.id)
  const number = fieldsWith(typed, errors)('number')
  return (
    <ConsoleFrame page={page} title={title} at="contracts" width="form" errors={errors}>
      <Back href={at}>{contract.contractNumber}</Back>
      <h1>{title}</h1>
      {props.children}
      <ConsoleForm page={page} action={`${at}/${act}`}>
        {props.reason}
        <TextField {...number} label={text.typeNumber} hint={contract.contractNumber} autocomplete="off" />
        <FormActions look="danger" text={button} leave={{ href: at, text: text.keepIt }} />
      </ConsoleForm>
    </ConsoleFrame>
  )
}
