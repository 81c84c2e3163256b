import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

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

export default defineConfig({
  ...shared,
  test: {
    projects: [
      { ...shared, test: { name: 'unit', include: ['{libs,services,deploy,test}/**/*.unit.test.{ts,tsx}'] } },
      {
        ...shared,
        test: {
          name: 'int',
          include: ['{libs,services,deploy}/**/*.int.test.ts'],
          globalSetup: ['test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['test/*.e2e.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      // Looks at the results of the others: test/run.mjs runs it after them.
      ...(process.env.PARAPH_TEST_REPORT === undefined
        ? []
        : [{ ...shared, test: { name: 'conformance', include: ['test/conformance.run.test.ts'] } }]),
    ],
  },
})
