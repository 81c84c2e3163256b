// Where answers to the account's mails go: a mailbox that somebody proves to read. [D16, D36]
import type { Context } from 'koa'
import { faultOfAddress } from '@paraph/codes/address-form'
import type { Challenge } from '@paraph/codes/challenge'
import {
  CODE_STATUS,
  keepsTyped,
  nextMinute,
  stateOfChallenge,
  stateOfOutcome,
  type CodeState,
} from '@paraph/codes/code-state'
import { ownerOf, type Console, type OwnerRequest, type Step } from '../console.js'
import type { CodePurpose } from '../console-codes.js'
import { ReplyCodePage, ReplyWaitPage } from '../pages/account-page.js'
import { to } from '../pages/links.js'
import { accountWith } from './account-steps.js'
import { sayRetryAfter, seeOther, sendPage } from '@paraph/web/page-answer'

export function createReplySteps({ database, accounts, codes, isMailDelayed }: Console) {
  const purposeOf = ({ account, session }: OwnerRequest): CodePurpose => ({
    ...{ kind: 'reply_address', accountId: account.row.id, by: session.mailbox },
  })
  const clientOf = (ctx: Context): string => (ctx.state['clientAddress'] as () => string)()

  const askReplyAddress: Step<OwnerRequest> = async (ctx, request) => {
    const typed = (request.fields.get('reply') ?? '').trim()
    const fault = faultOfAddress(typed, false)
    if (fault) return seeOther(ctx, `${to.account}?reply=${fault}`)
    // The mail names the account, to a mailbox that may be anybody's: somebody has to have checked the name. [D36]
    if (request.account.row.approvedAt === null) return seeOther(ctx, `${to.account}?reply=not_approved`)
    await ask(ctx, request, typed, false)
  }

  const askReplyAgain: Step<OwnerRequest> = async (ctx, request) => {
    const before = await codes.find(request.fields.get('challenge') ?? '', purposeOf(request))
    if (!before) return seeOther(ctx, to.account)
    await ask(ctx, request, before.typed, true)
  }

  const replyChallenge: Step<OwnerRequest> = async (ctx, request) => {
    const challenge = await codes.find(request.parameters['challenge'] ?? '', purposeOf(request))
    if (!challenge) return seeOther(ctx, to.account)
    show(ctx, request, challenge, stateOfChallenge(challenge, await isMailDelayed()))
  }

  const confirmReplyAddress: Step<OwnerRequest> = async (ctx, request) => {
    const typed = request.fields.get('code') ?? ''
    const outcome = await codes.verify(request.parameters['challenge'] ?? '', typed, purposeOf(request))
    if (!outcome) return seeOther(ctx, to.account)
    if (outcome.kind === 'verified') return seeOther(ctx, accountWith('replyConfirmed'))
    const state = stateOfOutcome(outcome, typed, undefined)
    show(ctx, request, outcome.challenge, state, keepsTyped(state) ? typed : undefined)
  }

  const removeReplyAddress: Step<OwnerRequest> = async (ctx, request) => {
    const { id } = request.account.row
    await database.transaction().execute((trx) => accounts.setReplyAddress(trx, id, null, ownerOf(request)))
    seeOther(ctx, accountWith('saved'))
  }

  async function ask(ctx: Context, request: OwnerRequest, typed: string, isResend: boolean): Promise<void> {
    const made = await codes.request(typed, { isResend, clientAddress: clientOf(ctx) }, purposeOf(request))
    if ('challengeId' in made) return seeOther(ctx, to.replyChallenge(made.challengeId))
    sayRetryAfter(ctx, made.tryAgainAt, request.now)
    sendPage(ctx, 429, <ReplyWaitPage page={request.page} tryAgainAt={nextMinute(made.tryAgainAt)} />)
  }

  function show(
    ctx: Context,
    { page, now }: OwnerRequest,
    challenge: Challenge,
    state: CodeState,
    typed?: string,
  ): void {
    if (state.kind === 'dead' && state.tryAgainAt) sayRetryAfter(ctx, state.tryAgainAt, now)
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
