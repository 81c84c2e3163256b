// The commands behind `npm run update|bench|test:deep|test:release -- NAME`; named.mjs runs them.

const jest = (environment, ...argv) => `${environment} jest ${argv.join(' ')}`
const bench = (...files) => files.map((file) => `node --expose-gc test/bench/${file}.mjs`).join(' && ')

export const GROUPS = {
  /** Regenerate documents and files from the code. */
  update: {
    openapi: jest('UPDATE_OPENAPI=1', 'test/e2e/api/openapi.e2e'),
    chart: jest('UPDATE_CHART=1', 'test/chart/golden test/chart/readme'),
    traces: jest('UPDATE_TRACE=1', 'test/e2e/operations/traces.e2e'),
    settings: jest('UPDATE_SETTINGS=1', 'test/docs-in-sync/settings-page'),
    metrics: jest('UPDATE_METRICS=1', 'test/docs-in-sync/metrics-page'),
    errors: jest('UPDATE_ERRORS=1', 'test/docs-in-sync/errors-page'),
    cli: jest('UPDATE_CLI=1', 'test/docs-in-sync/cli-page'),
    retention: jest('UPDATE_RETENTION=1', 'test/docs-in-sync/retention'),
    conformance: jest('UPDATE_CONFORMANCE=1', 'test/conformance/conformance.unit'),
    reliability: jest('UPDATE_RELIABILITY=1', 'test/faults/reliability.unit'),
    screens: jest('UPDATE_SCREENS=1', `test/e2e/console/screens.e2e -t 'draws every page'`),
    images: jest('UPDATE_IMAGES=1', `test/e2e/console/screens.e2e -t 'docs/images'`),
  },
  /** Print measurements as ratios to a minimal baseline of the same run. */
  bench: {
    'hot-paths': `${bench('rest-mount', 'contract-text', 'window', 'metering')} && BENCH_WAITERS=100 BENCH_SECONDS=2 ${bench('waiting')}`,
    checks: bench('checks'),
    gateway: bench('gateway/run', 'gateway/memory'),
    pipeline: bench('pipeline/post', 'pipeline/rates', 'pipeline/mails'),
    flat: bench('pipeline/flat'),
    console: bench('console-list'),
    hour: bench('hour'),
    mail: bench('mail-queue'),
    'mail-cost': bench('mail-cost'),
    notify: bench('notify/rates', 'notify/wake'),
    product: bench('product'),
    seal: bench('seal', 'completions'),
    sizing: bench('sizing'),
    tracing: bench('tracing'),
    waiting: bench('waiting'),
  },
  /** The parts of `npm run test:deep` that are not jest projects. */
  deep: {
    faults: 'node test/faults/run.mjs',
    schemathesis: 'node test/schemathesis/run.mjs',
    clients: 'node test/generated-clients/run.mjs',
    'older-postgres': 'node test/older-postgres/run.mjs',
    model: 'node test/model/run.mjs',
    'two-commands': 'node test/docs-in-sync/two-commands.mjs',
  },
  /** Tests that take too long for every run, or need a special machine. */
  release: {
    benches: jest('ALL_BENCHES=1', 'test/bench/benches'),
    'older-postgres': 'node test/older-postgres/run.mjs all',
    rotation: jest('ROTATE_ALL=1', 'test/e2e/operations/rotation.e2e'),
    cluster: jest('PARAPH_CLUSTER=1', '--selectProjects cluster --maxWorkers=1 --verbose'),
    usage: jest('ROUNDS=${ROUNDS:-100}', `test/e2e/api/usage.e2e -t 'rounds of kills'`),
    rolling: jest(
      'ROLLING_ROUNDS=${ROUNDS:-3} ROLLING_RATE=${RATE:-100}',
      'test/e2e/operations/${BUS:+$BUS-}rolling.e2e',
    ),
  },
}
