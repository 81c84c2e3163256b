// How long the signing service keeps its rows. [D16, D30, D33, D41, D42]
// Strangers type addresses too: a row with an address is deleted as soon as no limit and no page needs it. A row that an evidence task
// reads stays until its entry is written.
import type { RetentionPlan } from '@paraph/database/retention'
import { INBOX_RETENTIONS, OUTBOX_RETENTION } from '@paraph/messaging/retention'

/** True when no open evidence task of the row's contract refers to the row. `idKey` is the field of the task that holds the row's id. */
const noTaskReads = (table: string, idKey: string): string =>
  `not exists (select from evidence_task t where t.contract_id = ${table}.scope and t.done_at is null and t.data->>'${idKey}' = ${table}.id::text)`

export const RETENTION: RetentionPlan = {
  pruned: [
    {
      table: 'challenge',
      by: 'created_at',
      keptFor: '1 day',
      only: noTaskReads('challenge', 'challengeId'),
      why: 'Its code lapses after 10 minutes and clients are counted for an hour (D16); until the evening its page says why the code is over.',
      personalData: 'the address as typed, by strangers too; an HMAC of the client address',
    },
    {
      table: 'one_time_code',
      by: 'expires_at',
      keptFor: '1 day',
      why: 'Whoever types one within an hour of its end reads why it does not work (D16).',
      personalData: 'the address; the code as an HMAC',
    },
    {
      table: 'code_send',
      by: 'created_at',
      keptFor: '2 days',
      only: `settled_at is not null and ${noTaskReads('code_send', 'codeId')}`,
      why: 'Sends to an address are counted over 24 hours (D16). The code itself is wiped when it is taken or lapses (D42).',
      personalData: 'the address',
    },
    {
      table: 'mailbox_guard',
      by: 'created_at',
      keptFor: '15 days',
      why: 'Wrong codes count over the whole life of the contract, which is 14 days at most and began before (D16).',
      personalData: 'the address as typed, by strangers too',
    },
    {
      table: 'sign_attempt',
      by: 'settled_at',
      keptFor: '15 days',
      why: 'Until the link is dead its pages ask what was signed and under which name. One without an end stays until it has one, however old (D41).',
      personalData: 'the name as typed',
    },
    {
      table: 'mailbox_session',
      by: 'expires_at',
      keptFor: '1 day',
      why: 'It has lapsed (D33). Which texts were shown in it goes with it (`text_shown`); that they were is in the evidence.',
      personalData: 'the address of a party; a hash of the token',
    },
    {
      table: 'evidence_task',
      by: 'done_at',
      keptFor: '7 days',
      why: 'The chain contains the entry. A week allows an operator to investigate an error; an open task stays (D30).',
    },
    {
      table: 'report',
      by: 'created_at',
      keptFor: '2 days',
      only: 'client_hmac is not null',
      clearColumn: 'client_hmac',
      why: 'Reports of a client are counted over a day (P8).',
      personalData: 'an HMAC of the client address',
    },
    {
      table: 'report',
      by: 'created_at',
      keptFor: '180 days',
      why: 'Time enough to see that one sender is reported again and again; an operator who has not read it in half a year will not (P8).',
      personalData: 'what somebody wrote in their own words',
    },
    {
      table: 'seal_task',
      by: 'done_at',
      keptFor: '7 days',
      why: 'The seal is stored in tables of its own. An open task stays (D30).',
    },
    ...INBOX_RETENTIONS,
    OUTBOX_RETENTION,
  ],
  kept: [
    { table: 'evidence_chain', why: 'What the service is for: append-only (D30).' },
    { table: 'evidence_entry', why: 'As the chain; holds commitments, nothing personal (D30).' },
    {
      table: 'evidence_opening',
      why: 'What opens the commitments. Goes when the contract is erased (D43).',
      personalData: 'names, addresses, network addresses, browsers',
    },
    {
      table: 'sealed_evidence',
      why: 'The signature over a chain. Same as the chain, also after an erasure (D30, D43).',
    },
    {
      table: 'sealed_copy',
      why: 'What every party may fetch while the link lives, and its mail later. Goes when the contract is erased (D43).',
      personalData: 'the text and the names, as a PDF',
    },
    {
      table: 'erasure',
      why: 'Records an erasure, after which no personal data of the contract may be stored again (D43).',
    },
    { table: 'text_shown', why: 'Deleted with its session.' },
    { table: 'account_hold', why: 'The state of an account, not its history (D37).' },
  ],
}
