// Pages 5, 6 and 6e: who signs, the whole text, its end line and hash, then the signature. [ceremony 5 and 6]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { LANGUAGE_TAG } from '@paraph/web/locale'
import { Note } from '@paraph/web/sheet'
import { SignatureLines, type PartyLine } from '@paraph/web/signature-line'
import type { ReadableText } from '../contract-text/read-text.js'
import { CeremonyFrame, Instant, type PageProps } from './ceremony-frame.js'
import type { ContractFactsProps } from './contract-facts.js'
import { ContentsList } from './contents-list.js'
import { ContractTextView, HiddenLabel } from './contract-text-view.js'
import { words } from './dictionary.js'
import { LeaveForm } from './leave-form.js'
import { links } from './links.js'
import { setNames } from '@paraph/web/names-in-words'
import { partyLineWords } from './party-line-words.js'
import { partyName, SignatureForm, signatureErrors, type SignatureFormProps } from './signature-form.js'

export interface ReviewPageProps extends PageProps {
  facts: ContractFactsProps
  /** All parties in the order of the contract; `isYou` on the one being signed for. */
  parties: readonly PartyLine[]
  /** The text as stored, read for showing. */
  text: ReadableText
  /** True when this mailbox has several roles: adds the way back to the choice. */
  hasOtherRoles?: boolean | undefined
  form: SignatureFormProps
}

/** 200, or 422 with errors. Nothing sticks over the text and nothing counts down. */
export function ReviewPage({ facts, parties, text, hasOtherRoles, form, ...page }: ReviewPageProps) {
  const say = words(page.locale)
  const to = links(form.token)
  const type = contractTypeNames(page.locale)[facts.contractType]
  const number = (value: number) => value.toLocaleString(LANGUAGE_TAG[page.locale])
  const { counts, hidden } = text
  const signed = parties.filter((party) => party.hasSigned).length
  return (
    <CeremonyFrame
      page={{ ...page, path: to.review(hasOtherRoles ? form.party.index : undefined) }}
      title={say.reviewTitle}
      width="reading"
      step={1}
      errors={signatureErrors(form, page.locale)}
    >
      <h1>{say.reviewTitle}</h1>
      <p class="lead">
        {setNames((sender) => say.reviewLead(type, sender), facts.senderName)}{' '}
        {setNames(say.signingAs, partyName(form.party))}
      </p>
      <p class="reference">
        <span>
          {say.contractNumber} <strong class="unbroken">{facts.contractNumber}</strong>
        </span>
        <span>
          {say.signBy}{' '}
          <strong>
            <Instant at={facts.expiresAt} locale={page.locale} timeZone={facts.timeZone} />
          </strong>
        </span>
        {hasOtherRoles && <a href={to.review()}>{say.otherRole}</a>}
      </p>
      <section class="reading-parties" aria-labelledby="parties">
        <p class="reading-parties-title">
          <strong id="parties" role="heading" aria-level={2}>
            {say.parties}
          </strong>{' '}
          <span>{say.progress(signed, parties.length)}</span>
        </p>
        <SignatureLines parties={parties} words={partyLineWords(page.locale)} />
      </section>
      {hidden.count > 0 && (
        <Note kind="danger">
          <p>
            <strong>{say.hiddenTitle(hidden.count)}</strong>
          </p>
          <p>
            {setNames(
              say.hiddenDetail,
              { text: hidden.example, markup: <HiddenLabel label={hidden.example} /> },
              facts.senderName,
            )}
          </p>
        </Note>
      )}
      <div class="reading-columns">
        <nav class="reading-rail" aria-label={say.onThisPage}>
          <a href="#signature">{say.goToSignature}</a>
          <a href={to.text} download={`${facts.contractNumber}.txt`}>
            {say.downloadText}
          </a>
          <ContentsList text={text} locale={page.locale} />
        </nav>
        <div class="reading-paper">
          <article class="sheet contract" aria-labelledby="contract-title">
            <header>
              <h2 id="contract-title">{say.wordForWord}</h2>
              <span>{facts.contractNumber}</span>
            </header>
            <ContractTextView text={text} locale={page.locale} />
            <footer>
              <p>{say.endOfContract(number(counts.lines), number(counts.words), number(counts.bytes))}</p>
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

/** A hash in groups of eight, so that two can be compared by eye. */
function inEights(hash: string): string {
  return hash.match(/.{1,8}/g)?.join(' ') ?? ''
}
