// All five databases are restored together, including the bus.
import { describeRestore } from './restore-story.js'

describeRestore('postgres')
