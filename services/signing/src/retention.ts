// How long the signing service keeps its rows. [D16, D30, D33, D41, D42]
// Strangers type addresses too: a row with an address is deleted as soon as no limit and no page needs it. A row that an evidence task
// reads stays until the task has written its entry.
import { POSITION_KEPT, type RetentionPlan } from '@paraph/database/retention'
import { INBOX_RETENTIONS, OUTBOX_RETENTION } from '@paraph/messaging/retention'

/** True when no open evidence task of the row's contract refers to the row. `idKey` is the field of the task that holds the row's id. */
const noTaskReads = (table: string, idKey: string): string =>
  `not exists (select from evidence_task t where t.contract_id = ${table}.scope and t.done_at is null and t.data->>'${idKey}' = ${table}.id::text)`

export const RETENTION: RetentionPlan = {
  pruned: [
    { table: 'simulated_party', by: 'created_at', keptFor: '2 days', why: 'A sandbox contract lasts an hour (D63).' },
    {
      table: 'challenge',
      by: 'created_at',
      keptFor: '1 day',
      only: noTaskReads('challenge', 'challengeId'),
      why: 'Its code expires after 10 minutes, and the limit per client covers one hour (D16). For the rest of the day its page explains why the code has ended.',
      personalData: 'the typed address, even if a stranger typed it; an HMAC of the client address',
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
      only: `finished_at is not null and ${noTaskReads('code_send', 'codeId')}`,
      why: 'The limit of codes to an address covers 24 hours (D16). The code itself is wiped when it is accepted or expires (D42).',
      personalData: 'the address',
    },
    {
      table: 'mailbox_guard',
      by: 'created_at',
      keptFor: '15 days',
      why: 'Wrong codes count during the life of the contract, at most 14 days (D16).',
      personalData: 'the typed address, even if a stranger typed it',
    },
    {
      table: 'sign_attempt',
      by: 'finished_at',
      keptFor: '15 days',
      why: 'The pages need the outcome and the typed name until the link expires. An unfinished attempt stays until it is finished (D41).',
      personalData: 'the name as typed',
    },
    {
      table: 'decline',
      by: 'created_at',
      keptFor: '15 days',
      why: 'The entry of the chain takes it over within seconds. One whose outcome is unknown stays as long as its contract (D57).',
      personalData: 'the reason in words; the network address and the browser',
    },
    {
      table: 'mailbox_session',
      by: 'expires_at',
      keptFor: '1 day',
      why: 'The session has expired (D33). The rows of its shown texts (`text_shown`) are deleted with it; the evidence records them.',
      personalData: 'the address of a party; a hash of the token',
    },
    {
      table: 'evidence_task',
      by: 'done_at',
      keptFor: '7 days',
      why: 'The chain contains the entry. A week allows an operator to investigate an error; an open or parked task stays (D30).',
    },
    {
      table: 'report',
      by: 'created_at',
      keptFor: '2 days',
      only: 'client_hmac is not null',
      clearColumn: 'client_hmac',
      why: 'The limit of reports per client covers one day (P8).',
      personalData: 'an HMAC of the client address',
    },
    {
      table: 'report',
      by: 'created_at',
      keptFor: '180 days',
      why: 'Long enough to recognise a sender who is reported repeatedly (P8).',
      personalData: 'the free text of the reporter; the note and the address of the operator who handled it',
    },
    {
      table: 'seal_task',
      by: 'done_at',
      keptFor: '7 days',
      why: 'The seal itself is in other tables. An open task stays (D30).',
    },
    {
      table: 'object_deletion',
      by: 'done_at',
      keptFor: '7 days',
      why: 'The object is deleted from the object store. A week allows an operator to see when. An open deletion stays (P43).',
    },
    ...INBOX_RETENTIONS,
    OUTBOX_RETENTION,
  ],
  kept: [
    POSITION_KEPT,
    { table: 'evidence_chain', why: 'The data that the service exists for; append-only (D30).' },
    { table: 'evidence_entry', why: 'Same as the chain. Contains commitments, no personal data (D30).' },
    {
      table: 'evidence_opening',
      why: 'The disclosures of the commitments. Deleted when the contract is erased (D43).',
      personalData: 'names, addresses, network addresses, browsers',
    },
    {
      table: 'sealed_evidence',
      why: 'The signature over a chain, here or in the object store. Same as the chain, also after an erasure (D30, D43, P43).',
    },
    {
      table: 'sealed_copy',
      why: 'The copy that every party can download while the link is valid, and that its mail attaches. Deleted when the contract is erased, also from the object store (D43, P43).',
      personalData: 'the text and the names, as a PDF',
    },
    {
      table: 'erasure',
      why: 'Records an erasure, after which no personal data of the contract may be stored again (D43).',
    },
    { table: 'text_shown', why: 'Deleted with its session.' },
    { table: 'account_hold', why: 'The state of an account, not its history (D37).' },
    { table: 'account_brand', why: 'The brand that the operator approved, not its history (D59).' },
    { table: 'brand_logo', why: 'The pictures of these brands. Deleted when no brand has them any more (D59).' },
  ],
}
