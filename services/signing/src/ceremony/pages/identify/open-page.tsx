// Pages 1, 1e and 14: the link is opened, or the session has ended and the person confirms the address again. [ceremony 1]
import { Details, Note, Sheet } from '@paraph/web/sheet'
import { type AddressError, AddressForm as CodeAddressForm, errorsOfAddress } from '@paraph/codes/address-form'
import { CeremonyFrame, Instant, type PageProps } from '../frame/ceremony-frame.js'
import { ceremonyMessages } from '../frame/messages.js'
import { isolateNames } from '@paraph/web/names-in-words'
import type { Locale } from '@paraph/web/locale'
import { links } from '../frame/links.js'
import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'

export interface OpenPageProps extends PageProps {
  contract: ContractSummary
  form: AddressFormProps
  /** The session has ended; `typed_name_kept`: the typed name will return. */
  notice?: 'session_ended' | 'session_ended_typed_name_kept' | undefined
}

/** 200, or 422 with an error. */
export function OpenPage({ contract, form, notice, ...page }: OpenPageProps) {
  const messages = ceremonyMessages(page.locale)
  const title = messages.openTitle(contract.senderName)
  return (
    <CeremonyFrame page={page} title={title} step={0} errors={errorsOfAddress(form.error, page.locale)}>
      <h1>{isolateNames(messages.openTitle, contract.senderName)}</h1>
      {notice && (
        <Note kind="information">
          <p>
            {messages.confirmAgain} {notice === 'session_ended_typed_name_kept' && `${messages.typedKept} `}
            {messages.notSignedNow}
          </p>
        </Note>
      )}
      <Sheet
        parts={[
          <ContractRows contract={contract} locale={page.locale} />,
          <AddressForm form={form} locale={page.locale} />,
        ]}
      />
      <p class="after">{messages.openReassurance}</p>
    </CeremonyFrame>
  )
}

export interface AddressFormProps {
  token: string
  formToken: string
  /** The typed address, kept on a page with an error. */
  email?: string | undefined
  error?: AddressError | undefined
}

/** The address field and "Send me a code". Posts to `/code`. */
export function AddressForm({ form, locale }: { form: AddressFormProps; locale: Locale }) {
  const { emailLabel: label, emailHint: hint } = ceremonyMessages(locale)
  return (
    <CodeAddressForm
      {...{ locale, label, hint, email: form.email, error: form.error }}
      action={links(form.token).requestCode}
      hidden={{ formToken: form.formToken }}
    />
  )
}

/** The data of a contract that a link holder may see. No party and no text. [D29] */
export interface ContractSummary {
  senderName: string
  /** The approved account's name, always shown beside the sender's. [D36] */
  accountName: string
  contractType: ContractType
  contractNumber: string
  expiresAt: Date
  /** The account's IANA time zone, shown beside UTC. [D34] */
  timeZone?: string | undefined
}

/** The rows of page 1. */
export function ContractRows({ contract, locale }: { contract: ContractSummary; locale: Locale }) {
  const messages = ceremonyMessages(locale)
  return (
    <Details
      rows={[
        {
          label: messages.from,
          value: <bdi>{contract.senderName}</bdi>,
          detail: isolateNames(messages.approvedAccount, contract.accountName),
        },
        { label: messages.type, value: contractTypeNames(locale)[contract.contractType] },
        { label: messages.contractNumber, value: <span class="unbroken">{contract.contractNumber}</span> },
        {
          label: messages.signBy,
          value: <Instant at={contract.expiresAt} locale={locale} timeZone={contract.timeZone} />,
        },
      ]}
    />
  )
}
