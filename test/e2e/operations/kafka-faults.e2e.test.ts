// The fault scenarios that depend on the bus, on a real Kafka. Needs Java and Maven (test/runner/needs.mjs). [F1, F2, F9-F11, F16, F22]
import { describeFaults } from '../../faults/suite.js'

await describeFaults('kafka')
