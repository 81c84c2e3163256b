// The kinds of evidence for a sentence of the specification. Data only; verdict.ts evaluates test runs.

/** One test, a table of tests, or all tests of a `describe`. */
export interface TestReference {
  file: string
  /** Title, or group and title joined by ` > `, as in the source: `%s` and `$name` match any text. */
  title: string
}

export type Evidence =
  /** `gap`: the part of the sentence that no test shows, and the reason. */
  | { kind: 'shown'; tests: readonly TestReference[]; gap?: string }
  /** The specification leaves it open; a decision answers it, and the tests show the decision. */
  | { kind: 'decided'; decisions: readonly string[]; tests: readonly TestReference[] }
  /** The sentence promises nothing that a test could check. */
  | { kind: 'explains'; reason: string }

/** Heading → sentence → what shows it. */
export type Entries = Readonly<Record<string, Readonly<Record<string, Evidence>>>>

/** The tests of one file by their titles. */
export const testsOf =
  (file: string) =>
  (title: string): TestReference => ({ file, title })

export const shown = (...tests: TestReference[]): Evidence => ({ kind: 'shown', tests })

export const shownBut = (gap: string, ...tests: TestReference[]): Evidence => ({ kind: 'shown', tests, gap })

/** @param decisions rows of docs/decisions.md, such as `D1 D2` */
export const decided = (decisions: string, ...tests: TestReference[]): Evidence => ({
  kind: 'decided',
  decisions: decisions.split(' '),
  tests,
})

export const explains = (reason: string): Evidence => ({ kind: 'explains', reason })
