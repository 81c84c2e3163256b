import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.js'

const root = fileURLToPath(new URL('.', import.meta.url))

// Workspace packages resolve to their sources, so that a test never meets a stale build.
const shared = {
  resolve: {
    alias: [
      { find: /^@paraph\/(gateway|contract|signing|notification)\/(.*)$/, replacement: `${root}services/$1/src/$2` },
      { find: /^@paraph\/local\/(.*)$/, replacement: `${root}deploy/local/src/$1` },
      { find: /^@paraph\/(\w+)\/(.*)$/, replacement: `${root}libs/$1/src/$2` },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
} as const

/** What measures how fast it is answered, or must be answered in time by nine processes: nothing else runs beside it. */
const ALONE = [
  ...['enumeration', 'polling', 'window', 'rolling', 'kafka-rolling', 'rotation'].map(
    (name) => `test/${name}.e2e.test.ts`,
  ),
  'services/gateway/src/shared-windows.int.test.ts',
]

/** Most of an int test is waiting for Postgres: one more than two cores can compute. */
const WORKERS = Math.max(3, availableParallelism())

export default defineConfig({
  ...shared,
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['{libs,services,deploy,test}/**/*.unit.test.{ts,tsx}'],
          // A limit for what hangs; thousands of texts take seconds where a machine has much else to do.
          testTimeout: 60_000,
          maxWorkers: WORKERS,
        },
      },
      {
        ...shared,
        test: {
          name: 'int',
          include: ['{libs,services,deploy}/**/*.int.test.ts'],
          exclude: ALONE,
          globalSetup: ['test/global-setup.ts'],
          // A limit for what hangs; races on a loaded machine take half of it.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: WORKERS,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['test/*.e2e.test.ts'],
          exclude: ALONE,
          globalSetup: ['test/stack-template.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each has a stack of its own; two of them leave each other enough of two cores.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      // Renders the chart and asks Kubernetes' schemas; no Postgres.
      {
        ...shared,
        test: {
          name: 'chart',
          include: ['test/chart/*.chart.test.ts'],
          // None of them changes what a module holds: the files of one worker share its renders.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: WORKERS,
        },
      },
      {
        ...shared,
        test: {
          name: 'alone',
          include: ALONE,
          globalSetup: ['test/global-setup.ts', 'test/stack-template.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      // Needs a cluster: `npm run test:cluster` asks for it by name, and nothing else does.
      ...(process.env['KUBECONFIG'] === undefined || process.env['PARAPH_CLUSTER'] === undefined
        ? []
        : [
            {
              ...shared,
              test: { name: 'cluster', include: ['test/cluster/*.cluster.test.ts'], testTimeout: 1_200_000 },
            },
          ]),
      // Looks at the results of the others: test/run.mjs runs it after them.
      ...(process.env.PARAPH_TEST_REPORT === undefined
        ? []
        : [{ ...shared, test: { name: 'conformance', include: ['test/conformance.run.test.ts'] } }]),
    ],
  },
})
