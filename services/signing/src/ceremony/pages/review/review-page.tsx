// Pages 5, 6 and 6e: the parties, the contract, and the signature form. [ceremony 5 and 6]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import type { Locale } from '@paraph/web/locale'
import { Disclosure } from '@paraph/web/sheet'
import type { PartyLine } from '@paraph/web/signature-line'
import type { ReadableText } from '@paraph/web/contract-text/read-text'
import { CeremonyFrame, LeaveForm, type PageProps } from '../frame/ceremony-frame.js'
import type { ContractSummary } from '../identify/identify-pages.js'
import { ContractSheet, HiddenCharacters, partyName, ReadingParties } from './contract-sheet.js'
import { declineMessages } from '../decline/messages.js'
import { reviewMessages } from './messages.js'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'
import { LocalTime } from '@paraph/web/local-time'
import { isolateNames } from '@paraph/web/names-in-words'
import { Button, type FieldError, HiddenFields, TextField, TickBox } from '@paraph/web/fields'
import { CONSENT } from '../../../signature/consent-text.js'

export interface ReviewPageProps extends PageProps {
  contract: ContractSummary
  /** All parties in the order of the contract; `isYou` marks the party for which the visitor signs. */
  parties: readonly PartyLine[]
  text: ReadableText
  /** True if this mailbox has several roles: adds a link to the choice of a role. */
  hasOtherRoles?: boolean | undefined
  form: SignatureFormProps
}

/** Words that people read in a minute. */
const WORDS_A_MINUTE = 230

/** Status 200, or 422 with errors. No element covers the text, and the page sets no time limit. */
export function ReviewPage({ contract, parties, text, hasOtherRoles, form, ...page }: ReviewPageProps) {
  const { locale } = page
  const { contractNumber, signBy } = ceremonyMessages(locale)
  const messages = reviewMessages(locale)
  const to = links(form.token)
  const { words } = text.counts
  return (
    <CeremonyFrame
      page={{ ...page, path: to.review(hasOtherRoles ? form.party.index : undefined) }}
      title={messages.title}
      width="reading"
      step={1}
      errors={signatureErrors(form, locale)}
    >
      <h1>{messages.title}</h1>
      <p class="lead">
        {isolateNames(
          (sender) => messages.lead(contractTypeNames(locale)[contract.contractType], sender),
          contract.senderName,
        )}{' '}
        {isolateNames(messages.signingAs, partyName(form.party))}
      </p>
      <p class="reference">
        <span>{messages.readingTime(words, Math.max(1, Math.round(words / WORDS_A_MINUTE)))}</span>{' '}
        <span>
          {contractNumber} <strong class="unbroken">{contract.contractNumber}</strong>
        </span>{' '}
        <span>
          {signBy}{' '}
          <strong>
            <LocalTime at={contract.expiresAt} locale={locale} timeZone={contract.timeZone} />
          </strong>
        </span>{' '}
        {hasOtherRoles && <a href={to.review()}>{messages.otherRole}</a>}
      </p>
      <ReadingParties parties={parties} locale={locale} />
      <HiddenCharacters hidden={text.hidden} senderName={contract.senderName} locale={locale} />
      <ContractSheet
        {...{ locale, contract, text, token: form.token, contentSha256: form.contentSha256 }}
        firstLink={<a href="#signature">{messages.goToSignature}</a>}
      >
        <SignatureForm form={form} locale={locale} />
        <LeaveForm form={form} locale={locale} isDone={false} />
      </ContractSheet>
    </CeremonyFrame>
  )
}

export interface SignatureFormProps {
  token: string
  /** Bound to the session. */
  formToken: string
  /** Stays the same until the attempt is refused. Rendering the form creates no attempt. [D41] */
  signAttemptId: string
  /** SHA-256 of the shown text in lower-case hex, so that the person signs the text that was shown. */
  contentSha256: string
  party: { index: number; role: string; legalName: string }
  senderName: string
  typedName?: string | undefined
  hasConsented?: boolean | undefined
  errors?: { consent?: boolean; typedName?: boolean } | undefined
}

/** The errors in the order of the form, for the page's error summary. */
function signatureErrors(form: SignatureFormProps, locale: Locale): FieldError[] {
  const messages = reviewMessages(locale)
  return [
    ...(form.errors?.consent ? [{ field: 'consent', message: messages.consentMissing }] : []),
    ...(form.errors?.typedName
      ? [{ field: 'typedName', message: isolateNames(messages.nameWrong, toType(form.party.legalName)) }]
      : []),
  ]
}

/** The sheet below the contract: tick box, name, button, and what to do instead of signing. Posts to `/sign`. */
function SignatureForm({ form, locale }: { form: SignatureFormProps; locale: Locale }) {
  const messages = reviewMessages(locale)
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
      <p class="after">
        {isolateNames(messages.disagree, form.senderName)}{' '}
        <a href={links(form.token).decline(form.party.index)}>{declineMessages(locale).title}</a>
      </p>
      <Disclosure summary={messages.nameIsWrong}>
        <p>{isolateNames(messages.nameIsWrongDetail, form.senderName)}</p>
      </Disclosure>
    </section>
  )
}

/** A name for people to copy, which wraps to the next line as a whole. */
const toType = (name: string) => ({ text: name, markup: <bdi class="unbroken">{name}</bdi> })
