// Page 6: consent and the typed name, on a sheet of its own below the contract. [ceremony 6 and 6e, D26, D41]
import { Button, HiddenFields, TextField, TickBox, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Disclosure } from '@paraph/web/sheet'
import { CONSENT } from './consent-text.js'
import { words } from './dictionary.js'
import { links } from './links.js'
import { setNames } from '@paraph/web/names-in-words'

export interface SignatureFormProps {
  token: string
  /** Bound to the session. */
  formToken: string
  /** The same until an attempt was refused; not made at each render. [D41] */
  signAttemptId: string
  /** SHA-256 of the text shown, lower-case hex: what is signed is what was displayed. */
  contentSha256: string
  party: { index: number; role: string; legalName: string }
  senderName: string
  typedName?: string | undefined
  hasConsented?: boolean | undefined
  errors?: { consent?: boolean; typedName?: boolean } | undefined
}

/** The errors in the order of the form, for the summary. */
export function signatureErrors(form: SignatureFormProps, locale: Locale): FieldError[] {
  const say = words(locale)
  return [
    ...(form.errors?.consent ? [{ field: 'consent', message: say.consentMissing }] : []),
    ...(form.errors?.typedName
      ? [{ field: 'typedName', message: setNames(say.nameWrong, toType(form.party.legalName)) }]
      : []),
  ]
}

/** The sheet below the contract: box, name, button, and what to do instead of signing. Posts to `/sign`. */
export function SignatureForm({ form, locale }: { form: SignatureFormProps; locale: Locale }) {
  const say = words(locale)
  const errorOf = (field: string) => signatureErrors(form, locale).find((error) => error.field === field)?.message
  return (
    <section class="sheet signature-sheet" id="signature" aria-labelledby="signature-title">
      <h2 id="signature-title">{say.yourSignature}</h2>
      <p>{setNames(say.signAs, partyName(form.party))}</p>
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
          label={say.nameLabel}
          hint={setNames(say.nameHint, toType(form.party.legalName))}
          error={errorOf('typedName')}
          value={form.typedName}
          look="name"
          autocomplete="name"
        />
        <Button look="big">{say.signContract}</Button>
      </form>
      <p class="after">{setNames(say.disagree, form.senderName)}</p>
      <Disclosure summary={say.nameIsWrong}>
        <p>{setNames(say.nameIsWrongDetail, form.senderName)}</p>
      </Disclosure>
    </section>
  )
}

/** "Recipient, Jane Roe", as one strong phrase of a sentence. */
export const partyName = ({ role, legalName }: { role: string; legalName: string }) => ({
  text: legalName,
  markup: (
    <strong>
      <bdi>{role}</bdi>, <bdi>{legalName}</bdi>
    </strong>
  ),
})

/** A name to copy goes to the next line as a whole. */
const toType = (name: string) => ({ text: name, markup: <bdi class="unbroken">{name}</bdi> })
