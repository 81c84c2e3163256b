// In which order test files begin: those that take minutes first, or the last of them runs alone while the other worker has nothing.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By the time they take on two cores. */
const LONG = [
  'faults',
  'signing-cannot-lie',
  'documents',
  'kafka-faults',
  'pages',
  'ceremony',
  'usage',
  'bad-days',
].map((name) => `/test/${name}.e2e.test.ts`)

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((end) => moduleId.endsWith(end))
  return place < 0 ? LONG.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
