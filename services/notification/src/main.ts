import { createLogger } from '@paraph/telemetry/logger'
import { runService } from '@paraph/http/run'
import { readNotificationConfig } from './config.js'
import { createNotificationService } from './service.js'

const config = readNotificationConfig()
const logger = createLogger('notification', config.LOG_LEVEL)
await runService(config, logger, createNotificationService(config, logger))
