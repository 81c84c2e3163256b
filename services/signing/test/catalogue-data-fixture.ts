// The sample data of the catalogue of pages: the shared sample as the pages take it, the text of the contract, and names and texts that
// are hard to lay out. For tests.
import { createHash } from 'node:crypto'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import type { PartyLine } from '@paraph/web/signature-line'

export const CONTRACT = {
  senderName: shared.SENDER_NAME,
  accountName: shared.ACCOUNT_NAME,
  contractType: 'nda' as const,
  contractNumber: shared.CONTRACT_NUMBER,
  expiresAt: shared.EXPIRES_AT,
}
export const SANDBOX_CONTRACT = { ...CONTRACT, expiresAt: shared.SANDBOX_EXPIRES_AT }
export const SANDBOX = { endsAt: SANDBOX_CONTRACT.expiresAt }
export const FORM = { token: shared.SHARE_TOKEN, formToken: 'sample-form-token' }
/** Jane Roe reads the pages. */
export const EMAIL = shared.PARTIES[1].email
export const SIGNED_AT = shared.SIGNED_AT[1]
export const REQUEST_ID = 'c0a8d1f2-5f0e-4b7a-9b0d-2f4d1f6c9e31'

const party = (role: string, legalName: string, hasSigned: boolean, isYou = false): PartyLine => ({
  role,
  legalName,
  hasSigned,
  isYou,
})

/** The three parties of the pictures; the first `signed` of them have signed. Jane Roe reads the page. */
export const parties = (signed: number): PartyLine[] =>
  shared.PARTIES.map(({ role, legalName, email }, index) => party(role, legalName, signed > index, email === EMAIL))

/** Jane Roe is a party twice, and has signed for herself. */
export const partiesWithTwoOfYours: PartyLine[] = [
  ...parties(2).slice(0, 2),
  party('Director', 'Roe Trading Inc.', false),
]

/** The longest name that is allowed, without a space. */
export const LONG_NAME = 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200)
export const LONG_SENDER =
  'The Procurement Department of the Amalgamated Northern Foods and Fisheries Co-operative, Halifax NS'
export const LONG_EMAIL = `${'jane.roe.'.repeat(7)}x@${'a-rather-long-label.'.repeat(6)}example.com`
export const ARABIC_NAME = 'شركة الأغذية الشمالية المحدودة'
const HEBREW_NAME = 'יעל כהן (Yael Cohen) 3'

export const longParties: PartyLine[] = [
  party(LONG_NAME.slice(0, 100), LONG_NAME, true),
  party('Recipient', LONG_NAME.toUpperCase(), false, true),
  party('The party of the third part, its successors and permitted assigns', 'Li', false),
]
export const rightToLeftParties: PartyLine[] = [
  party('المفصح', ARABIC_NAME, true),
  party('מקבל', HEBREW_NAME, false, true),
  party('Recipient', 'Harbour Analytics Inc.', false),
]
/** The same parties after the reader has signed. */
export const withYours = (lines: readonly PartyLine[]): PartyLine[] =>
  lines.map((line) => (line.isYou ? { ...line, hasSigned: true } : line))
/** The most parties that a contract can have. */
export const fiftyParties: PartyLine[] = Array.from({ length: 50 }, (_, index) =>
  party(`Shareholder ${index + 1}`, `Holding Company Number ${index + 1} Inc.`, index % 3 === 0, index === 19),
)

export const NDA = `NON-DISCLOSURE AGREEMENT

This agreement is between Nordic Foods Ltd. ("the Discloser"), Jane Roe and Harbour Analytics Inc. (each "a Recipient"). It starts on the day the last of them signs it.

1. WHY THIS AGREEMENT EXISTS

The Discloser wants to show the Recipients its supplier records and cold-chain measurements so that they can judge whether to build a joint forecasting service. Each Recipient agrees to keep what it is shown to itself.

2. WHAT IS CONFIDENTIAL

2.1 "Confidential Information" means everything the Discloser shows or tells a Recipient about its business, in any form, after this agreement starts.

2.2 It includes, among other things:

(a) prices, volumes and the names of suppliers;

(b) temperature and transport measurements, whether raw or summarised;

(c) software, models and the results they give.

2.3 It does not include anything that a Recipient can show it already knew, learned lawfully from somebody else, or worked out without using what the Discloser showed it.

3. WHAT EACH RECIPIENT PROMISES

3.1 To use Confidential Information only to judge the joint service, and for nothing else.

3.2 To show it only to its own staff who need it, and to make sure that they keep the same promises.

3.3 To protect it with at least the care it takes of its own records, and never less than reasonable care.

3.4 To tell the Discloser within 2 working days if it learns that any of it was lost or seen by somebody who should not have seen it.

4. WHEN THE LAW ASKS FOR IT

A Recipient may disclose what a court or a public authority orders it to disclose. Where the law allows, it first tells the Discloser, so that the Discloser can object.

5. RETURN AND DELETION

When the Discloser asks, and at the latest 30 days after this agreement ends, each Recipient returns or deletes all Confidential Information. Copies in routine back-ups may stay until they are overwritten, and this agreement covers them until then.

6. NO LICENCE AND NO PROMISE TO BUY

Nothing here gives a Recipient any right in the Discloser's records, marks or inventions. Nobody is obliged to enter into any further agreement.

7. HOW LONG IT LASTS

This agreement lasts 2 years from its start. The promises in section 3 last 3 years longer. Any party may end the exchange of information at any time with 10 days' notice in writing.

8. WHICH LAW APPLIES

The law of Ontario and the federal laws of Canada that apply there govern this agreement. The courts of Ontario decide disputes about it.

9. SIGNING

Each party may sign electronically and separately. Together the signed copies are one agreement. A change to it counts only if every party signs it.
`

/** The first section of NDA, for pages where the text does not matter. */
export const SHORT = NDA.slice(0, NDA.indexOf('\n2. '))

/** NDA with hidden characters. */
export const HIDDEN = NDA.replace('prices, volumes', 'prices, \u202Esemulov\u202C').replace(
  'whether raw',
  'whether raw\u200B',
)

/** Text that is hard to lay out: a table, a very long word, Arabic, blank lines, capitals. */
export const AWKWARD = [
  'SCHEDULE 1: PRICES',
  '',
  'Item                    Quantity      Unit price        Total',
  'Frozen cod, 10 kg             40       CAD 81.50     CAD 3,260.00',
  'Smoked salmon, 2 kg          120       CAD 44.00     CAD 5,280.00',
  '',
  `Reference: ${'x'.repeat(300)}`,
  '',
  'هذا العقد بين الطرفين ويسري من تاريخ توقيع آخر طرف.',
  ...Array.from({ length: 60 }, () => ''),
  'THE SELLER MAY ASSIGN ALL RIGHTS UNDER THIS AGREEMENT WITHOUT THE CONSENT OF THE BUYER.',
].join('\n')

export const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex')
