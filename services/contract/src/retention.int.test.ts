import { itKeepsAWholePlan } from '@paraph/database/retention-fixture'
import { RETENTION } from './retention.js'

itKeepsAWholePlan('contract', RETENTION)
