// A restore of the databases while Kafka keeps messages from after the restored state. Needs Java and Maven (test/runner/needs.mjs).
import { describeRestore } from './restore-scenario.js'

describeRestore('kafka')
