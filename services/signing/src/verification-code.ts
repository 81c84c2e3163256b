// Proving a party's mailbox, and what the chain says of it. [D16, D30, D42]
import type { Kysely, Transaction } from 'kysely'
import type { CodeToPush } from '@paraph/codes/code-sending'
import { createVerification, type CodeOutcome, type CodeScope } from '@paraph/codes/verification'
import type { Keyring } from '@paraph/service/keyring'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { holdOffErasure } from './erasure.js'
import { append, openChain } from './evidence-chain.js'
import { noteCodeLocked, noteCodeSent } from './evidence-task-queue.js'
import { Personal } from './evidence.js'
import type { NotificationClient } from './notification-client.js'

/** From the right code on. [D33] */
export const SESSION_TTL_SECONDS = 86_400

/** An office shares an address, and strangers' challenges send nothing. [D16] */
const CHALLENGES_PER_CLIENT_AND_HOUR = 600

/** Who asks, as the gateway saw them. */
export interface Visitor {
  clientAddress: string
  userAgent: string
}

/** Real mails an hour that one contract may send. [D16] */
const mailsPerHourMax = (partyCount: number): number => Math.max(30, 3 * partyCount)

/** Codes and challenges of contracts. @param options see `createVerification` */
export function createVerificationCodes(options: {
  database: Kysely<SigningDatabase>
  peppers: Keyring
  codeKeys: Keyring
  wakeSending: () => void
  pushAfterMs?: { min: number; max: number }
}) {
  const verification = createVerification<SigningDatabase>({
    ...options,
    challengesPerClientAndHour: CHALLENGES_PER_CLIENT_AND_HOUR,
    sessionSeconds: SESSION_TTL_SECONDS,
  })

  return {
    /** See `request` of `createVerification`. */
    request: (facts: ContractFacts, asked: { typed: string; isResend: boolean }, visitor: Visitor) =>
      verification.request(scopeOf(facts), { ...asked, clientAddress: visitor.clientAddress }),
    /** See `verify` of `createVerification`; the chain says `code.verified` in the same transaction. */
    verify: (
      facts: ContractFacts,
      challengeId: string,
      typedCode: string,
      visitor: Visitor,
    ): Promise<CodeOutcome | undefined> => verification.verify(scopeOf(facts, visitor), challengeId, typedCode),
    find: verification.find,
  }
}

export type VerificationCodes = ReturnType<typeof createVerificationCodes>

/** A contract as what codes are proven in. */
function scopeOf(facts: ContractFacts, visitor?: Visitor): CodeScope<SigningDatabase> {
  const { contractId } = facts
  return {
    id: contractId,
    recipientOf: (mailbox) => partiesOf(facts, mailbox)[0]?.toString(),
    mailsPerHourMax: mailsPerHourMax(facts.parties.length),
    begin: (trx) => holdOffErasure(trx, contractId),
    onVerified: async (trx, { codeId, session }) => {
      await openChain(trx, facts)
      await append(trx, contractId, 'code.verified', {
        // In clear it would say of each code that was sent to whom. [D29]
        codeId: new Personal(codeId),
        sessionId: session.id,
        mailbox: new Personal(session.mailbox),
        ip: new Personal(visitor?.clientAddress ?? 'unknown'),
        userAgent: new Personal(visitor?.userAgent ?? ''),
      })
    },
    onLocked: (trx, { challengeId, lockedAt }) => noteCodeLocked(trx, { contractId, challengeId, lockedAt }),
  }
}

/** How codes get to notification, and into the chain when they were taken; for `createCodeSending`. */
export const pushingOf = (notification: NotificationClient) => ({
  subjectOf: (contractId: string) => contractId,
  push: ({ id, scope, recipient, code, lapsesInSeconds }: CodeToPush) =>
    notification.code.send.mutate({
      ...{ id, contractId: scope, code, lapsesInSeconds },
      partyIndex: Number(recipient),
    }),
  onTaken: (trx: Transaction<SigningDatabase>, { id, scope }: { id: string; scope: string }) =>
    noteCodeSent(trx, { contractId: scope, codeId: id }),
})
