// The start order of test files: the longest first. Otherwise the last of them would run alone while the other worker is idle.
import sequencer from '@jest/test-sequencer'

/** Ordered by duration on two cores. */
const LONG = [
  'faults',
  'signing-cannot-lie',
  'documents',
  'kafka-faults',
  'pages',
  'ceremony',
  'usage',
  'bad-days',
].map((name) => `/${name}.e2e.test.ts`)

const placeOf = ({ path }) => {
  const place = LONG.findIndex((end) => path.endsWith(end))
  return place < 0 ? LONG.length : place
}

export default class LongestFirst extends sequencer {
  async sort(tests) {
    return (await super.sort(tests)).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
