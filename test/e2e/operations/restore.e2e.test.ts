// All five databases are restored together, including the bus.
import { describeRestore } from './restore-scenario.js'

describeRestore('postgres')
