// How long the notification service keeps its rows. [D24, D42, D49]
import { POSITION_KEPT, type RetentionPlan } from '@paraph/database/retention'
import { INBOX_RETENTIONS, OUTBOX_RETENTION } from '@paraph/messaging/retention'

export const RETENTION: RetentionPlan = {
  pruned: [
    {
      table: 'delivery',
      by: 'finished_at',
      keptFor: '90 days',
      why: 'Shows which mails were accepted. Much longer than the life of a contract, because outcome mails depend on the invitations, and a Message-ID continues the numbers of earlier mails (D24).',
    },
    {
      table: 'mailbox_count',
      by: 'day',
      keptFor: '2 days',
      why: 'Limits the mails to a mailbox in an hour and in a day (P25).',
      personalData: 'HMAC of the address',
    },
    {
      table: 'test_mail',
      by: 'created_at',
      keptFor: '24 hours',
      why: 'The test mailbox of the console (D64).',
      personalData: 'the address, and the mail with its code; encrypted. Sandbox contracts only',
    },
    {
      table: 'webhook_message',
      by: 'finished_at',
      keptFor: '30 days',
      why: 'The console shows the messages to an endpoint and its answers (D65).',
    },
    {
      table: 'owner_notice',
      by: 'reported_at',
      keptFor: '7 days',
      why: 'What owners have heard of (D70). Contains ids only.',
    },
    OUTBOX_RETENTION,
    ...INBOX_RETENTIONS,
  ],
  kept: [
    POSITION_KEPT,
    { table: 'account_hold', why: 'The state of an account, not its history (D37).' },
    { table: 'account_brand', why: 'The approved brand of an account, until the next change (D59). Public.' },
    {
      table: 'contract_mail',
      why: 'Holds the number of the last mail event of a contract, because the numbers must not start again (D48). Contains ids only.',
    },
    {
      table: 'webhook_endpoint',
      why: 'Kept until an owner removes it (D65).',
      personalData: 'a URL that an owner chose; the signing keys, encrypted',
    },
    { table: 'smtp_circuit', why: 'Two rows with the state of the SMTP server.' },
  ],
}
