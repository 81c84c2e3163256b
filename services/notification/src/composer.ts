// From a claimed delivery to its mail: asks the facts of this moment, opens what is sealed, composes. [D24, D42, D49]
// Owns: who is asked what. Does not own: what the mail says (compose-mail.ts, owner-letter.ts).
import { unseal, type Keyring } from '@paraph/service/keyring'
import { composeMail, type Composed } from './compose-mail.js'
import { sealedContext, type ClaimedDelivery } from './deliveries.js'
import type { MailFacts } from './mail-facts.js'
import { composeOwnerLetter, type OwnerLetter } from './owner-letter.js'

/**
 * Composes mails, one at a time or many at once.
 * @param readFacts asks the contract service; null for an unknown contract or party, rejects when it cannot be asked
 * @param readCopy asks the signing service for the sealed PDF; null where there is none, rejects when it cannot be asked
 */
export function createComposer({
  readFacts,
  readCopy,
  codeKeys,
  mailDomain,
  shareBaseUrl,
}: {
  readFacts: (contractId: string, partyIndex: number) => Promise<MailFacts | null>
  readCopy: (contractId: string) => Promise<Buffer | null>
  codeKeys: Keyring
  mailDomain: string
  shareBaseUrl: string
}) {
  const settings = { mailDomain, shareBaseUrl }
  const open = ({ sealed }: ClaimedDelivery): string | undefined =>
    sealed ? unseal(codeKeys, sealed, sealedContext(sealed.requestId)) : undefined

  /** @throws what the services said, or when `signal` aborts before they did */
  return async (delivery: ClaimedDelivery, signal: AbortSignal): Promise<Composed> => {
    if (delivery.contractId === null)
      return composeOwnerLetter(JSON.parse(open(delivery) ?? 'null') as OwnerLetter, settings)
    const { kind, contractId, partyIndex } = delivery
    const facts = await endedBy(signal, readFacts(contractId, partyIndex))
    const isWanted = kind === 'completed' && facts?.isFirstOfMailbox
    const copy = isWanted ? await endedBy(signal, readCopy(contractId)) : undefined
    return composeMail({ ...delivery, code: open(delivery), copy }, facts, settings)
  }
}

/** Rejects when `signal` aborts before `work` has settled; what comes of `work` then is dropped. */
async function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = (): void => ended.reject(new Error('The time for this is over.'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
