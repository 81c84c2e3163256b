// Pages 7, 8 and 9: this party has signed; other parties may not have signed yet. [ceremony 7, 8, 9]
import type { ComponentChild } from 'preact'
import { CHECK_COMMANDS } from '@paraph/web/check-commands'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { Disclosure, Note } from '@paraph/web/sheet'
import { SignatureLines, SignedSlip, type PartyLine } from '@paraph/web/signature-line'
import type { Copies } from '../../../sealing/queue.js'
import { CeremonyFrame, Commands, LeaveForm, type LeaveFormProps, type PageProps } from '../frame/ceremony-frame.js'
import { CHECK, links, publicKeyPath } from '../frame/links.js'
import { ceremonyMessages } from '../frame/messages.js'
import type { ContractSummary } from '../identify/identify-pages.js'
import { outcomeMessages } from '../outcome/messages.js'

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
  const { contract, completedAt, suspended, locale } = props
  const messages = ceremonyMessages(locale)
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
        <CopyFiles {...props} />
        <p class="small soft">
          {messages.linkCloses(formatInstant(contract.expiresAt, locale, { timeZone: contract.timeZone }))}
          {props.mailsCopies && !suspended && ` ${messages.copiesMailed}`}
        </p>
      </section>
      <section class="prose">
        <h2>{messages.howToCheck}</h2>
        <p class="soft">{messages.howToCheckDetail}</p>
        <Disclosure summary={messages.showCommands}>
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

/** The downloads: the text and, once ready, the sealed PDF and the evidence. */
function CopyFiles({ copies, contentBytes, contract, token, locale }: DonePageProps) {
  const messages = ceremonyMessages(locale)
  const to = links(token)
  const isReady = copies.state === 'ready'
  const sized = (text: string, bytes: number) => {
    const kilobytes = Math.max(1, Math.round(bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale])
    return (
      <>
        {text} <span class="unbroken">{messages.kilobytes(kilobytes)}</span>
      </>
    )
  }
  return (
    <>
      {isReady && (
        <FileRow name={messages.sealedPdf} detail={sized(messages.sealedPdfDetail, copies.pdfBytes)}>
          <LinkButton look="primary" href={to.copy} download={`${contract.contractNumber}.pdf`}>
            {messages.downloadPdf}
          </LinkButton>
        </FileRow>
      )}
      {!isReady && copies.state !== 'erased' && (
        // The page does not wait for the PDF.
        <FileRow
          name={messages.sealedPdf}
          detail={copies.state === 'troubled' ? messages.preparingTroubled : messages.preparing}
        >
          <LinkButton look="quiet" href={to.done()}>
            {messages.checkAgain}
          </LinkButton>
        </FileRow>
      )}
      <FileRow name="contract.txt" detail={sized(messages.textDetail, contentBytes)}>
        <LinkButton look="quiet" href={to.text} download="contract.txt">
          {messages.downloadShort}
        </LinkButton>
      </FileRow>
      {isReady && (
        <FileRow name="evidence.jws" detail={sized(messages.evidenceDetail, copies.jwsBytes)}>
          <LinkButton look="quiet" href={to.evidence} download="evidence.jws">
            {messages.downloadEvidence}
          </LinkButton>
        </FileRow>
      )}
    </>
  )
}

const FileRow = ({ name, detail, children }: { name: string; detail: ComponentChild; children: ComponentChild }) => (
  <div class="file">
    <div>
      <strong>{name}</strong>
      <p>{detail}</p>
    </div>
    {children}
  </div>
)

function CheckSteps({ contentSha256, copies, token, locale }: DonePageProps) {
  const messages = ceremonyMessages(locale)
  return (
    <ol class="check">
      <li>
        <p>{messages.checkText(`${contentSha256.slice(0, 8)} … ${contentSha256.slice(-8)}`)}</p>
        <Commands lines={CHECK_COMMANDS.slice(0, 1)} />
        <p class="mono hash">{contentSha256}</p>
      </li>
      {copies.state === 'ready' && (
        <>
          <li>
            <p>
              {messages.checkEvidence}{' '}
              <a href={publicKeyPath(copies.keyId)} download="paraph.pem">
                {messages.publicKey}
              </a>
            </p>
            <Commands lines={CHECK_COMMANDS.slice(1)} />
          </li>
          <li>
            <p>{messages.checkBoth}</p>
            <a class="plain-link" href={CHECK}>
              {messages.fullCheck}
            </a>
            <br />
            <a class="plain-link" href={links(token).disclosures} download="openings.txt">
              {messages.ownDisclosures}
            </a>
          </li>
        </>
      )}
    </ol>
  )
}
