// A restore with a Kafka that was not lost and has later messages than the restored databases. Needs Java and Maven (test/runner/run.mjs).
import { describeRestore } from './restore-scenario.js'

describeRestore('kafka')
