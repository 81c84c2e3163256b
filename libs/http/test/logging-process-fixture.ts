// A process of `runService` that writes as many log lines as its parent asks for. run.int.test.ts starts it.
import { createLogger } from '@paraph/telemetry/logger'
import { runService } from '../src/run.js'

const logger = createLogger('logging', 'info')
const TEXT = 'x'.repeat(1_000)

process.on('message', (lines: number) => {
  for (let line = 0; line < lines; line += 1) logger.info({ line }, TEXT)
  process.send?.('written')
})

await runService({ HOST: '127.0.0.1', PORT: 0, INTERNAL_PORT: 0, LINGER_SECONDS: 0, DRAIN_SECONDS: 1 }, logger, {
  publicMiddleware: [],
  internalMiddleware: [],
  start: () => undefined,
  stop: () => Promise.resolve(),
})
process.send?.('ready')
