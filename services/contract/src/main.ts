import { createLogger } from '@paraph/telemetry/logger'
import { runService } from '@paraph/http/run'
import { readContractConfig } from './config.js'
import { createContractService } from './service.js'

const config = readContractConfig()
const logger = createLogger('contract', config.LOG_LEVEL)
await runService(config, logger, createContractService(config, logger))
