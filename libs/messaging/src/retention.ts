// Retention of the tables of the outbox and the inbox. [D48, D49, F9]
import type { Retention } from '@paraph/database/retention'

/** Rule for a service with an outbox. */
export const OUTBOX_RETENTION: Retention = {
  table: 'outbox',
  by: 'published_at',
  keptFor: '7 days',
  along: 'id',
  why: 'Published events are on the bus; a week allows an operator to trace them. Unpublished rows stay.',
}

/** Rules for a service with an inbox. */
export const INBOX_RETENTIONS: readonly Retention[] = [
  {
    table: 'inbox',
    by: 'received_at',
    keptFor: '45 days',
    why: 'Longer than any topic keeps a message (30 days, 44 at most). A replayed event that the inbox has forgotten would send its mails again (D49, F9).',
  },
  {
    table: 'dead_letter',
    by: 'redriven_at',
    keptFor: '90 days',
    why: 'A redriven dead letter has no further effect. A dead letter that is not redriven stays until an operator redrives it (D49).',
  },
]
