import { createLogger } from '@paraph/telemetry/logger'
import { runService } from '@paraph/service/run'
import { readSigningConfig } from './config.js'
import { createSigningService } from './service.js'

const config = readSigningConfig()
const logger = createLogger('signing', config.LOG_LEVEL)
await runService(config, logger, createSigningService(config, logger))
