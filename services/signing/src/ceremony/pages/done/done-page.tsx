// Pages 7, 8 and 9: this party has signed; other parties may not have signed yet. [ceremony 7, 8, 9]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { LocalTime, timeInWords } from '@paraph/web/local-time'
import { isolateNames } from '@paraph/web/names-in-words'
import { Disclosure, Note } from '@paraph/web/sheet'
import { SignatureLines, SignedSlip, type PartyLine } from '@paraph/web/signature-line'
import type { Copies } from '../../../sealing/queue.js'
import { CeremonyFrame, LeaveForm, type LeaveFormProps, type PageProps } from '../frame/ceremony-frame.js'
import { links, VERIFY } from '../frame/links.js'
import { ceremonyMessages } from '../frame/messages.js'
import type { ContractSummary } from '../identify/identify-pages.js'
import { outcomeMessages } from '../outcome/messages.js'
import { CheckSteps, OtherFiles, SignedPdf } from './copy-files.js'
import { doneMessages } from './messages.js'

export interface DonePageProps extends PageProps, LeaveFormProps {
  contract: ContractSummary
  parties: readonly PartyLine[]
  /** The visitor's own signature, with the name as typed. */
  own: { role: string; typedName: string; signedAt: Date; partyIndex?: number | undefined }
  /** When the last party signed; null until then. */
  completedAt: Date | null
  contentSha256: string
  contentBytes: number
  copies: Copies
  /** Whether every mailbox also gets the sealed PDF by mail. [D24] */
  mailsCopies: boolean
  /** Another role of this mailbox that has not signed yet. */
  nextRole?: { index: number; role: string } | undefined
  /** The account is suspended; the copy stays available. [D37] */
  suspended?: boolean | undefined
}

/** Status 200. Page 7 until everyone has signed, then page 8. */
export function DonePage(props: DonePageProps) {
  return props.completedAt === null ? <Waiting {...props} /> : <AllSigned {...props} completedAt={props.completedAt} />
}

function Waiting(props: DonePageProps) {
  const { contract, parties, own, nextRole, suspended, locale } = props
  const messages = doneMessages(locale)
  const to = links(props.token)
  const signed = parties.filter((party) => party.hasSigned).length
  return (
    <CeremonyFrame page={props} title={messages.signedTitle} step={3}>
      <h1>{messages.signedTitle}</h1>
      {suspended && <SuspendedNote locale={locale} meaning="suspendedLead" />}
      <SignedSlip
        name={own.typedName}
        role={own.role}
        signedAt={<LocalTime at={own.signedAt} locale={locale} timeZone={contract.timeZone} seconds />}
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
        <SignatureLines parties={parties} messages={ceremonyMessages(locale)} />
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
        <p>
          {isolateNames(
            messages.whatNextExpiry,
            timeInWords(contract.expiresAt, locale, { timeZone: contract.timeZone }),
          )}
        </p>
        <div class="actions">
          <LinkButton look={nextRole ? 'quiet' : 'primary'} href={to.signedText(own.partyIndex)}>
            {messages.viewSigned}
          </LinkButton>{' '}
          <LinkButton look="quiet" href={to.text} download={`${contract.contractNumber}.txt`}>
            {ceremonyMessages(locale).downloadText}
          </LinkButton>
        </div>
        <LeaveForm form={props} locale={locale} isDone />
      </section>
    </CeremonyFrame>
  )
}

function AllSigned(props: DonePageProps & { completedAt: Date }) {
  const { contract, completedAt, own, suspended, locale } = props
  const messages = doneMessages(locale)
  const type = contractTypeNames(locale)[contract.contractType]
  const completed = timeInWords(completedAt, locale, { seconds: true, timeZone: contract.timeZone })
  return (
    <CeremonyFrame page={props} title={messages.allSignedTitle} step={3}>
      <h1>{messages.allSignedTitle}</h1>
      {suspended && <SuspendedNote locale={locale} meaning="suspendedSigned" />}
      <p class="lead">
        {isolateNames(
          (number, time) => messages.allSignedLead(type, number, time),
          { text: contract.contractNumber, markup: <span class="unbroken">{contract.contractNumber}</span> },
          completed,
        )}
      </p>
      <div class="sheet slip">
        <SignatureLines parties={props.parties} messages={ceremonyMessages(locale)} />
      </div>
      <section>
        <h2>{messages.yourCopy}</h2>
        <SignedPdf {...props} />
        <p class="small soft">
          {isolateNames(messages.linkCloses, timeInWords(contract.expiresAt, locale, { timeZone: contract.timeZone }))}
          {props.mailsCopies && !suspended && ` ${messages.copiesMailed}`}
        </p>
        <p>
          <a class="plain-link" href={links(props.token).signedText(own.partyIndex)}>
            {messages.viewSigned}
          </a>
          {props.copies.state === 'ready' && (
            <>
              <br />
              <a class="plain-link" href={VERIFY}>
                {messages.checkDocument}
              </a>
            </>
          )}
        </p>
        <Disclosure summary={messages.otherFiles}>
          <OtherFiles {...props} />
          <h3>{messages.howToVerify}</h3>
          <CheckSteps {...props} />
        </Disclosure>
        <LeaveForm form={props} locale={locale} isDone />
      </section>
    </CeremonyFrame>
  )
}

/** Says that the contract is suspended. `meaning` selects the sentence for before or after everyone has signed. */
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
