// Starts the test files with the longest durations first. Otherwise a long file could run last, while the other worker is idle.
import sequencer from '@jest/test-sequencer'

/** Names of test files, longest duration (on two cores) first. */
const LONG = [
  'faults',
  'own-stack-faults',
  'signing-cannot-lie',
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
