// Pages 7, 8 and 9: this party has signed; the others may or may not have. Survives a bookmark. [ceremony 7, 8, 9]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { Disclosure, Note } from '@paraph/web/sheet'
import { SignatureLines, SignedSlip, type PartyLine } from '@paraph/web/signature-line'
import { CHECK_COMMANDS } from '../check-commands.js'
import type { Copies } from '../seal-queue.js'
import { CeremonyFrame, type PageProps } from './ceremony-frame.js'
import type { ContractFactsProps } from './contract-facts.js'
import { words } from './dictionary.js'
import { LeaveForm } from './leave-form.js'
import { CHECK, links, publicKeyPath } from './links.js'
import { setNames } from './names-in-words.js'
import { outcomeWords } from './outcome-dictionary.js'
import { partyLineWords } from './party-line-words.js'

export interface DonePageProps extends PageProps {
  token: string
  /** Bound to the session; for "Finish and leave". */
  formToken: string
  facts: ContractFactsProps
  parties: readonly PartyLine[]
  /** The signature of the person who looks: the name as typed, and their own time. */
  own: { role: string; typedName: string; signedAt: Date; partyIndex?: number | undefined }
  /** When the last party signed; null while somebody is missing. */
  completedAt: Date | null
  contentSha256: string
  contentBytes: number
  copies: Copies
  /** Whether every mailbox gets the sealed PDF besides. [D24] */
  mailsCopies: boolean
  /** Another role of this mailbox that is not signed yet. */
  nextRole?: { index: number; role: string } | undefined
  /** The account is suspended: says so; the copy stays. [D37] */
  onHold?: boolean | undefined
}

/** 200. Page 7 while somebody is missing, page 8 when everyone has signed. */
export function DonePage(props: DonePageProps) {
  return props.completedAt === null ? <Waiting {...props} /> : <AllSigned {...props} completedAt={props.completedAt} />
}

function Waiting({ token, formToken, facts, parties, own, nextRole, mailsCopies, onHold, ...page }: DonePageProps) {
  const say = words(page.locale)
  const to = links(token)
  const signed = parties.filter((party) => party.hasSigned).length
  return (
    <CeremonyFrame page={page} title={say.signedTitle} step={3}>
      <h1>{say.signedTitle}</h1>
      {onHold && <OnHoldNote locale={page.locale} meaning="onHoldLead" />}
      <SignedSlip
        name={own.typedName}
        role={own.role}
        signedAtText={formatInstant(own.signedAt, page.locale, { seconds: true, timeZone: facts.timeZone })}
        contractNumber={facts.contractNumber}
      />
      {nextRole && (
        <p class="next-role">
          <LinkButton look="primary" href={to.review(nextRole.index)}>
            {setNames(say.nextRole, nextRole.role)}
          </LinkButton>
        </p>
      )}
      <section>
        <h2>{say.progressTitle(signed, parties.length)}</h2>
        <SignatureLines parties={parties} words={partyLineWords(page.locale)} />
        <p class="check-again">
          <a class="plain-link" href={to.done(own.partyIndex)}>
            {say.checkAgain}
          </a>
        </p>
      </section>
      <section class="prose">
        <h2>{say.whatNext}</h2>
        {!onHold && (
          <p>
            {mailsCopies && `${say.whatNextMail} `}
            {say.whatNextWait}
          </p>
        )}
        <p>{say.whatNextExpiry(formatInstant(facts.expiresAt, page.locale, { timeZone: facts.timeZone }))}</p>
        <p>{say.whatNextText}</p>
        <div class="actions">
          <LinkButton look={nextRole ? 'quiet' : 'primary'} href={to.text} download={`${facts.contractNumber}.txt`}>
            {say.downloadText}
          </LinkButton>
          <LeaveForm form={{ token, formToken }} locale={page.locale} isDone />
        </div>
      </section>
    </CeremonyFrame>
  )
}

function AllSigned(props: DonePageProps & { completedAt: Date }) {
  const {
    token,
    formToken,
    facts,
    parties,
    completedAt,
    contentSha256,
    contentBytes,
    copies,
    mailsCopies,
    onHold,
    ...page
  } = props
  const { locale } = page
  const say = words(locale)
  const to = links(token)
  const type = contractTypeNames(locale)[facts.contractType]
  const completedText = formatInstant(completedAt, locale, { seconds: true, timeZone: facts.timeZone })
  return (
    <CeremonyFrame page={page} title={say.allSignedTitle} step={3}>
      <h1>{say.allSignedTitle}</h1>
      {onHold && <OnHoldNote locale={locale} meaning="onHoldSigned" />}
      <p class="lead">
        {setNames((number) => say.allSignedLead(type, number, completedText), {
          text: facts.contractNumber,
          markup: <span class="unbroken">{facts.contractNumber}</span>,
        })}
      </p>
      <div class="sheet slip">
        <SignatureLines parties={parties} words={partyLineWords(locale)} />
      </div>
      <section>
        <h2>{say.yourCopies}</h2>
        <SealedPdf {...{ copies, locale }} href={to.copy} again={to.done()} fileName={`${facts.contractNumber}.pdf`} />
        <FileRow
          name="contract.txt"
          detail={say.textDetail}
          bytes={contentBytes}
          button={{ label: say.downloadShort, href: to.text, fileName: 'contract.txt' }}
          locale={locale}
        />
        {copies.state === 'ready' && (
          <FileRow
            name="evidence.jws"
            detail={say.evidenceDetail}
            bytes={copies.jwsBytes}
            button={{ label: say.downloadEvidence, href: to.evidence, fileName: 'evidence.jws' }}
            locale={locale}
          />
        )}
        <p class="small soft">
          {say.linkCloses(formatInstant(facts.expiresAt, locale, { timeZone: facts.timeZone }))}
          {mailsCopies && !onHold && ` ${say.copiesMailed}`}
        </p>
      </section>
      <section class="prose">
        <h2>{say.howToCheck}</h2>
        <p class="soft">{say.howToCheckDetail}</p>
        <Disclosure summary={say.showCommands}>
          <Commands {...{ contentSha256, copies, locale }} openings={to.openings} />
        </Disclosure>
        <LeaveForm form={{ token, formToken }} locale={locale} isDone />
      </section>
    </CeremonyFrame>
  )
}

/** The file to keep, or where it stands: the page never waits for it. */
function SealedPdf({
  copies,
  href,
  again,
  fileName,
  locale,
}: {
  copies: Copies
  href: string
  again: string
  fileName: string
  locale: Locale
}) {
  const say = words(locale)
  if (copies.state === 'erased') return null
  if (copies.state === 'ready') {
    const button = { label: say.downloadPdf, href, fileName, isPrimary: true }
    return (
      <FileRow
        name={say.sealedPdf}
        detail={say.sealedPdfDetail}
        bytes={copies.pdfBytes}
        button={button}
        locale={locale}
      />
    )
  }
  return (
    <div class="file">
      <div>
        <strong>{say.sealedPdf}</strong>
        <p>{copies.state === 'troubled' ? say.preparingTroubled : say.preparing}</p>
      </div>
      <LinkButton look="quiet" href={again}>
        {say.checkAgain}
      </LinkButton>
    </div>
  )
}

function FileRow({
  name,
  detail,
  bytes,
  button: { label, href, fileName, isPrimary = false },
  locale,
}: {
  name: string
  detail: string
  bytes: number
  button: { label: string; href: string; fileName: string; isPrimary?: boolean }
  locale: Locale
}) {
  const kilobytes = Math.max(1, Math.round(bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale])
  return (
    <div class="file">
      <div>
        <strong>{name}</strong>
        <p>
          {detail} <span class="unbroken">{words(locale).kilobytes(kilobytes)}</span>
        </p>
      </div>
      <LinkButton look={isPrimary ? 'primary' : 'quiet'} href={href} download={fileName}>
        {label}
      </LinkButton>
    </div>
  )
}

/** The check in commands that were run: openssl, sha256sum and a shell alone. [docs/verifying-evidence.md] */
function Commands({
  contentSha256,
  copies,
  openings,
  locale,
}: {
  contentSha256: string
  copies: Copies
  openings: string
  locale: Locale
}) {
  const say = words(locale)
  const [fingerprint, ...signature] = CHECK_COMMANDS
  return (
    <ol class="check">
      <li>
        <p>{say.checkText(`${contentSha256.slice(0, 8)} … ${contentSha256.slice(-8)}`)}</p>
        <pre class="mono command" tabindex={0}>
          {fingerprint}
        </pre>
        <p class="mono hash">{contentSha256}</p>
      </li>
      {copies.state === 'ready' && (
        <>
          <li>
            <p>
              {say.checkEvidence}{' '}
              <a href={publicKeyPath(copies.keyId)} download="paraph.pem">
                {say.publicKey}
              </a>
            </p>
            <pre class="mono command" tabindex={0}>
              {signature.join('\n')}
            </pre>
          </li>
          <li>
            <p>{say.checkBoth}</p>
            <a class="plain-link" href={CHECK}>
              {say.fullCheck}
            </a>
            <br />
            <a class="plain-link" href={openings} download="openings.txt">
              {say.ownOpenings}
            </a>
          </li>
        </>
      )}
    </ol>
  )
}

/** On hold, and what that means: nothing can be signed now, or everything is signed and stays so. */
function OnHoldNote({ locale, meaning }: { locale: Locale; meaning: 'onHoldLead' | 'onHoldSigned' }) {
  const say = outcomeWords(locale)
  return (
    <Note kind="information">
      <p>
        {say.onHoldTitle}. {say[meaning]}
      </p>
    </Note>
  )
}
