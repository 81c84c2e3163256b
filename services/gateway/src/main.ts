import { runService } from '@paraph/http/run'
import { createLogger } from '@paraph/telemetry/logger'
import { readGatewayConfig } from './config.js'
import { createGatewayService } from './service.js'

const config = readGatewayConfig()
const logger = createLogger('gateway', config.LOG_LEVEL)
await runService(config, logger, createGatewayService(config, logger))
