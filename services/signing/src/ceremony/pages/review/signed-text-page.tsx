// The text after the signature, to read, print or download. Records nothing and signs nothing. [ceremony 7]
import { timeInWords } from '@paraph/web/local-time'
import { isolateNames } from '@paraph/web/names-in-words'
import type { PartyLine } from '@paraph/web/signature-line'
import type { ReadableText } from '@paraph/web/contract-text/read-text'
import { CeremonyFrame, type PageProps } from '../frame/ceremony-frame.js'
import { links } from '../frame/links.js'
import { ceremonyMessages } from '../frame/messages.js'
import type { ContractSummary } from '../identify/identify-pages.js'
import { ContractSheet, HiddenCharacters, partyName, ReadingParties } from './contract-sheet.js'
import { reviewMessages } from './messages.js'

export interface SignedTextPageProps extends PageProps {
  token: string
  contract: ContractSummary
  /** All parties in the order of the contract. */
  parties: readonly PartyLine[]
  text: ReadableText
  contentSha256: string
  /** The visitor's own signature; `partyIndex` for a mailbox with several roles. */
  own: { role: string; legalName: string; signedAt: Date; partyIndex?: number | undefined }
}

/** Status 200. */
export function SignedTextPage({ token, contract, parties, text, contentSha256, own, ...page }: SignedTextPageProps) {
  const { locale } = page
  const messages = reviewMessages(locale)
  const time = timeInWords(own.signedAt, locale, { seconds: true, timeZone: contract.timeZone })
  return (
    <CeremonyFrame page={page} title={messages.signedTextTitle} width="reading">
      <h1>{messages.signedTextTitle}</h1>
      <p class="lead">
        {isolateNames(messages.signedTextLead, partyName(own), time)} {messages.keepIt}
      </p>
      <p class="reference">
        <span>
          {ceremonyMessages(locale).contractNumber} <strong class="unbroken">{contract.contractNumber}</strong>
        </span>
      </p>
      <ReadingParties parties={parties} locale={locale} />
      <HiddenCharacters hidden={text.hidden} senderName={contract.senderName} locale={locale} />
      <ContractSheet
        {...{ locale, token, contract, text, contentSha256 }}
        firstLink={<a href={links(token).done(own.partyIndex)}>{messages.back}</a>}
      />
    </CeremonyFrame>
  )
}
