// The retention of every table of the contract service. [D17, D41, D43, D46]
import { POSITION_KEPT, type RetentionPlan } from '@paraph/database/retention'
import { INBOX_RETENTIONS, OUTBOX_RETENTION } from '@paraph/messaging/retention'

export const RETENTION: RetentionPlan = {
  pruned: [
    {
      table: 'contract',
      by: 'created_at',
      keptFor: '31 days',
      only: 'share_token_sealed is not null',
      clearColumn: 'share_token_sealed',
      why: 'The link has expired. The token is kept for replays of the 201, one day longer than the key (D46, D66).',
    },
    { table: 'idempotency', by: 'created_at', keptFor: '30 days', why: 'A key is valid for 30 days (D66).' },
    OUTBOX_RETENTION,
    ...INBOX_RETENTIONS,
  ],
  kept: [
    POSITION_KEPT,
    {
      table: 'contract',
      why: 'The data that the service exists for. Erasure removes text and names (D43).',
      personalData:
        'the text, the name of the sender; the address of the owner who requested an erasure, until the erasure',
    },
    {
      table: 'contract_word',
      why: 'By these words an owner finds the contract. Its erasure deletes all but those of its number (D71).',
      personalData: 'words of names, addresses and metadata',
    },
    { table: 'party', why: 'Same as the contract (D43).', personalData: 'names and addresses' },
    { table: 'signature', why: 'Same as the contract. The service itself can neither change nor delete a signature.' },
    { table: 'decline', why: 'Same as a signature (D57).' },
    {
      table: 'readdress',
      why: 'The evidence names both addresses. Erasure removes the old one too (D61).',
      personalData: 'the addresses before a correction',
    },
    {
      table: 'sign_tombstone',
      why: 'A given-up attempt must never be recorded (D41), so the service cannot delete its tombstone. Rare; contains ids only.',
    },
  ],
}
