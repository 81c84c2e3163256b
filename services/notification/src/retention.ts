// How long the notification service keeps its rows. [D24, D42, D49]
import type { RetentionPlan } from '@paraph/database/retention'
import { INBOX_RETENTIONS, OUTBOX_RETENTION } from '@paraph/messaging/retention'

export const RETENTION: RetentionPlan = {
  pruned: [
    {
      table: 'delivery',
      by: 'settled_at',
      keptFor: '90 days',
      why: 'What arrived and what did not, for whoever asks. Far longer than its contract lives: outcomes are made from invitations, and a Message-ID counts on from the mails before it (D24).',
    },
    OUTBOX_RETENTION,
    ...INBOX_RETENTIONS,
  ],
  kept: [
    { table: 'account_hold', why: 'The state of an account, not its history (D37).' },
    {
      table: 'contract_mail',
      why: 'Numbers what is told of the mails of a contract: a number that began again would be a gap (D48). Ids only.',
    },
    { table: 'relay_circuit', why: 'Two rows: how the mail server is doing.' },
  ],
}
