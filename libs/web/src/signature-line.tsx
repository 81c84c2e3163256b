// A dotted line means "not signed yet", ink on the line means "signed". Owns that device for parties and the signed slip.
// The flourish is the platform's mark, the same for everyone; it never stands for a person's handwriting.
import { Flourish } from './mark.js'
import { Disclosure } from './sheet.js'

/** What one party may know of another: role, legal name, signed or not. [D29] */
export interface PartyLine {
  role: string
  legalName: string
  hasSigned: boolean
  isYou: boolean
}

export interface PartyLineWords {
  signed: string
  notSigned: string
  /** Behind the role of the person who looks: "you". */
  you: string
  /** The disclosure that holds the others. */
  others: (count: number) => string
}

/** Parties shown at once. More would stand between a reader on a phone and the text. */
const SHOWN_MAX = 6

/** The parties on their lines, three across, on a phone one under the other. Of many: you, then those who have not signed; the rest behind a disclosure. */
export function SignatureLines({ parties, words }: { parties: readonly PartyLine[]; words: PartyLineWords }) {
  if (parties.length <= SHOWN_MAX) return <Lines parties={parties} words={words} />
  const inOrder = parties.toSorted((one, other) => rank(one) - rank(other))
  return (
    <>
      <Lines parties={inOrder.slice(0, SHOWN_MAX)} words={words} />
      <Disclosure summary={words.others(parties.length - SHOWN_MAX)}>
        <Lines parties={inOrder.slice(SHOWN_MAX)} words={words} />
      </Disclosure>
    </>
  )
}

const rank = ({ isYou, hasSigned }: PartyLine): number => (isYou ? 0 : hasSigned ? 2 : 1)

function Lines({ parties, words }: { parties: readonly PartyLine[]; words: PartyLineWords }) {
  return (
    <ul class="lines">
      {parties.map((party, index) => (
        <li key={index} class={party.hasSigned ? 'line line-signed' : 'line line-open'}>
          <span class="line-name">
            <bdi>{party.legalName}</bdi>
          </span>
          <span class="line-ink">{party.hasSigned && <Flourish />}</span>
          <span class="line-role">
            <bdi>{party.role}</bdi>
            {party.isYou && `, ${words.you}`}
          </span>
          <span class="line-state">{party.hasSigned ? words.signed : words.notSigned}</span>
        </li>
      ))}
    </ul>
  )
}

/** The moment after signing: the name as it was typed, on the large flourish. */
export function SignedSlip(props: { name: string; role: string; signedAtText: string; contractNumber: string }) {
  return (
    <div class="sheet slip">
      <p class="slip-name">
        <bdi>{props.name}</bdi>
      </p>
      <Flourish />
      <p class="slip-role">
        <bdi>{props.role}</bdi>
      </p>
      <p class="slip-time">{props.signedAtText}</p>
      <p class="slip-number">{props.contractNumber}</p>
    </div>
  )
}
