// From a proven mailbox to a signature: read, consent, sign, what stands. [ceremony 4 to 9, D26, D33, D41]
import type { Context } from 'koa'
import { readForm, type FormFields } from '@paraph/web/form-body'
import { isLocale } from '@paraph/web/locale'
import type { PartyLine } from '@paraph/web/signature-line'
import type { Ceremony, Request, Step } from './ceremony.js'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import { readText } from './contract-text/read-text.js'
import { ChangedPage, type ChangedPageProps } from './pages/changed-page.js'
import { CONSENT } from './pages/consent-text.js'
import { CookiesPage } from './pages/cookies-page.js'
import { DonePage } from './pages/done-page.js'
import { links } from './pages/links.js'
import { OnHoldPage } from './pages/on-hold-page.js'
import { ReviewPage } from './pages/review-page.js'
import { SignAsPage } from './pages/sign-as-page.js'
import type { SignatureFormProps } from './pages/signature-form.js'
import { TroublePage, type SignatureKnowledge } from './pages/trouble-page.js'
import { addCookie, seeOther, sendPage, shownFacts, visitorOf } from './page-request.js'
import { endSession, type SigningSession } from './signing-session.js'
import { isNameOf } from './typed-name.js'

type InSession = Request & { session: SigningSession }

/** The steps inside a session. */
export function createSigningSteps(ceremony: Ceremony) {
  const { database, contract, signing, formTokens, cookies, keptNames } = ceremony

  /** The text, and the form that signs it. */
  const review: Step = async (ctx, request) => {
    const { facts, token, page, session, onHold } = request
    if (!session) {
      if (ctx.query['check'] === 'cookie')
        return sendPage(ctx, 200, <CookiesPage {...page} host={ceremony.host} token={token} />)
      return seeOther(ctx, links(token).open)
    }
    // The cookie came back: the flag has done its work and leaves the address.
    if (ctx.query['check'] === 'cookie') return seeOther(ctx, links(token).review())
    const own = partiesOf(facts, session.mailbox)
    if (onHold && !own.some((index) => facts.parties[index]!.signedAt))
      return sendPage(ctx, 403, <OnHoldPage {...page} />)
    if (onHold) return seeOther(ctx, links(token).done())
    const asked = Number(ctx.query['party'] ?? (own.length === 1 ? own[0] : Number.NaN))
    if (!own.includes(asked)) {
      const roles = own.map((index) => ({
        index,
        ...facts.parties[index]!,
        signedAt: instantOrNull(facts.parties[index]!.signedAt),
      }))
      return sendPage(ctx, 200, <SignAsPage {...page} token={token} roles={roles} timeZone={facts.timeZone} />)
    }
    if (facts.parties[asked]!.signedAt) return seeOther(ctx, links(token).done(own.length > 1 ? asked : undefined))
    // A HEAD is a scanner's: it is shown nothing, so nothing was shown. [D31]
    if (ctx.method === 'HEAD') return void (ctx.status = 200)
    const kept = keptNames.read(ctx.get('cookie'), facts.contractId, new Date())
    const typedName = kept?.partyIndex === asked ? kept.typedName : undefined
    await showReview(ctx, { ...request, session }, asked, 200, { typedName })
  }

  async function showReview(
    ctx: Context,
    { facts, token, page, session }: InSession,
    partyIndex: number,
    status: number,
    typed: Pick<SignatureFormProps, 'typedName' | 'hasConsented' | 'errors'>,
  ): Promise<void> {
    const { content } = await contract.ceremony.readText.query({ contractId: facts.contractId })
    const signAttemptId = await signing.prepare(session, facts, partyIndex, page.locale)
    const party = facts.parties[partyIndex]!
    const form: SignatureFormProps = {
      ...typed,
      ...{ token, signAttemptId, contentSha256: facts.contentSha256, senderName: facts.senderName },
      formToken: formTokens.issueForSession(session.id),
      party: { index: partyIndex, role: party.role, legalName: party.legalName },
    }
    const hasOtherRoles = partiesOf(facts, session.mailbox).length > 1
    sendPage(
      ctx,
      status,
      <ReviewPage
        {...page}
        {...{ form, hasOtherRoles, text: readText(content ?? ''), facts: shownFacts(facts) }}
        parties={linesOf(facts, partyIndex)}
      />,
    )
  }

  /** "Sign the contract". */
  const sign: Step = async (ctx, request) => {
    const { facts, token, session, onHold } = request
    const fields = await readForm(ctx)
    if (!session) return endedMidWay(ctx, request, fields)
    // The language that the consent was read in, whatever another tab has chosen since. [D30]
    const shownIn = fields.get('language')
    const page = isLocale(shownIn) ? { ...request.page, locale: shownIn } : request.page
    if (!ceremony.isOwnForm(ctx) || !formTokens.verifyForSession(fields.get('formToken'), session.id)) {
      return changed(ctx, request, 403, 'form')
    }
    const partyIndex = Number(fields.get('partyIndex') ?? Number.NaN)
    const party = facts.parties[partyIndex]
    if (!party || !partiesOf(facts, session.mailbox).includes(partyIndex)) return seeOther(ctx, links(token).review())
    if (party.signedAt) return seeOther(ctx, doneOf(request, session, partyIndex))
    if (facts.status === 'cancelled' || facts.status === 'expired') return changed(ctx, request, 409, facts.status)
    const isOtherText = fields.get('contentSha256') !== facts.contentSha256
    if (onHold || isOtherText) {
      if (await signing.isOnItsWay(facts.contractId, partyIndex)) return trouble({ kind: 'unknown' })
      return changed(ctx, request, 409, onHold ? 'on_hold' : 'text')
    }

    const typedName = (fields.get('typedName') ?? '').trim()
    const hasConsented = fields.get('consent') === 'yes'
    const errors = { consent: !hasConsented, typedName: !isNameOf(typedName, party.legalName) }
    if (errors.consent || errors.typedName) {
      return showReview(ctx, { ...request, page, session }, partyIndex, 422, { typedName, hasConsented, errors })
    }
    const consent = { id: CONSENT.id, text: CONSENT.text[page.locale], language: page.locale }
    const attemptId = fields.get('signAttemptId') ?? ''
    const outcome = await signing.sign(session, facts, { partyIndex, attemptId, typedName, consent }, visitorOf(ctx))
    if (outcome.kind === 'accepted') {
      addCookie(ctx, keptNames.forget())
      return seeOther(ctx, doneOf(request, session, partyIndex))
    }
    if (outcome.kind === 'no_such_attempt') return seeOther(ctx, links(token).review(partyIndex))
    if (outcome.kind === 'unknown') return trouble({ kind: 'unknown' })
    if (outcome.kind === 'recorded_only')
      return trouble({ kind: 'recorded', at: outcome.signedAt, timeZone: facts.timeZone })
    switch (outcome.reason) {
      case 'already_signed':
      case 'signed':
        return seeOther(ctx, doneOf(request, session, partyIndex))
      case 'expired':
      case 'cancelled':
        return changed(ctx, request, 409, outcome.reason)
      case 'text_differs':
        return changed(ctx, request, 409, 'text')
      // The attempt was given up after an answer got lost: nothing was signed, and the review page has a new one.
      case 'given_up':
        return trouble({ kind: 'nothing_signed' })
      case 'unknown_party':
      case 'unknown_contract':
      case 'not_due':
        throw new Error(`the contract service refused a signature: ${outcome.reason}`)
    }

    function trouble(signature: SignatureKnowledge): void {
      const requestId = ctx.state['requestId'] as string
      ctx.set('Retry-After', '30')
      sendPage(ctx, 503, <TroublePage {...page} signature={signature} requestId={requestId} />)
    }
  }

  /** The session ended while somebody was reading: what they typed comes back after the new code, the box does not. [ceremony 14] */
  function endedMidWay(ctx: Context, { facts, token }: Request, fields: FormFields): void {
    const typedName = (fields.get('typedName') ?? '').trim()
    const partyIndex = Number(fields.get('partyIndex') ?? Number.NaN)
    const cookie = ceremony.isOwnForm(ctx)
      ? keptNames.keep(facts.contractId, { partyIndex, typedName }, new Date())
      : undefined
    if (cookie !== undefined) addCookie(ctx, cookie)
    seeOther(ctx, `${links(token).open}?notice=session-ended`)
  }

  /** Signed and waiting, or all signed. Survives a bookmark as long as the session. */
  const done: Step = async (ctx, { facts, token, page, session, onHold }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const own = partiesOf(facts, session.mailbox)
    const signed = own.filter((index) => facts.parties[index]!.signedAt)
    const asked = Number(ctx.query['party'] ?? signed[0] ?? Number.NaN)
    if (!signed.includes(asked)) return seeOther(ctx, links(token).review())
    const party = facts.parties[asked]!
    const next = onHold ? undefined : own.find((index) => !facts.parties[index]!.signedAt)
    sendPage(
      ctx,
      200,
      <DonePage
        {...page}
        {...{ token, facts: shownFacts(facts), contentSha256: facts.contentSha256, onHold }}
        formToken={formTokens.issueForSession(session.id)}
        parties={linesOf(facts, asked)}
        own={{
          role: party.role,
          typedName: (await readTypedName(facts.contractId, asked)) ?? party.legalName,
          signedAt: new Date(party.signedAt!),
          partyIndex: own.length > 1 ? asked : undefined,
        }}
        completedAt={instantOrNull(facts.completedAt)}
        contentBytes={facts.contentBytes}
        nextRole={next === undefined ? undefined : { index: next, role: facts.parties[next]!.role }}
      />,
    )
  }

  /** The exact bytes that are signed. */
  const text: Step = async (ctx, { facts, token, page, session, onHold }) => {
    if (!session) return seeOther(ctx, links(token).open)
    if (onHold && !partiesOf(facts, session.mailbox).some((index) => facts.parties[index]!.signedAt))
      return sendPage(ctx, 403, <OnHoldPage {...page} />)
    const { content } = await contract.ceremony.readText.query({ contractId: facts.contractId })
    ctx.set('Content-Disposition', `attachment; filename="${facts.contractNumber}.txt"`)
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = content ?? ''
  }

  /** "Finish and leave". */
  const leave: Step = async (ctx, { facts, token, session }) => {
    const fields = await readForm(ctx)
    if (session && ceremony.isOwnForm(ctx) && formTokens.verifyForSession(fields.get('formToken'), session.id)) {
      await endSession(database, session.id)
      addCookie(ctx, cookies.clear(facts.contractId))
    }
    seeOther(ctx, `${links(token).open}?left=1`)
  }

  async function readTypedName(contractId: string, partyIndex: number): Promise<string | null | undefined> {
    const row = await database
      .selectFrom('sign_attempt')
      .select('typed_name')
      .where('contract_id', '=', contractId)
      .where('party_index', '=', partyIndex)
      .where('state', '=', 'accepted')
      .executeTakeFirst()
    return row?.typed_name
  }

  function changed(
    ctx: Context,
    { facts, token, page }: Request,
    status: number,
    reason: ChangedPageProps['reason'],
  ): void {
    sendPage(ctx, status, <ChangedPage {...page} token={token} senderName={facts.senderName} reason={reason} />)
  }

  /** A form's own address has no page. */
  const backToReview: Step = async (ctx, { token }) => seeOther(ctx, links(token).review())

  return { review, sign, done, text, leave, backToReview }
}

const doneOf = ({ facts, token }: Request, session: SigningSession, partyIndex: number): string =>
  links(token).done(partiesOf(facts, session.mailbox).length > 1 ? partyIndex : undefined)

const linesOf = (facts: ContractFacts, you: number): PartyLine[] =>
  facts.parties.map(({ role, legalName, signedAt }, index) => ({
    role,
    legalName,
    hasSigned: signedAt !== null,
    isYou: index === you,
  }))

const instantOrNull = (instant: string | null): Date | null => (instant === null ? null : new Date(instant))
