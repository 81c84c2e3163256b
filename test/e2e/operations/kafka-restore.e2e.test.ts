// Kafka was not lost and remembers a future that the restored databases do not. Needs Java and Maven (test/runner/run.mjs).
import { describeRestore } from './restore-story.js'

describeRestore('kafka')
