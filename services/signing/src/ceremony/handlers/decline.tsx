// The handlers of declining: the form, what it does, and the page afterwards. Only a party that has proven its mailbox can decline. [D57]
import { countCodePoints } from '@paraph/protocol/text-rules'
import { readForm, wholeNumberOf } from '@paraph/web/form-body'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { partiesOf, type MailboxParty } from '../../clients/contract.js'
import { DECLINE_NOTE_MAX, DECLINE_REASONS } from '../../decline/decline.js'
import { DeclinedPage, DeclinePage, type DeclinePageProps } from '../pages/decline/decline-page.js'
import { links } from '../pages/frame/links.js'
import {
  doneOf,
  refuseForm,
  sendChanged,
  visitorOf,
  type Ceremony,
  type Handler,
  type InSession,
} from '../page-request.js'

export function createDeclineHandlers(ceremony: Ceremony) {
  const { decline, formTokens } = ceremony

  const pageOf = (
    { view, token, page, session }: InSession,
    party: MailboxParty,
    more: Partial<DeclinePageProps> = {},
  ) => {
    const { index, role, legalName } = party
    const formToken = formTokens.issueForSession(session.id)
    const { senderName, cancelsOnDecline } = view
    const form = { token, formToken, party: { index, role, legalName }, senderName, cancelsOnDecline, ...more.form }
    return <DeclinePage {...page} errors={more.errors} form={form} />
  }

  /** The party that the request names, or the only one of the mailbox. */
  function partyOf({ view, session }: InSession, named: unknown): MailboxParty | undefined {
    const own = partiesOf(view, session.mailbox)
    const [only] = own.length === 1 ? own : []
    return only ?? own.find(({ index }) => index === wholeNumberOf(named))
  }

  const show: Handler = async (ctx, original) => {
    const { session, token, page, view, suspended } = original
    if (!session) return seeOther(ctx, links(token).open)
    const request: InSession = { ...original, session }
    const party = partyOf(request, ctx.query['party'])
    if (!party || suspended) return seeOther(ctx, links(token).review())
    if (party.signedAt !== null) return seeOther(ctx, doneOf(request, party.index))
    if (party.declinedAt === null) return sendPage(ctx, 200, pageOf(request, party))
    const { senderName, timeZone } = view
    const declined = { token, partyIndex: party.index, senderName, timeZone, declinedAt: new Date(party.declinedAt) }
    sendPage(ctx, 200, <DeclinedPage {...page} {...declined} />)
  }

  const send: Handler = async (ctx, original) => {
    const fields = await readForm(ctx)
    const { session, token, view, suspended } = original
    if (!session) return seeOther(ctx, `${links(token).open}?notice=session-ended`)
    const request: InSession = { ...original, session }
    if (!ceremony.isOwnForm(ctx) || !formTokens.verifyForSession(fields.get('formToken'), session.id))
      return refuseForm(ctx, request)
    const party = partyOf(request, fields.get('partyIndex'))
    if (!party) return seeOther(ctx, links(token).review())
    if (party.signedAt !== null) return seeOther(ctx, doneOf(request, party.index))
    if (suspended) return sendChanged(ctx, request, 'suspended', party.index)
    if (view.status === 'cancelled' || view.status === 'expired')
      return sendChanged(ctx, request, view.status, party.index)
    const reason = DECLINE_REASONS.find((each) => each === fields.get('reason'))
    // A browser sends a line break as two characters (CRLF); the limit counts one.
    const note = (fields.get('note') ?? '').replaceAll('\r\n', '\n').trim()
    const isNoteTooLong = countCodePoints(note) > DECLINE_NOTE_MAX
    if (reason === undefined || isNoteTooLong) {
      const errors = { isReasonMissing: reason === undefined, isNoteTooLong }
      return sendPage(ctx, 422, pageOf(request, party, { errors, form: { reason, note } as DeclinePageProps['form'] }))
    }
    const answer = await decline(session, view, { partyIndex: party.index, reason, note }, visitorOf(ctx))
    if (answer.outcome === 'declined') return seeOther(ctx, links(token).decline(party.index))
    switch (answer.reason) {
      case 'already_signed':
      case 'signed':
        return seeOther(ctx, doneOf(request, party.index))
      case 'expired':
      case 'cancelled':
        return sendChanged(ctx, request, answer.reason, party.index)
      // The session is of the mailbox from before the correction, so it has ended. [D61]
      case 'readdressed':
        return seeOther(ctx, `${links(token).open}?notice=session-ended`)
      default:
        throw new Error(`the contract service refused a decline: ${answer.reason}`)
    }
  }

  return { show, send }
}
