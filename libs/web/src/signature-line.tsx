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
  /** "Recipient, you" */
  you: (role: string) => string
  /** The disclosure that holds the others who have signed. */
  others: (count: number) => string
}

/** Parties shown one by one; beyond it come you and those who have not signed, and the rest behind a disclosure. */
const SHOWN_MAX = 6

/** The parties on their lines, three across, on a phone one under the other. */
export function SignatureLines({ parties, words }: { parties: readonly PartyLine[]; words: PartyLineWords }) {
  if (parties.length <= SHOWN_MAX) return <Lines parties={parties} words={words} />
  const shown = [
    ...parties.filter((party) => party.isYou),
    ...parties.filter((party) => !party.isYou && !party.hasSigned),
  ]
  const rest = parties.filter((party) => !party.isYou && party.hasSigned)
  return (
    <>
      <Lines parties={shown} words={words} />
      {rest.length > 0 && (
        <Disclosure summary={words.others(rest.length)}>
          <Lines parties={rest} words={words} />
        </Disclosure>
      )}
    </>
  )
}

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
            <bdi>{party.isYou ? words.you(party.role) : party.role}</bdi>
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
