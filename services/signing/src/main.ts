import { createLogger } from '@paraph/telemetry/logger'
import { runService } from '@paraph/service/run'
import { readSigningConfig } from './config.js'
import { endingSeals, openEvidenceKeys } from './evidence-keys.js'
import { createSigningService } from './service.js'

const config = readSigningConfig()
const logger = createLogger('signing', config.LOG_LEVEL)
const evidence = await openEvidenceKeys(config)
for (const ending of endingSeals(evidence, new Date(), 30))
  logger.error(ending, 'a certificate that seals PDFs is over soon or already; readers of PDF will say so')
await runService(config, logger, createSigningService(config, evidence, logger))
