// How long the gateway keeps what it holds. [D3, D27, D28, D40]
import type { RetentionPlan } from '@paraph/database/retention'
import { OUTBOX_RETENTION } from '@paraph/messaging/retention'

export const RETENTION: RetentionPlan = {
  goes: [
    {
      table: 'account_window',
      by: 'base_at',
      // `base_at` is at most 33 s older than the newest admission; an index on it would cost every admission.
      keptFor: '5 minutes',
      isSmall: true,
      why: 'A window is worth a minute; an account that has left leaves nothing behind (D27).',
    },
    {
      table: 'usage_commit',
      by: 'committed_at',
      keptFor: '7 days',
      isSmall: true,
      why: 'A process that is alive and has written nothing for so long has no batch of an unknown fate, and no batch older than six days is written (D40).',
    },
    OUTBOX_RETENTION,
  ],
  stays: [
    { table: 'tier', why: 'Settings.' },
    {
      table: 'account',
      why: 'For as long as there is the account.',
      personal: 'the name of the account, the address of its owner',
    },
    {
      table: 'api_key',
      why: 'A key that was revoked or has ended says who could do what, and when. Hashes only (D28).',
    },
    { table: 'usage', why: 'The record behind the bill (D3).' },
    { table: 'usage_month', why: 'As `usage`; places reserved in it lapse by themselves (D4).' },
  ],
}
