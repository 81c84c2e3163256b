// Pages 7, 8 and 9: this party has signed; the others may or may not have. Survives a bookmark. [ceremony 7, 8, 9]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Disclosure, Note } from '@paraph/web/sheet'
import { SignatureLines, SignedSlip, type PartyLine } from '@paraph/web/signature-line'
import type { Copies } from '../seal-queue.js'
import { CeremonyFrame, type PageProps } from './ceremony-frame.js'
import { CheckSteps } from './check-steps.js'
import { CopyFiles } from './copy-files.js'
import type { ContractFactsProps } from './contract-facts.js'
import { words } from './dictionary.js'
import { LeaveForm } from './leave-form.js'
import { links } from './links.js'
import { setNames } from '@paraph/web/names-in-words'
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
        <CopyFiles {...{ copies, contentBytes, locale, token }} contractNumber={facts.contractNumber} />
        <p class="small soft">
          {say.linkCloses(formatInstant(facts.expiresAt, locale, { timeZone: facts.timeZone }))}
          {mailsCopies && !onHold && ` ${say.copiesMailed}`}
        </p>
      </section>
      <section class="prose">
        <h2>{say.howToCheck}</h2>
        <p class="soft">{say.howToCheckDetail}</p>
        <Disclosure summary={say.showCommands}>
          <CheckSteps {...{ contentSha256, copies, locale }} openings={to.openings} />
        </Disclosure>
        <LeaveForm form={{ token, formToken }} locale={locale} isDone />
      </section>
    </CeremonyFrame>
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
