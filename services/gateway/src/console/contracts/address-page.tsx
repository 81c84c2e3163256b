// The page that corrects the email address of a party. Status 200, or 422 with errors. [D61]
import { READDRESSES_MAX } from '@paraph/protocol/contract'
import { elementAt } from '@paraph/protocol/element-at'
import type { Environment } from '@paraph/protocol/environment'
import { fieldsWith, TextField, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { Question } from '../frame/forms.js'
import { to } from '../frame/links.js'
import { Mailbox } from '../frame/parts.js'
import type { PageProps } from '../frame/page-props.js'
import type { ContractDetail } from './contract-rows.js'
import { contractMessages } from './messages.js'

interface AddressPageProps {
  page: PageProps
  environment: Environment
  contract: ContractDetail
  /** The index of the party. */
  party: number
  typed?: string
  errors?: readonly FieldError[]
}

export function AddressPage({ page, environment, contract, party, typed = '', errors = [] }: AddressPageProps) {
  const text = contractMessages(page.locale)
  const { legalName, email, addressNumber } = elementAt(contract.parties, party)
  const field = fieldsWith({ email: typed }, errors)
  return (
    <Question
      page={page}
      errors={errors}
      at="contracts"
      back={{ href: to.contract(environment, contract.id), text: contract.contractNumber }}
      action={to.address(environment, contract.id, party)}
      hidden={{ addressNumber }}
      title={text.correctTitle(legalName)}
      heading={isolateNames(text.correctTitle, legalName)}
      look="primary"
      button={text.correctNow}
      leave={text.keepIt}
      lead={
        <>
          <p>{isolateNames(text.currentAddress, { text: email, markup: <Mailbox address={email} /> })}</p>
          <p>{text.correctLead}</p>
          <p>{text.correctOnly(READDRESSES_MAX - addressNumber)}</p>
        </>
      }
    >
      <TextField {...field('email')} type="email" label={text.newAddress} autocomplete="off" />
    </Question>
  )
}
