// Whether a permanent refusal of the SMTP server concerns the recipient or us. Pure. [F7, F34, P23]
// RFC 3463 gives a refusal a subject: x.1 address, x.2 mailbox, x.6 content, and x.3 system, x.4 routing, x.5 protocol, x.7 policy.

/** x.1.7 and x.1.8 concern the address of the sender, which is ours. */
const ABOUT_RECIPIENT = /^5\.(1\.(?![78]$)|2\.|6\.)/
/**
 * Codes about the recipient in an answer without an enhanced code: a malformed, unknown, moved or forbidden mailbox, and a domain that
 * accepts no mail. The others, above all 554, are how a server refuses a relay, a sender or a policy.
 */
const RECIPIENT_CODES = [501, 550, 551, 553, 556]
/** The mail is too big or the mailbox is full. Some servers say so with 5.3.4, though it concerns this mail alone. */
const TOO_BIG = 552

/** The enhanced status code in an answer such as `550 5.1.1 unknown`; undefined if it has none, or one that says nothing (5.0.x). */
export const enhancedCodeOf = (response: unknown): string | undefined =>
  /^5\d\d[ -](5\.[1-7]\.\d{1,3})\b/.exec(typeof response === 'string' ? response : '')?.[1]

/** True if the refusal is about this recipient or this mail, so that no later attempt can succeed. */
export const concernsRecipient = (responseCode: number, enhancedCode: string | undefined): boolean =>
  responseCode === TOO_BIG ||
  (enhancedCode === undefined ? RECIPIENT_CODES.includes(responseCode) : ABOUT_RECIPIENT.test(enhancedCode))
