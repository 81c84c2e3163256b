// How long the gateway keeps the rows of each table. [D3, D27, D28, D40]
import { POSITION_KEPT, type RetentionPlan } from '@paraph/database/retention'
import { OUTBOX_RETENTION } from '@paraph/messaging/retention'

export const RETENTION: RetentionPlan = {
  pruned: [
    {
      table: 'account_window',
      by: 'base_at',
      // `base_at` is at most 33 s older than the newest admission; an index on it would cost every admission.
      keptFor: '5 minutes',
      isSmall: true,
      why: 'A window covers one minute; an inactive account needs no row (D27).',
    },
    {
      table: 'usage_commit',
      by: 'committed_at',
      keptFor: '7 days',
      isSmall: true,
      why: 'No process writes a batch that is older than six days. A live process that wrote nothing in this time has no batch with an unknown outcome (D40).',
    },
    {
      table: 'request_log',
      by: 'at',
      along: 'id',
      keptFor: '7 days',
      why: 'For the developers of a client: what its calls were answered (D62).',
    },
    {
      table: 'challenge',
      by: 'created_at',
      keptFor: '1 day',
      why: 'Its code expires after 10 minutes, and the limit per client covers one hour (D16).',
      personalData: 'the address as typed at sign-in; an HMAC of the client address',
    },
    {
      table: 'one_time_code',
      by: 'expires_at',
      keptFor: '1 day',
      why: 'For an hour after the end of a code, the page explains why it does not work (D16).',
      personalData: 'the address; the code as an HMAC',
    },
    {
      table: 'code_send',
      by: 'created_at',
      keptFor: '2 days',
      only: 'finished_at is not null',
      why: 'The limit of codes to an address covers 24 hours (D16). The code itself is wiped when it is accepted or expires (D42).',
      personalData: 'the address',
    },
    {
      table: 'mailbox_guard',
      by: 'created_at',
      keptFor: '15 days',
      why: 'The count of successive wrong codes, which make the next codes longer (D16).',
      personalData: 'the address as typed at sign-in',
    },
    {
      table: 'mailbox_session',
      by: 'expires_at',
      keptFor: '1 day',
      why: 'The session has expired.',
      personalData:
        'the address of an owner or operator, the name of the browser, the network address cut to /24 or /48; a hash of the token',
    },
    {
      table: 'issuer_session',
      by: 'checked_at',
      keptFor: '2 days',
      isSmall: true,
      why: 'A session ends after one day, and the row with it at sign-out (D73).',
      personalData: 'the tokens of an owner or operator at their OpenID Connect provider, encrypted',
    },
    {
      table: 'known_browser',
      by: 'last_used_at',
      keptFor: '400 days',
      why: 'Longer than a browser keeps the cookie. A sign-in from a browser without a row sends a mail to the address that signed in (P31).',
      personalData: 'the address of an owner or operator; a hash of it with the cookie of the browser',
    },
    {
      table: 'owner_mail',
      by: 'finished_at',
      keptFor: '30 days',
      why: 'Shows that a mail was passed to notification. Address and text are wiped when notification has accepted it (D24).',
    },
    {
      table: 'billing_event',
      by: 'received_at',
      keptFor: '35 days',
      why: 'A repeated event is applied once. The payment provider repeats an event for three days, and on request for 30 (D74).',
    },
    OUTBOX_RETENTION,
  ],
  kept: [
    POSITION_KEPT,
    { table: 'tier', why: 'Settings.' },
    {
      table: 'account',
      why: 'Kept as long as the account exists.',
      personalData: 'the name of the account, the reply address of its mails',
    },
    {
      table: 'billing_customer',
      why: 'Which customer of the payment provider the account is, and what it pays (D74).',
    },
    {
      table: 'account_owner',
      why: 'Kept as long as the address belongs to the account or is invited.',
      personalData: 'the address of a person of the account',
    },
    {
      table: 'passkey',
      why: 'Kept until the person removes it or it is reset. A public key opens nothing (D73).',
      personalData: 'the address of an owner or operator; a name that the person gave',
    },
    {
      table: 'recovery_code',
      why: 'Ten for each person with a passkey, until they are replaced. HMACs only (D73).',
      personalData: 'the address of an owner or operator',
    },
    {
      table: 'account_brand',
      why: 'What an owner asked for and what the operator approved, until the next change or its removal (D59).',
    },
    {
      table: 'application',
      why: 'The record of the application and its decision; the operator sees earlier refusals (D38).',
      personalData: 'the address of the applicant; the text of the application',
    },
    {
      table: 'audit_entry',
      why: 'Records who did what. The database refuses to change or delete a row.',
      personalData:
        'the address of the person or operator who acted; at a sign-in, the browser and the network address cut to /24 or /48',
    },
    {
      table: 'audit_chain',
      why: 'The hash chain over `audit_entry` shows a changed, removed or added entry (P35). Contains ids and hashes only.',
    },
    { table: 'api_key', why: 'A revoked or expired key shows who had access, and when. Contains hashes only (D28).' },
    { table: 'usage', why: 'The record that invoices are based on (D3).' },
    { table: 'usage_month', why: 'Same as `usage`. Reservations in it expire automatically (D4).' },
  ],
}
