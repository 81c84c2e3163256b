// Examples of requests and answers in the OpenAPI document. Data only; a test sends each request and compares the answer.
import type { CreateContract } from '@paraph/protocol/contract'
import type { ContractView, CreatedContract } from '@paraph/protocol/contract-views'
import type { Examples } from '@paraph/rpc/rest'

const CREATED_AT = '2026-11-20T14:03:00.000Z'
const EXPIRES_AT = '2026-12-04T14:03:00.000Z'

const discloser = { role: 'Discloser', legalName: 'Nordic Foods Ltd.', email: 'legal@nordicfoods.example' }
const recipient = { role: 'Recipient', legalName: 'Jane Roe', email: 'jane.roe@example.com' }

const twoParties: CreateContract = {
  contractType: 'nda',
  content: 'NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nThe parties keep secrets secret.',
  parties: [discloser, recipient],
}

const withMetadata: CreateContract = {
  contractType: 'sales-agreement',
  content: 'SALES AGREEMENT\n\n1. GOODS\n\nForty chairs, oak.\n\n2. PRICE\n\n4,800.00 CAD, due on delivery.',
  parties: [
    { role: 'Seller', legalName: 'Atelier Côté inc.', email: 'ventes@ateliercote.example' },
    { role: 'Buyer', legalName: 'Nordic Foods Ltd.', email: 'buying@nordicfoods.example' },
    { role: 'Guarantor', legalName: 'Jane Roe', email: 'jane.roe@example.com' },
  ],
  senderName: 'Nordic Foods procurement',
  metadata: { orderId: '10442', department: 'Canteen' },
}

const created = (request: CreateContract): { success: true; contract: CreatedContract } => ({
  success: true,
  contract: {
    id: 'contract-1795183380000-k3v9x2m1q',
    contractNumber: 'EXT-20261120-7KQ4MXTA',
    shareToken: 'vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq',
    shareUrl: 'https://sign.example.com/contract/vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq',
    status: 'pending_signature',
    contractType: request.contractType,
    parties: request.parties,
    signingProgress: { signed: 0, total: request.parties.length, pending: request.parties.length, percentage: 0 },
    createdAt: CREATED_AT,
    expiresAt: EXPIRES_AT,
  },
})

const signature = ({ role, legalName, email }: typeof discloser, signedAt: string) => ({
  signerEmail: email,
  signerName: legalName,
  signerRole: role,
  signedAt,
})

const ENDED_AT: Record<ContractView['status'], string | null> = {
  pending_signature: null,
  partially_signed: null,
  signed: '2026-11-21T08:41:57.018Z',
  expired: EXPIRES_AT,
  cancelled: '2026-11-22T09:30:00.000Z',
}

/** A contract of two parties, of which the first `signed` have signed. */
const read = (status: ContractView['status'], signed: 0 | 1 | 2): { success: true; contract: ContractView } => ({
  success: true,
  contract: {
    id: 'contract-1795183380000-k3v9x2m1q',
    status,
    parties: [discloser, recipient].map((party, at) => ({
      ...party,
      hasSigned: at < signed,
      delivery: 'sent' as const,
      declinedAt: null,
    })),
    signingProgress: { signed, total: 2, pending: 2 - signed, percentage: 50 * signed },
    signatures: [
      signature(discloser, '2026-11-20T15:20:11.402Z'),
      signature(recipient, '2026-11-21T08:41:57.018Z'),
    ].slice(0, signed),
    contractNumber: 'EXT-20261120-7KQ4MXTA',
    contractType: 'nda',
    senderName: 'Nordic Foods Ltd.',
    metadata: {},
    createdAt: CREATED_AT,
    expiresAt: EXPIRES_AT,
    completedAt: status === 'signed' ? '2026-11-21T08:41:57.018Z' : null,
    endedAt: ENDED_AT[status],
    cancelReason: status === 'cancelled' ? 'The price has changed.' : null,
  },
})

/** Examples of POST /contracts. */
export const CREATE_EXAMPLES = {
  request: {
    twoParties: { summary: 'Only the required fields', value: twoParties },
    withMetadata: { summary: 'Three parties, a sender name and metadata', value: withMetadata },
  },
  response: {
    twoParties: { summary: 'The contract is created. Both parties get an email.', value: created(twoParties) },
    withMetadata: { summary: 'The contract is created. All three parties get an email.', value: created(withMetadata) },
  },
} satisfies Record<string, Examples>

/** Examples of GET /contracts/{id}. */
export const GET_EXAMPLES = {
  response: {
    pendingSignature: { summary: 'Nobody has signed yet', value: read('pending_signature', 0) },
    partiallySigned: { summary: 'One of two has signed', value: read('partially_signed', 1) },
    signed: { summary: 'Everyone has signed: final', value: read('signed', 2) },
    expired: { summary: 'Not everyone signed in time: final', value: read('expired', 1) },
    cancelled: { summary: 'Cancelled before everyone had signed: final', value: read('cancelled', 0) },
  },
} satisfies Record<string, Examples>
