// Composes the mail of a claimed delivery from data that it reads when the mail is sent. [D24, D42, D49]
// Decides which service provides the data. Does not own: the text of the mail (contract-mail.ts, owner-mail.ts).
import type { Brand } from '@paraph/protocol/brand'
import { composeMail, type Composed } from './contract-mail.js'
import type { ClaimedDelivery } from '../database.js'
import type { ContractData, Look, MailSettings, OwnerMailData } from './mail-data.js'
import { composeOwnerMail } from './owner-mail.js'
import { isLaterOfMailbox } from './same-mailbox.js'

export interface ComposerDeps extends MailSettings {
  /**
   * Reads the data from the contract service; null for an unknown contract or party. With `formerAddress`, the party has the address from
   * before that correction.
   */
  readMailData: (contractId: string, partyIndex: number, formerAddress?: number) => Promise<ContractData | null>
  /** Reads the approved brand of an account whose brand the claim did not read; undefined for an account without one. */
  readBrand: (accountId: string) => Promise<Brand | undefined>
  /** Reads the signed PDF from the signing service; null when there is none. */
  readCopy: (contractId: string) => Promise<Buffer | null>
  /** Decrypts the code or the owner mail of a delivery. */
  openSealed: (delivery: ClaimedDelivery) => string | undefined
}

export function createComposer({ readMailData, readBrand, readCopy, openSealed, ...settings }: ComposerDeps) {
  const { shareBaseUrl, footName } = settings
  async function lookOf(
    { accountId, accountName }: ContractData,
    { brandOf, brand: claimed }: ClaimedDelivery,
    signal: AbortSignal,
  ): Promise<Look | undefined> {
    const brand = brandOf === accountId ? claimed : await untilAborted(signal, readBrand(accountId))
    return brand ? { ...brand, accountName, shareBaseUrl, footName } : undefined
  }

  /** Rejects with the error of a service, or when `signal` aborts before the service answers. */
  return async (delivery: ClaimedDelivery, signal: AbortSignal): Promise<Composed> => {
    const sealed = openSealed(delivery)
    if (delivery.contractId === null) return composeOwnerMail(JSON.parse(sealed ?? '{}') as OwnerMailData, settings)
    const { kind, contractId, partyIndex, sendNumber } = delivery
    const formerAddress = kind === 'readdressed' ? sendNumber : undefined
    const contractData = await untilAborted(signal, readMailData(contractId, partyIndex, formerAddress))
    const mailData = contractData && { ...contractData, look: await lookOf(contractData, delivery, signal) }
    const needsCopy = kind === 'completed' && mailData !== null && !isLaterOfMailbox(mailData, partyIndex)
    const copy = needsCopy ? await untilAborted(signal, readCopy(contractId)) : undefined
    return composeMail({ ...delivery, code: sealed, copy, sentAt: new Date() }, mailData, settings)
  }
}

/** Rejects when `signal` aborts before `work` settles; a later result of `work` is dropped. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(new Error('no answer in time'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
