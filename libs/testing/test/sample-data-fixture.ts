// One sample for the catalogues of pages, mails and PDFs, so that no two pictures contradict each other. All times are UTC.
//
// Nordic Foods Ltd. applies for access on 6 July 2026 and has a plan from the next day. On 20 November it creates a non-disclosure
// agreement of three parties and signs it. Jane Roe signs on 24 November, and Harbour Analytics Inc. on 25 November. The console is drawn
// on 24 November at 12:10. Pictures of another end of the contract use `CANCELLED_AT`, `ERASED_AT` and `EXPIRES_AT`.

export const SHARE_BASE_URL = 'https://sign.example.com'
export const API_URL = `${SHARE_BASE_URL}/api/external/v2`
export const STATUS_URL = 'https://status.example.com'
export const OPERATOR_ADDRESS = 'operator@example.com'
export const MAIL_DOMAIN = 'mail.example.com'

export const ACCOUNT_NAME = 'Nordic Foods Ltd.'
export const SENDER_NAME = 'Nordic Foods procurement'
/** The owner who reads the pages and mails; a second owner; and a person who is invited and has not accepted. */
export const OWNER = 'amelie.tremblay@nordicfoods.example'
export const SECOND_OWNER = 'paul.roy@nordicfoods.example'
export const INVITED_OWNER = 'sam.lee@nordicfoods.example'
export const REPLY_ADDRESS = 'replies@nordicfoods.example'
export const APPLIED_AT = new Date('2026-07-06T09:41:18.204Z')
export const APPROVED_AT = new Date('2026-07-06T14:05:52.611Z')
/** The last four characters of the account's first production key. */
export const KEY_LAST_FOUR = 'w4Xz'
/** The time of the pictures of the console. */
export const NOW = new Date('2026-11-24T12:10:00.000Z')

export const CONTRACT_ID = 'contract-1795183391482-k3v9x2m4q'
export const CONTRACT_NUMBER = 'EXT-20261120-7KQ4MXTA'
export const SHARE_TOKEN = 'vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq'
export const SHARE_URL = `${SHARE_BASE_URL}/contract/${SHARE_TOKEN}`
export const PARTIES = [
  { role: 'Discloser', legalName: ACCOUNT_NAME, email: 'legal@nordicfoods.example' },
  { role: 'Recipient', legalName: 'Jane Roe', email: 'jane.roe@example.com' },
  { role: 'Recipient', legalName: 'Harbour Analytics Inc.', email: 'contracts@harbour.example' },
] as const

/**
 * The times of the contract's evidence: its creation; five entries for each party (code verified, text shown, consent given, signature
 * submitted, signature accepted); its completion.
 */
export const EVIDENCE_TIMES = [
  ['2026-11-20T14:03:11.482Z'],
  ['2026-11-20T15:15:40.218Z', '2026-11-20T15:16:03.771Z', '2026-11-20T15:20:43.960Z'],
  ['2026-11-20T15:20:43.968Z', '2026-11-20T15:20:44.102Z'],
  ['2026-11-24T09:52:18.640Z', '2026-11-24T09:52:19.027Z', '2026-11-24T10:00:26.155Z'],
  ['2026-11-24T10:00:26.163Z', '2026-11-24T10:00:26.317Z'],
  ['2026-11-25T16:28:40.873Z', '2026-11-25T16:28:41.244Z', '2026-11-25T16:41:09.150Z'],
  ['2026-11-25T16:41:09.158Z', '2026-11-25T16:41:09.314Z'],
  ['2026-11-25T16:41:09.314Z'],
].flatMap((times) => times.map((time) => new Date(time)))

export const CREATED_AT = EVIDENCE_TIMES[0]!
/** The times of the three signatures. */
export const SIGNED_AT = [EVIDENCE_TIMES[5]!, EVIDENCE_TIMES[10]!, EVIDENCE_TIMES[15]!] as const
export const COMPLETED_AT = EVIDENCE_TIMES[16]!
export const EXPIRES_AT = new Date('2026-12-04T14:03:11.482Z')
export const CANCELLED_AT = new Date('2026-11-24T15:30:42.871Z')
/** The owner asks for the erasure, which follows seven days later. [P32] */
export const ERASURE_ASKED_AT = new Date('2026-11-24T15:34:05.230Z')
export const ERASED_AT = new Date('2026-12-01T15:34:05.230Z')

/** The same contract in the sandbox, where it ends an hour after its creation: one entry in 142 seconds. [D15] */
export const SANDBOX_TIMES = EVIDENCE_TIMES.map((_, index) => new Date(CREATED_AT.getTime() + index * 142_000))
export const SANDBOX_EXPIRES_AT = new Date(CREATED_AT.getTime() + 3_600_000)
