// Pages 5, 6 and 6e: the parties, the whole text, its end line and hash, then the signature form. [ceremony 5 and 6]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { LANGUAGE_TAG } from '@paraph/web/locale'
import { Note } from '@paraph/web/sheet'
import { SignatureLines, type PartyLine } from '@paraph/web/signature-line'
import type { ReadableText } from '../../../contract-text/read-text.js'
import { CeremonyFrame, Instant, LeaveForm, type PageProps } from '../frame/ceremony-frame.js'
import type { ContractSummary } from './contract-rows.js'
import { ContentsList } from './contents-list.js'
import { ContractTextView, HiddenLabel } from './contract-text-view.js'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'
import { isolateNames } from '@paraph/web/names-in-words'
import { partyName, SignatureForm, signatureErrors, type SignatureFormProps } from './signature-form.js'

export interface ReviewPageProps extends PageProps {
  contract: ContractSummary
  /** All parties in the order of the contract; `isYou` on the one being signed for. */
  parties: readonly PartyLine[]
  text: ReadableText
  /** This mailbox has several roles: adds the link back to the choice. */
  hasOtherRoles?: boolean | undefined
  form: SignatureFormProps
}

/** 200, or 422 with errors. Nothing covers the text and no time runs out. */
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

/** A hash in groups of eight digits, so that people can compare two. */
function inEights(hash: string): string {
  return hash.match(/.{1,8}/g)?.join(' ') ?? ''
}
