import { join } from 'node:path'
import './test/runner/modules.mjs'

const rootDir = import.meta.dirname

// Compiling jest takes half of a worker's start, so Node caches the compiled code. The cache key is the text of a file and Node's version.
process.env.NODE_COMPILE_CACHE ??= join(rootDir, '.cache/compiled')

/** Tests that measure response times, or fail if one of nine processes answers late. They run alone. */
const ALONE = [
  '**/{enumeration,polling,window,rolling,kafka-rolling,rotation,pooler}.e2e.test.ts',
  '**/shared-windows.int.test.ts',
]
/** Tests that need a Kafka broker, an S3 server, stripe-mock or veraPDF, race concurrent calls for a minute, or wait for frozen processes. */
const DEEP_INT = [
  '**/{kafka,documents}/*.int.test.ts',
  '**/{topics,races,archive-formats,object-store,sharing,stripe-mock}.int.test.ts',
]
/** Tests that kill processes, restore backups or wait for outages, and tests of the pages at every width and in every theme. */
const DEEP_E2E = [
  '**/{kafka,kafka-*}.e2e.test.ts',
  '**/{faults,own-stack-faults,bad-days,restore,cold-start,clock-skew,older-version,failed-migration,last-spans}.e2e.test.ts',
  '**/{signing-cannot-lie,idempotency,owner-mails,usage,connections}.e2e.test.ts',
  '**/{ceremony-ways,other-browsers,pages,screens,benches,keys-handbook,erasure,copies,secrecy,object-store}.e2e.test.ts',
]
const not = (patterns) => patterns.map((pattern) => `!${pattern}`)

/** @param limitMs default time limit of a test and of a hook */
const project = (displayName, limitMs, testMatch, setup) => ({
  displayName,
  rootDir,
  testMatch,
  testTimeout: limitMs,
  runtime: '<rootDir>/test/runner/runtime.mjs',
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  transform: {},
  injectGlobals: false,
  // Fake timers change the time of a test. Faking these two would also change the order of callbacks.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  modulePathIgnorePatterns: ['/dist/', '/\\.cache/', '/\\.data/', '/\\.turbo/'],
  globalTeardown: '<rootDir>/test/runner/at-end.ts',
  ...(setup === undefined ? {} : { globalSetup: `<rootDir>/test/runner/${setup}.ts` }),
})

export default {
  rootDir,
  // Each test file runs in its own process, so test files share no modules, timers or handles.
  workerIdleMemoryLimit: 0,
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/runner/longest-first.mjs',
  watchman: false,
  // test/runner/run.mjs assigns the projects to tiers.
  projects: [
    project('unit', 60_000, ['**/*.unit.test.{ts,tsx}']),
    project('int', 60_000, ['**/*.int.test.ts', ...not([...ALONE, ...DEEP_INT])], 'postgres-setup'),
    project('deep-int', 60_000, DEEP_INT, 'postgres-setup'),
    project('e2e', 180_000, ['**/*.e2e.test.ts', ...not([...ALONE, ...DEEP_E2E])], 'shared-stacks'),
    project('deep-e2e', 180_000, [...DEEP_E2E, ...not(ALONE)], 'stack-template'),
    // Renders the chart and validates it against the schemas of Kubernetes. Needs no Postgres.
    project('chart', 60_000, ['**/*.chart.test.ts']),
    project('alone', 180_000, ALONE, 'alone-setup'),
    // Needs a cluster, so only `npm run test:release -- cluster` runs it.
    ...(process.env.KUBECONFIG === undefined || process.env.PARAPH_CLUSTER === undefined
      ? []
      : [project('cluster', 1_200_000, ['**/*.cluster.test.ts'])]),
    // Reads the results of the other projects, so test/runner/run.mjs runs it last.
    ...(process.env.PARAPH_TEST_REPORTS === undefined
      ? []
      : [project('conformance', 60_000, ['**/conformance.run.test.ts'])]),
  ],
}
