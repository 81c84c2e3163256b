// Retention of the tables of the outbox and the inbox. [D48, D49, F9]
import type { Retention } from '@paraph/database/retention'

/** For a service with an outbox. */
export const OUTBOX_RETENTION: Retention = {
  table: 'outbox',
  by: 'published_at',
  keptFor: '7 days',
  along: 'id',
  why: 'The bus has it. A week is for whoever asks what was told and when; what was not published stays.',
}

/** For a service with an inbox. */
export const INBOX_RETENTIONS: readonly Retention[] = [
  {
    table: 'inbox',
    by: 'received_at',
    keptFor: '45 days',
    why: 'Longer than any topic keeps a message (30 days, 44 at most): an event that can still be replayed must still be known, or its mails would be sent again (D49, F9).',
  },
  {
    table: 'dead_letter',
    by: 'redriven_at',
    keptFor: '90 days',
    why: 'Handed over again and so without effect. One that was not is work for the operator and stays (D49).',
  },
]
