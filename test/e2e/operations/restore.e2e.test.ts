// A restore of all five databases, including that of the Postgres bus.
import { describeRestore } from './restore-scenario.js'

describeRestore('postgres')
