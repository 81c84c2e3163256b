// Pages 5, 6 and 6e: the parties, the whole text, the line that marks its end, its hash, and the signature form. [ceremony 5 and 6]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { Disclosure, Note } from '@paraph/web/sheet'
import { type PartyLine, SignatureLines } from '@paraph/web/signature-line'
import type { ReadableText } from '../../../contract-text/read-text.js'
import { CeremonyFrame, Instant, LeaveForm, type PageProps } from '../frame/ceremony-frame.js'
import type { ContractSummary } from '../identify/identify-pages.js'
import { ContentsList, ContractTextView, HiddenLabel } from './contract-text-view.js'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'
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

/** Status 200, or 422 with errors. No element covers the text, and the page sets no time limit. */
export function ReviewPage({ contract, parties, text, hasOtherRoles, form, ...page }: ReviewPageProps) {
  const messages = ceremonyMessages(page.locale)
  const to = links(form.token)
  const type = contractTypeNames(page.locale)[contract.contractType]
  const number = (value: number) => value.toLocaleString(LANGUAGE_TAG[page.locale])
  const { counts, hidden } = text
  const signed = parties.filter((party) => party.hasSigned).length
  return (
    <CeremonyFrame
      page={{ ...page, path: to.review(hasOtherRoles ? form.party.index : undefined) }}
      title={messages.reviewTitle}
      width="reading"
      step={1}
      errors={signatureErrors(form, page.locale)}
    >
      <h1>{messages.reviewTitle}</h1>
      <p class="lead">
        {isolateNames((sender) => messages.reviewLead(type, sender), contract.senderName)}{' '}
        {isolateNames(messages.signingAs, partyName(form.party))}
      </p>
      <p class="reference">
        <span>
          {messages.contractNumber} <strong class="unbroken">{contract.contractNumber}</strong>
        </span>
        <span>
          {messages.signBy}{' '}
          <strong>
            <Instant at={contract.expiresAt} locale={page.locale} timeZone={contract.timeZone} />
          </strong>
        </span>
        {hasOtherRoles && <a href={to.review()}>{messages.otherRole}</a>}
      </p>
      <section class="reading-parties" aria-labelledby="parties">
        <p class="reading-parties-title">
          <strong id="parties" role="heading" aria-level={2}>
            {messages.parties}
          </strong>{' '}
          <span>{messages.progress(signed, parties.length)}</span>
        </p>
        <SignatureLines parties={parties} messages={messages} />
      </section>
      {hidden.count > 0 && (
        <Note kind="danger">
          <p>
            <strong>{messages.hiddenTitle(hidden.count)}</strong>
          </p>
          <p>
            {isolateNames(
              messages.hiddenDetail,
              { text: hidden.example, markup: <HiddenLabel label={hidden.example} /> },
              contract.senderName,
            )}
          </p>
        </Note>
      )}
      <div class="reading-columns">
        <nav class="reading-rail" aria-label={messages.onThisPage}>
          <a href="#signature">{messages.goToSignature}</a>
          <a href={to.text} download={`${contract.contractNumber}.txt`}>
            {messages.downloadText}
          </a>
          <ContentsList text={text} locale={page.locale} />
        </nav>
        <div class="reading-paper">
          <article class="sheet contract" aria-labelledby="contract-title">
            <header>
              <h2 id="contract-title">{messages.wordForWord}</h2>
              <span>{contract.contractNumber}</span>
            </header>
            <ContractTextView text={text} locale={page.locale} />
            <footer>
              <p>{messages.endOfContract(number(counts.lines), number(counts.words), number(counts.bytes))}</p>
              <p class="mono">SHA-256 {inEights(form.contentSha256)}</p>
            </footer>
          </article>
          <SignatureForm form={form} locale={page.locale} />
          <LeaveForm form={form} locale={page.locale} isDone={false} />
        </div>
      </div>
    </CeremonyFrame>
  )
}

/** A hash in groups of eight digits, so that people can compare it with another. */
function inEights(hash: string): string {
  return hash.match(/.{1,8}/g)?.join(' ') ?? ''
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
  const messages = ceremonyMessages(locale)
  return [
    ...(form.errors?.consent ? [{ field: 'consent', message: messages.consentMissing }] : []),
    ...(form.errors?.typedName
      ? [{ field: 'typedName', message: isolateNames(messages.nameWrong, toType(form.party.legalName)) }]
      : []),
  ]
}

/** The sheet below the contract: tick box, name, button, and what to do instead of signing. Posts to `/sign`. */
function SignatureForm({ form, locale }: { form: SignatureFormProps; locale: Locale }) {
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

/** "Recipient, Jane Roe" in bold, for `isolateNames`. */
const partyName = ({ role, legalName }: { role: string; legalName: string }) => ({
  text: legalName,
  markup: (
    <strong>
      <bdi>{role}</bdi>, <bdi>{legalName}</bdi>
    </strong>
  ),
})

/** A name for people to copy, which wraps to the next line as a whole. */
const toType = (name: string) => ({ text: name, markup: <bdi class="unbroken">{name}</bdi> })
