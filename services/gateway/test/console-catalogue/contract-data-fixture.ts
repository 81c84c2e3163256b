// Contracts as the console lists and shows them, with their mails and their history.
import { NDA, sha256Of } from '@paraph/signing/test/catalogue-data-fixture'
import { sampleChain } from '@paraph/signing/test/evidence-fixture'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { SECOND_OWNER } from '@paraph/testing/test/sample-data-fixture'
import type {
  ContractDetail,
  ContractMails,
  ContractHistory,
  ListedContract,
} from '../../src/console/contracts/contract-rows.js'
import { at } from './entry-fixture.js'

/** @param createdAt the day of the number, and a time */
const listed = (number: string, createdAt: string, more: Partial<ListedContract>): ListedContract => ({
  id: `contract-${number}`,
  contractNumber: `EXT-${number}`,
  contractType: 'nda',
  senderName: 'Nordic Foods procurement',
  partyNames: [shared.ACCOUNT_NAME, 'Jane Roe'],
  status: 'signed',
  signed: 2,
  total: 2,
  createdAt,
  expiresAt: new Date(at(createdAt).getTime() + 14 * 86_400_000).toISOString(),
  endedAt: null,
  isErased: false,
  eraseDueAt: null,
  isHeld: false,
  deliveryProblem: null,
  isDeclined: false,
  ...more,
})
export const LIST: readonly ListedContract[] = [
  listed('20261124-9FWT3RZB', '2026-11-24T11:52:07.364Z', {
    contractType: 'service',
    status: 'pending_signature',
    signed: 0,
    deliveryProblem: 'refused',
  }),
  listed(shared.CONTRACT_NUMBER.slice('EXT-'.length), shared.CREATED_AT.toISOString(), {
    status: 'partially_signed',
    total: 3,
    deliveryProblem: 'delayed',
    isDeclined: true,
  }),
  listed('20261119-QH52XNDE', '2026-11-19T08:30:49.215Z', { isHeld: true, endedAt: '2026-11-19T12:01:33.708Z' }),
  listed('20261118-U6BK8VYP', '2026-11-18T16:17:20.932Z', {
    contractType: 'sales-agreement',
    status: 'cancelled',
    signed: 1,
    endedAt: '2026-11-20T09:44:58.120Z',
    eraseDueAt: '2026-11-27T09:45:30.676Z',
  }),
  listed('20261117-C4JMA7SG', '2026-11-17T10:05:14.087Z', {
    contractType: 'revenue-share',
    signed: 12,
    total: 12,
    endedAt: '2026-11-23T21:30:02.541Z',
  }),
  listed('20261109-T8RPE2HD', '2026-11-09T13:26:41.650Z', {
    contractType: 'employment',
    status: 'expired',
    signed: 1,
    endedAt: '2026-11-23T13:26:41.650Z',
  }),
]

export const CONTRACT: ContractDetail = {
  id: shared.CONTRACT_ID,
  contractNumber: shared.CONTRACT_NUMBER,
  contractType: 'nda',
  status: 'partially_signed',
  senderName: shared.SENDER_NAME,
  accountName: shared.ACCOUNT_NAME,
  language: 'en+fr',
  contentSha256: sha256Of(NDA),
  contentBytes: Buffer.byteLength(NDA),
  metadata: { supplier: 'S-2041', region: 'Canada' },
  signingProgress: { signed: 2, total: 3, pending: 1, percentage: 66.67 },
  parties: shared.PARTIES.map((party, index) => ({
    ...party,
    addressNumber: 0,
    signedAt: index < 2 ? shared.SIGNED_AT[index]!.toISOString() : null,
    declinedAt: null,
  })),
  createdAt: shared.CREATED_AT.toISOString(),
  expiresAt: shared.EXPIRES_AT.toISOString(),
  completedAt: null,
  cancelledAt: null,
  cancelledBy: null,
  cancelReason: null,
  erasedAt: null,
  erasure: null,
  isHeld: false,
  shareUrl: shared.SHARE_URL,
}
const mail = (state: 'accepted' | 'failed' | 'due'): ContractMails['parties'][number]['mails'][number] => ({
  kind: 'invitation',
  sendNumber: 1,
  state,
  why: null,
  createdAt: '2026-11-20T14:03:11.500Z',
  reason: state === 'failed' ? 'refused' : null,
  smtpCode: state === 'failed' ? 552 : null,
  finishedAt: state === 'due' ? null : '2026-11-20T14:03:12.000Z',
})
export const MAILS: ContractMails = {
  isHeld: false,
  parties: (['accepted', 'accepted', 'failed'] as const).map((state, index) => ({
    index,
    mails: [mail(state)],
    resendAfter: null,
  })),
}
/** The evidence up to the second signature, newest entry first: the creation, and five entries for each of two parties. */
export const HISTORY: ContractHistory = {
  entries: sampleChain()
    .lines.slice(0, 11)
    .map((line, index) => {
      const {
        seq,
        type,
        at: time,
      } = JSON.parse(line) as Pick<ContractHistory['entries'][number], 'seq' | 'type' | 'at'>
      const party = Math.floor((index - 1) / 5)
      const parties = index === 0 ? [] : [{ index: party, role: shared.PARTIES[party]!.role }]
      return { seq, type, at: time, hashStart: sha256Of(line).slice(0, 8), parties, decline: null }
    })
    .reverse(),
  hasOlder: false,
  isClosed: false,
  copies: { state: 'preparing' as const },
}
/** The third party declines. */
export const DECLINED: ContractDetail = {
  ...CONTRACT,
  parties: CONTRACT.parties.map((party, index) => ({
    ...party,
    declinedAt: index < 2 ? null : '2026-11-24T15:20:00.000Z',
  })),
}
export const DECLINED_HISTORY: ContractHistory = {
  ...HISTORY,
  entries: [
    {
      seq: 12,
      type: 'party.declined',
      at: '2026-11-24T15:20:00.000Z',
      hashStart: 'c0ffee42',
      parties: [{ index: 2, role: shared.PARTIES[2]!.role }],
      decline: { reason: 'disagree', note: 'Clause 4 must end after two years, not five. Please send it again.' },
    },
    ...HISTORY.entries,
  ],
}
export const CANCELLED: ContractDetail = {
  ...CONTRACT,
  status: 'cancelled',
  cancelledAt: shared.CANCELLED_AT.toISOString(),
  cancelledBy: 'owner',
  cancelReason: 'Agreed by telephone to begin again.',
}
export const TO_BE_ERASED: ContractDetail = {
  ...CANCELLED,
  erasure: { at: shared.ERASED_AT.toISOString(), by: SECOND_OWNER },
}
export const ERASED: ContractDetail = {
  ...CANCELLED,
  erasedAt: shared.ERASED_AT.toISOString(),
  cancelReason: null,
  shareUrl: null,
  senderName: 'erased',
  metadata: {},
  parties: CONTRACT.parties.map((party) => ({ ...party, legalName: 'erased', email: '', role: 'erased' })),
}
