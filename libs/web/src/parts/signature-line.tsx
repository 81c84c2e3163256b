// Signature lines: dotted for "not signed yet", with the flourish for "signed". Used for the parties and for the signed slip.
// The flourish is the platform's mark, the same for everyone; it never represents a person's handwriting.
import type { ComponentChild } from 'preact'
import { Flourish } from './mark.js'
import { Disclosure } from './sheet.js'

/** The data of a party that the other parties may see. [D29] */
export interface PartyLine {
  role: string
  legalName: string
  hasSigned: boolean
  isYou: boolean
}

export interface PartyLineMessages {
  signed: string
  notSigned: string
  /** Shown after the role of the person who reads the page. */
  you: string
  /** The summary of the disclosure with the other parties, while it is closed. */
  others: (count: number) => string
  /** The same while it is open. */
  hideOthers: string
}

/** With more parties, a reader on a phone would have to scroll far to the text. */
const SHOWN_MAX = 6

interface SignatureLinesProps {
  parties: readonly PartyLine[]
  messages: PartyLineMessages
}

/**
 * A line for each party: three columns, one on a phone. With more than six parties, only the reader's line; a disclosure has the others,
 * those who have not signed first.
 */
export function SignatureLines({ parties, messages }: SignatureLinesProps) {
  if (parties.length <= SHOWN_MAX) return <Lines parties={parties} messages={messages} />
  const others = parties.filter(({ isYou }) => !isYou)
  return (
    <>
      <Lines parties={parties.filter(({ isYou }) => isYou)} messages={messages} />
      <Disclosure summary={messages.others(others.length)} whenOpen={messages.hideOthers}>
        <Lines
          parties={others.toSorted((one, other) => Number(one.hasSigned) - Number(other.hasSigned))}
          messages={messages}
        />
      </Disclosure>
    </>
  )
}

function Lines({ parties, messages }: SignatureLinesProps) {
  return (
    <ul class="lines">
      {parties.map((party, index) => (
        <li key={index} class={party.hasSigned ? 'line line-signed' : 'line line-open'}>
          <span class="line-name">
            <bdi>{party.legalName}</bdi>
          </span>{' '}
          <span class="line-ink">{party.hasSigned && <Flourish />}</span>{' '}
          <span class="line-role">
            <bdi>{party.role}</bdi>
            {party.isYou && `, ${messages.you}`}
          </span>{' '}
          <span class="line-state">{party.hasSigned ? messages.signed : messages.notSigned}</span>
        </li>
      ))}
    </ul>
  )
}

/** The confirmation after signing: the typed name on a large flourish. */
export function SignedSlip(props: { name: string; role: string; signedAt: ComponentChild; contractNumber: string }) {
  return (
    <div class="sheet slip">
      <p class="slip-name">
        <bdi>{props.name}</bdi>
      </p>
      <Flourish />
      <p class="slip-role">
        <bdi>{props.role}</bdi>
      </p>
      <p class="slip-time">{props.signedAt}</p>
      <p class="slip-number">{props.contractNumber}</p>
    </div>
  )
}
