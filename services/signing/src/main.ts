import { createLogger } from '@paraph/telemetry/logger'
import { runService } from '@paraph/http/run'
import { readSigningConfig } from './config.js'
import { openObjectStore } from './documents/object-store.js'
import { expiringSeals, openEvidenceKeys } from './sealing/keys.js'
import { createSigningService } from './service.js'

const config = readSigningConfig()
const logger = createLogger('signing', config.LOG_LEVEL)
const evidence = await openEvidenceKeys(config)
const objects = config.OBJECT_STORE_URL && (await openObjectStore(config.OBJECT_STORE_URL))
for (const expiring of expiringSeals(evidence, new Date(), 30))
  logger.error(
    expiring,
    'a seal certificate has expired or expires within 30 days; PDF readers reject seals made after the expiry',
  )
await runService(config, logger, createSigningService(config, evidence, objects, logger))
