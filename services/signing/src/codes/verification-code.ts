// One-time codes of contracts, their entries in the evidence chain, and whether mail is slow. [D16, D30, D32, D42]
import type { CodeSendingDeps } from '@paraph/codes/code-sending'
import { CEREMONY_CODES } from '@paraph/codes/code-policy'
import { type CodeOutcome, type CodeScope, createVerification, type VerificationDeps } from '@paraph/codes/verification'
import { type ContractView, type NotificationClient, partiesOf } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import { delayErasure } from '../chain/erasure.js'
import { append, openChain } from '../chain/chain-store.js'
import { queueCodeLocked, queueCodeSent } from '../tasks/evidence-tasks.js'
import { Personal, type Visitor } from '../chain/entry.js'
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'

/** Counted from the acceptance of the code. [D33] */
export const SESSION_TTL_SECONDS = 86_400

/** A high limit, because an office shares one address, and a stranger's challenge sends no mail. [D16] */
const CHALLENGES_PER_CLIENT_AND_HOUR = 600

/** Codes and challenges of contracts. */
export function createVerificationCodes(
  deps: Omit<VerificationDeps<SigningDatabase>, 'challengesPerClientAndHour' | 'sessionSeconds'>,
) {
  const verification = createVerification<SigningDatabase>({
    ...deps,
    challengesPerClientAndHour: CHALLENGES_PER_CLIENT_AND_HOUR,
    sessionSeconds: SESSION_TTL_SECONDS,
  })

  return {
    /** See `request` of `createVerification`. */
    request: (
      view: ContractView,
      { browser, ...asked }: { typed: string; isResend: boolean; browser?: string },
      { clientAddress }: Visitor,
    ) => verification.request(scopeOf(view), { ...asked, browser, clientAddress }),
    /** See `verify` of `createVerification`; appends `code.verified` to the chain in the same transaction. */
    verify: (
      view: ContractView,
      challengeId: string,
      typedCode: string,
      visitor: Visitor,
      browser?: string,
    ): Promise<CodeOutcome | undefined> => verification.verify(scopeOf(view, visitor), challengeId, typedCode, browser),
    find: (contractId: string, challengeId: string, browser?: string) =>
      verification.find({ id: contractId, policy: CEREMONY_CODES }, challengeId, browser),
  }
}

export type VerificationCodes = ReturnType<typeof createVerificationCodes>

function scopeOf(view: ContractView, visitor?: Visitor): CodeScope<SigningDatabase> {
  const { contractId } = view
  return {
    id: contractId,
    policy: CEREMONY_CODES,
    recipientOf: (mailbox) => partiesOf(view, mailbox)[0]?.index.toString(),
    begin: (trx) => delayErasure(trx, contractId),
    onVerified: async (trx, { codeId, session }) => {
      await openChain(trx, view)
      await append(trx, contractId, 'code.verified', {
        // In clear text, the id would reveal which of the sent codes went to this party. [D29]
        codeId: new Personal(codeId),
        sessionId: session.id,
        mailbox: new Personal(session.mailbox),
        ip: new Personal(visitor?.clientAddress ?? 'unknown'),
        userAgent: new Personal(visitor?.userAgent ?? ''),
      })
    },
    onLocked: (trx, { challengeId, lockedAt }) => queueCodeLocked(trx, contractId, challengeId, lockedAt),
  }
}

/** The dependencies of `createCodeSending` that push codes to the notification service and queue their entries in the chain. */
export const codePushingOf = (
  notification: NotificationClient,
): Pick<CodeSendingDeps<SigningDatabase>, 'subjectOf' | 'push' | 'onPushed'> => ({
  subjectOf: (contractId) => contractId,
  push: ({ id, scope, recipient, code, lapsesInSeconds }) =>
    notification.code.send.mutate({ id, contractId: scope, code, lapsesInSeconds, partyIndex: Number(recipient) }),
  onPushed: (trx, { id, scope }) => queueCodeSent(trx, scope, id),
})

const POLL_MS = 5_000

/**
 * Asks the notification service every five seconds whether mail is slow, once for all pages. A page that read the state of its own code's
 * mail would distinguish a party from a stranger. [D16, D32] `isDelayed` returns the last answer, and true while the notification
 * service does not answer.
 */
export function createMailHealth({ notification, logger }: { notification: NotificationClient; logger: Logger }) {
  let isMailDelayed = false
  const loop = createLoop({
    name: 'mail health',
    async work() {
      isMailDelayed = (await notification.code.isDelayed.query()).delayed
      return false
    },
    pauseMs: POLL_MS,
    failureMessage: 'could not query the notification service; pages for one-time codes say that mail is slow',
    logger,
  })
  return { ...loop, isDelayed: () => loop.isFailing() || isMailDelayed }
}

export type MailHealth = ReturnType<typeof createMailHealth>
