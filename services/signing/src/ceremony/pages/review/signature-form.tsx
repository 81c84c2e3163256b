// Page 6: consent and the typed name, on a sheet of its own below the contract. [ceremony 6 and 6e, D26, D41]
import { Button, HiddenFields, TextField, TickBox, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Disclosure } from '@paraph/web/sheet'
import { CONSENT } from '../../../signature/consent-text.js'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'
import { isolateNames } from '@paraph/web/names-in-words'

export interface SignatureFormProps {
  token: string
  /** Bound to the session. */
  formToken: string
  /** Stays the same until an attempt is refused; rendering does not create one. [D41] */
  signAttemptId: string
  /** SHA-256 of the shown text in lower-case hex, so that the person signs the text that was shown. */
  contentSha256: string
  party: { index: number; role: string; legalName: string }
  senderName: string
  typedName?: string | undefined
  hasConsented?: boolean | undefined
  errors?: { consent?: boolean; typedName?: boolean } | undefined
}

/** The errors in the order of the form, as the page's error summary takes them. */
export function signatureErrors(form: SignatureFormProps, locale: Locale): FieldError[] {
  const messages = ceremonyMessages(locale)
  return [
    ...(form.errors?.consent ? [{ field: 'consent', message: messages.consentMissing }] : []),
    ...(form.errors?.typedName
      ? [{ field: 'typedName', message: isolateNames(messages.nameWrong, toType(form.party.legalName)) }]
      : []),
  ]
}

/** The sheet below the contract: tick box, name, button, and what to do instead of signing. Posts to `/sign`. */
export function SignatureForm({ form, locale }: { form: SignatureFormProps; locale: Locale }) {
  const messages = ceremonyMessages(locale)
  const errorOf = (field: string) => signatureErrors(form, locale).find((error) => error.field === field)?.message
  return (
    <section class="sheet signature-sheet" id="signature" aria-labelledby="signature-title">
      <h2 id="signature-title">{messages.yourSignature}</h2>
      <p>{isolateNames(messages.signAs, partyName(form.party))}</p>
      <form method="post" action={links(form.token).sign} noValidate>
        <HiddenFields
          values={{
            formToken: form.formToken,
            partyIndex: form.party.index,
            contentSha256: form.contentSha256,
            signAttemptId: form.signAttemptId,
            language: locale,
          }}
        />
        <TickBox name="consent" label={CONSENT.text[locale]} error={errorOf('consent')} checked={form.hasConsented} />
        <TextField
          name="typedName"
          label={messages.nameLabel}
          hint={isolateNames(messages.nameHint, toType(form.party.legalName))}
          error={errorOf('typedName')}
          value={form.typedName}
          look="name"
          autocomplete="name"
        />
        <Button look="big">{messages.signContract}</Button>
      </form>
      <p class="after">{isolateNames(messages.disagree, form.senderName)}</p>
      <Disclosure summary={messages.nameIsWrong}>
        <p>{isolateNames(messages.nameIsWrongDetail, form.senderName)}</p>
      </Disclosure>
    </section>
  )
}

/** "Recipient, Jane Roe" in bold, for `setNames`. */
export const partyName = ({ role, legalName }: { role: string; legalName: string }) => ({
  text: legalName,
  markup: (
    <strong>
      <bdi>{role}</bdi>, <bdi>{legalName}</bdi>
    </strong>
  ),
})

/** A name that people copy: it wraps to the next line as a whole. */
const toType = (name: string) => ({ text: name, markup: <bdi class="unbroken">{name}</bdi> })
