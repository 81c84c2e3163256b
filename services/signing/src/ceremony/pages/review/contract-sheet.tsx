// The contract on its sheet: heading, the whole text, the line that marks its end, and its hash; beside it the links of the page.
import type { ComponentChildren } from 'preact'
import type { Locale } from '@paraph/web/locale'
import { Note } from '@paraph/web/sheet'
import { type PartyLine, SignatureLines } from '@paraph/web/signature-line'
import { isolateNames } from '@paraph/web/names-in-words'
import type { ReadableText } from '@paraph/web/contract-text/read-text'
import { links } from '../frame/links.js'
import { ceremonyMessages } from '../frame/messages.js'
import type { ContractSummary } from '../identify/identify-pages.js'
import { ContentsList, ContractTextView, HiddenLabel } from '@paraph/web/contract-text-view'
import { reviewMessages } from './messages.js'

interface ContractSheetProps {
  locale: Locale
  token: string
  contract: ContractSummary
  text: ReadableText
  /** SHA-256 of the text in lower-case hex. */
  contentSha256: string
  /** The first link beside the text. */
  firstLink?: ComponentChildren
  /** Follows the sheet. */
  children?: ComponentChildren
}

/** Two columns on a wide screen: the links of the page, and the sheet with what follows it. */
export function ContractSheet(props: ContractSheetProps) {
  const { locale, token, contract, text, contentSha256 } = props
  const messages = reviewMessages(locale)
  const { counts } = text
  return (
    <div class="reading-columns">
      <nav class="reading-rail" aria-label={messages.onThisPage}>
        {props.firstLink}{' '}
        <a href={links(token).text} download={`${contract.contractNumber}.txt`}>
          {ceremonyMessages(locale).downloadText}
        </a>{' '}
        <ContentsList text={text} locale={locale} />
      </nav>
      <div class="reading-paper">
        <article class="sheet contract" aria-labelledby="contract-title">
          <header>
            <h2 id="contract-title">{messages.wordForWord}</h2>
            <span>{contract.contractNumber}</span>
          </header>
          <ContractTextView text={text} locale={locale} />
          <footer>
            <p>{messages.endOfContract(counts.lines, counts.words, counts.bytes)}</p>
            <p class="mono">SHA-256 {inEights(contentSha256)}</p>
          </footer>
        </article>
        {props.children}
      </div>
    </div>
  )
}

/** A hash in groups of eight digits, so that people can compare it with another. */
function inEights(hash: string): string {
  return hash.match(/.{1,8}/g)?.join(' ') ?? ''
}

/** The parties above the text, and how many of them have signed. */
export function ReadingParties({ parties, locale }: { parties: readonly PartyLine[]; locale: Locale }) {
  const shared = ceremonyMessages(locale)
  const signed = parties.filter(({ hasSigned }) => hasSigned).length
  return (
    <section class="reading-parties" aria-labelledby="parties">
      <p class="reading-parties-title">
        <strong id="parties" role="heading" aria-level={2}>
          {reviewMessages(locale).parties}
        </strong>{' '}
        <span>{shared.progress(signed, parties.length)}</span>
      </p>
      <SignatureLines parties={parties} messages={shared} />
    </section>
  )
}

interface HiddenCharactersProps {
  hidden: ReadableText['hidden']
  senderName: string
  locale: Locale
}

/** A warning; renders nothing for a text without hidden characters. */
export function HiddenCharacters({ hidden, senderName, locale }: HiddenCharactersProps) {
  if (hidden.count === 0) return null
  const messages = reviewMessages(locale)
  const label = { text: hidden.example, markup: <HiddenLabel label={hidden.example} /> }
  return (
    <Note kind="danger">
      <p>
        <strong>{messages.hiddenTitle(hidden.count)}</strong>
      </p>
      <p>{isolateNames(messages.hiddenDetail, label, senderName)}</p>
    </Note>
  )
}

/** "Recipient, Jane Roe" in bold, for `isolateNames`. */
export const partyName = ({ role, legalName }: { role: string; legalName: string }) => ({
  text: legalName,
  markup: (
    <strong>
      <bdi>{role}</bdi>, <bdi>{legalName}</bdi>
    </strong>
  ),
})
