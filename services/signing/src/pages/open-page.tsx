// Pages 1, 1e and 14: the link is opened, or a session has ended and the address must be confirmed again. [ceremony 1]
import { Note, Sheet } from '@paraph/web/sheet'
import { AddressForm, addressErrors, type AddressFormProps } from './address-form.js'
import { CeremonyFrame, type PageProps } from './ceremony-frame.js'
import { ContractFacts, type ContractFactsProps } from './contract-facts.js'
import { words } from './dictionary.js'
import { setNames } from '@paraph/web/names-in-words'

export interface OpenPageProps extends PageProps {
  facts: ContractFactsProps
  form: AddressFormProps
  /** The session ended mid-way; `typed_name_kept` only when the name will come back. */
  notice?: 'session_ended' | 'session_ended_typed_name_kept' | undefined
}

/** Facts above the perforation, the address below. 200, or 422 with an error. */
export function OpenPage({ facts, form, notice, ...page }: OpenPageProps) {
  const say = words(page.locale)
  const title = say.openTitle(facts.senderName)
  return (
    <CeremonyFrame page={page} title={title} step={0} errors={addressErrors(form, page.locale)}>
      <h1>{setNames(say.openTitle, facts.senderName)}</h1>
      {notice && (
        <Note kind="information">
          <p>
            {say.confirmAgain} {notice === 'session_ended_typed_name_kept' && `${say.typedKept} `}
            {say.notSignedNow}
          </p>
        </Note>
      )}
      <Sheet
        parts={[<ContractFacts facts={facts} locale={page.locale} />, <AddressForm form={form} locale={page.locale} />]}
      />
      <p class="after">{say.openReassurance}</p>
    </CeremonyFrame>
  )
}
