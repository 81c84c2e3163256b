// Handlers of the reply address: an owner proves the mailbox with a code. [D16, D36]
import type { Context } from 'koa'
import { addressFormError } from '@paraph/codes/address-form'
import type { Challenge } from '@paraph/codes/challenge'
import {
  CODE_STATUS,
  keepsInput,
  nextMinute,
  stateOfChallenge,
  stateOfOutcome,
  type CodeState,
} from '@paraph/codes/code-state'
import { ownerOf, type Console, type OwnerRequest, type Handler } from '../console-context.js'
import type { CodePurpose } from '../codes.js'
import { ReplyCodePage, ReplyWaitPage } from '../people/account-page.js'
import { to } from '../frame/links.js'
import { accountWith } from './account.js'
import { setRetryAfter, seeOther, sendPage } from '@paraph/web/page-answer'

export function createReplyHandlers({ database, accounts, codes, isMailDelayed }: Console) {
  const purposeOf = ({ account, session }: OwnerRequest): CodePurpose => ({
    kind: 'reply_address',
    accountId: account.row.id,
    by: session.mailbox,
  })
  const clientOf = (ctx: Context): string => ctx.state.clientAddress()

  const askReplyAddress: Handler<OwnerRequest> = async (ctx, request) => {
    const typed = (request.fields.get('reply') ?? '').trim()
    const error = addressFormError(typed, false)
    if (error) return seeOther(ctx, `${to.account}?reply=${error}`)
    // The mail shows the account's name to an unproven mailbox, so an operator must have approved the name. [D36]
    if (request.account.row.approvedAt === null) return seeOther(ctx, `${to.account}?reply=not_approved`)
    await requestCode(ctx, request, typed, false)
  }

  const askReplyAgain: Handler<OwnerRequest> = async (ctx, request) => {
    const previous = await codes.find(request.fields.get('challenge') ?? '', purposeOf(request))
    if (!previous) return seeOther(ctx, to.account)
    await requestCode(ctx, request, previous.typed, true)
  }

  const replyChallenge: Handler<OwnerRequest> = async (ctx, request) => {
    const challenge = await codes.find(request.parameters['challenge'] ?? '', purposeOf(request))
    if (!challenge) return seeOther(ctx, to.account)
    show(ctx, request, challenge, stateOfChallenge(challenge, await isMailDelayed()))
  }

  const confirmReplyAddress: Handler<OwnerRequest> = async (ctx, request) => {
    const typed = request.fields.get('code') ?? ''
    const outcome = await codes.verify(request.parameters['challenge'] ?? '', typed, purposeOf(request))
    if (!outcome) return seeOther(ctx, to.account)
    if (outcome.kind === 'verified') return seeOther(ctx, accountWith('replyConfirmed'))
    const state = stateOfOutcome(outcome, typed, undefined)
    show(ctx, request, outcome.challenge, state, keepsInput(state) ? typed : undefined)
  }

  const removeReplyAddress: Handler<OwnerRequest> = async (ctx, request) => {
    const { id } = request.account.row
    await database.transaction().execute((trx) => accounts.setReplyAddress(trx, id, null, ownerOf(request)))
    seeOther(ctx, accountWith('saved'))
  }

  async function requestCode(ctx: Context, request: OwnerRequest, typed: string, isResend: boolean): Promise<void> {
    const result = await codes.request(typed, { isResend, clientAddress: clientOf(ctx) }, purposeOf(request))
    if ('challengeId' in result) return seeOther(ctx, to.replyChallenge(result.challengeId))
    setRetryAfter(ctx, result.tryAgainAt, request.now)
    sendPage(ctx, 429, <ReplyWaitPage page={request.page} tryAgainAt={nextMinute(result.tryAgainAt)} />)
  }

  function show(
    ctx: Context,
    { page, now }: OwnerRequest,
    challenge: Challenge,
    state: CodeState,
    typed?: string,
  ): void {
    if (state.kind === 'dead' && state.tryAgainAt) setRetryAfter(ctx, state.tryAgainAt, now)
    const { id, digits, typed: email } = challenge
    const at = { ...page, path: to.replyChallenge(id) }
    sendPage(
      ctx,
      CODE_STATUS[state.kind],
      <ReplyCodePage {...{ page: at, digits, email, typed, state }} challenge={id} />,
    )
  }

  return { askReplyAddress, askReplyAgain, replyChallenge, confirmReplyAddress, removeReplyAddress }
}
