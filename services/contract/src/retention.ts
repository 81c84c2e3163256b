// The retention of every table of the contract service. [D17, D41, D43, D46]
import { POSITION_KEPT, type RetentionPlan } from '@paraph/database/retention'
import { OUTBOX_RETENTION } from '@paraph/messaging/retention'

export const RETENTION: RetentionPlan = {
  pruned: [
    {
      table: 'contract',
      by: 'expires_at',
      keptFor: '24 hours',
      only: 'share_token_sealed is not null',
      clearColumn: 'share_token_sealed',
      why: 'The link has expired. The token is kept one more day for replays of the 201 of a sandbox contract (D17, D46).',
    },
    { table: 'idempotency', by: 'created_at', keptFor: '24 hours', why: 'A key is valid for 24 hours (D17).' },
    OUTBOX_RETENTION,
  ],
  kept: [
    POSITION_KEPT,
    {
      table: 'contract',
      why: 'The data that the service exists for. Erasure removes text and names (D43).',
      personalData:
        'the text, the name of the sender; the address of the owner who requested an erasure, until the erasure',
    },
    { table: 'party', why: 'Same as the contract (D43).', personalData: 'names and addresses' },
    { table: 'signature', why: 'Same as the contract. The service itself can neither change nor delete a signature.' },
    {
      table: 'sign_tombstone',
      why: 'A given-up attempt must never be recorded (D41), so the service cannot delete its tombstone. Rare; contains ids only.',
    },
  ],
}
