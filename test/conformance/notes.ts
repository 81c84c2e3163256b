// The notes of docs/internal/conformance.md on some sentences, in addition to the citing tests. The keys are the numbers of the sentences.

/** Sentences that promise nothing that a test could check, and the reason. */
export const PROMISE_NOTHING: Readonly<Record<string, string>> = {
  'S1.2': 'Says how the specification is laid out.',
  'S14.1': 'Introduces the table below it.',
  'S18.3': 'Says how the specification is written.',
  'S23.6': 'Advice to clients; a client that waits as long as `Retry-After` says does not need it.',
  'S25.4': 'Introduces the table below it.',
}

const NO_CHARGE = 'Nothing is charged here: what the operator grants counts as paid, and a trial may use the sandbox.'
const NO_PRICE = 'The price: Paraph takes no payments, and no answer of the interface holds one.'

/** The part of a sentence that no test covers, and the reason. */
export const GAPS: Readonly<Record<string, string>> = {
  'S2.9': NO_CHARGE,
  'S18.6': NO_CHARGE,
  'S20.1': 'That a contract binds in law no test can show.',
  'S21.1': NO_PRICE,
  'S21.2': NO_PRICE,
  'S21.3': NO_PRICE,
}

/** Questions that the specification leaves open, and the files of docs/internal/decisions that decide them. Tests cover the decisions. */
export const DECISIONS: Readonly<Record<string, readonly string[]>> = {
  'S5.6': ['D1'],
  'S10.2': ['D2'],
  'S11.10': ['D3'],
  'S11.11': ['D4'],
  'S12.12': ['D19'],
  'S17.6': ['D2'],
  'S22.1': ['D24'],
  'S23.7': ['D4', 'D5', 'D6'],
  'S23.8': ['D6'],
  'S24.11': ['D11'],
  'S24.12': ['D8'],
}
