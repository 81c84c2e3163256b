import { testRetentionPlan } from '@paraph/database/test/retention-fixture'
import { RETENTION } from './retention.js'

testRetentionPlan('gateway', RETENTION)
