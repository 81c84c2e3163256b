// Facts of one mail for tests; the pictures' example.
import type { MailFacts } from './mail-facts.js'

export const SHARE_URL = 'https://sign.paraph.example/contract/vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq'

export function mailFacts(overrides: Partial<MailFacts> = {}): MailFacts {
  return {
    status: 'pending_signature',
    environment: 'production',
    senderName: 'Nordic Foods procurement',
    accountName: 'Nordic Foods Ltd.',
    contractType: 'nda',
    contractNumber: 'EXT-20261120-7KQ4MXTA',
    expiresAt: '2026-12-04T14:03:00.000Z',
    cancelledAt: null,
    partyCount: 3,
    party: { role: 'Recipient', legalName: 'Jane Roe', email: 'jane.roe@example.com', hasSigned: false },
    shareUrl: SHARE_URL,
    language: 'en+fr',
    timeZone: 'UTC',
    replyAddress: null,
    ...overrides,
  }
}
