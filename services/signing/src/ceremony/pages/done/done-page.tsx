// Pages 7, 8 and 9: this party has signed; others may still be missing. [ceremony 7, 8, 9]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Disclosure, Note } from '@paraph/web/sheet'
import { SignatureLines, SignedSlip, type PartyLine } from '@paraph/web/signature-line'
import type { Copies } from '../../../sealing/queue.js'
import { CeremonyFrame, LeaveForm, type PageProps } from '../frame/ceremony-frame.js'
import { CheckSteps, CopyFiles } from './copy-files.js'
import type { ContractSummary } from '../identify/open-page.js'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'
import { isolateNames } from '@paraph/web/names-in-words'
import { outcomeMessages } from '../outcome/messages.js'

export interface DonePageProps extends PageProps {
  token: string
  /** Bound to the session; for "Finish and leave". */
  formToken: string
  contract: ContractSummary
  parties: readonly PartyLine[]
  /** The reader's own signature: the name as typed, and its time. */
  own: { role: string; typedName: string; signedAt: Date; partyIndex?: number | undefined }
  /** When the last party signed; null until then. */
  completedAt: Date | null
  contentSha256: string
  contentBytes: number
  copies: Copies
  /** Whether every mailbox also gets the sealed PDF by mail. [D24] */
  mailsCopies: boolean
  /** Another role of this mailbox that is not signed yet. */
  nextRole?: { index: number; role: string } | undefined
  /** The account is suspended; the copy stays available. [D37] */
  suspended?: boolean | undefined
}

/** 200. Page 7 until everyone has signed, then page 8. */
export function DonePage(props: DonePageProps) {
  return props.completedAt === null ? <Waiting {...props} /> : <AllSigned {...props} completedAt={props.completedAt} />
}

function Waiting(props: DonePageProps) {
  const { contract, parties, own, nextRole, suspended, locale } = props
  const messages = ceremonyMessages(locale)
  const to = links(props.token)
  const signed = parties.filter((party) => party.hasSigned).length
  return (
    <CeremonyFrame page={props} title={messages.signedTitle} step={3}>
      <h1>{messages.signedTitle}</h1>
      {suspended && <SuspendedNote locale={locale} meaning="suspendedLead" />}
      <SignedSlip
        name={own.typedName}
        role={own.role}
        signedAtText={formatInstant(own.signedAt, locale, { seconds: true, timeZone: contract.timeZone })}
        contractNumber={contract.contractNumber}
      />
      {nextRole && (
        <p class="next-role">
          <LinkButton look="primary" href={to.review(nextRole.index)}>
            {isolateNames(messages.nextRole, nextRole.role)}
          </LinkButton>
        </p>
      )}
      <section>
        <h2>{messages.progressTitle(signed, parties.length)}</h2>
        <SignatureLines parties={parties} messages={messages} />
        <p class="check-again">
          <a class="plain-link" href={to.done(own.partyIndex)}>
            {messages.checkAgain}
          </a>
        </p>
      </section>
      <section class="prose">
        <h2>{messages.whatNext}</h2>
        {!suspended && (
          <p>
            {props.mailsCopies && `${messages.whatNextMail} `}
            {messages.whatNextWait}
          </p>
        )}
        <p>{messages.whatNextExpiry(formatInstant(contract.expiresAt, locale, { timeZone: contract.timeZone }))}</p>
        <p>{messages.whatNextText}</p>
        <div class="actions">
          <LinkButton look={nextRole ? 'quiet' : 'primary'} href={to.text} download={`${contract.contractNumber}.txt`}>
            {messages.downloadText}
          </LinkButton>
          <LeaveForm form={props} locale={locale} isDone />
        </div>
      </section>
    </CeremonyFrame>
  )
}

function AllSigned(props: DonePageProps & { completedAt: Date }) {
  const { token, contract, completedAt, contentSha256, copies, suspended, locale } = props
  const messages = ceremonyMessages(locale)
  const to = links(token)
  const type = contractTypeNames(locale)[contract.contractType]
  const completedText = formatInstant(completedAt, locale, { seconds: true, timeZone: contract.timeZone })
  return (
    <CeremonyFrame page={props} title={messages.allSignedTitle} step={3}>
      <h1>{messages.allSignedTitle}</h1>
      {suspended && <SuspendedNote locale={locale} meaning="suspendedSigned" />}
      <p class="lead">
        {isolateNames((number) => messages.allSignedLead(type, number, completedText), {
          text: contract.contractNumber,
          markup: <span class="unbroken">{contract.contractNumber}</span>,
        })}
      </p>
      <div class="sheet slip">
        <SignatureLines parties={props.parties} messages={messages} />
      </div>
      <section>
        <h2>{messages.yourCopies}</h2>
        <CopyFiles
          {...{ copies, locale, token }}
          contentBytes={props.contentBytes}
          contractNumber={contract.contractNumber}
        />
        <p class="small soft">
          {messages.linkCloses(formatInstant(contract.expiresAt, locale, { timeZone: contract.timeZone }))}
          {props.mailsCopies && !suspended && ` ${messages.copiesMailed}`}
        </p>
      </section>
      <section class="prose">
        <h2>{messages.howToCheck}</h2>
        <p class="soft">{messages.howToCheckDetail}</p>
        <Disclosure summary={messages.showCommands}>
          <CheckSteps {...{ contentSha256, copies, locale }} disclosures={to.disclosures} />
        </Disclosure>
        <LeaveForm form={props} locale={locale} isDone />
      </section>
    </CeremonyFrame>
  )
}

/** Says that the contract is suspended, and what that means before and after everyone has signed. */
function SuspendedNote({ locale, meaning }: { locale: Locale; meaning: 'suspendedLead' | 'suspendedSigned' }) {
  const messages = outcomeMessages(locale)
  return (
    <Note kind="information">
      <p>
        {messages.suspendedTitle}. {messages[meaning]}
      </p>
    </Note>
  )
}
