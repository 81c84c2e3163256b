// All five databases come back together: the bus is one of them.
import { describeRestore } from './restore-story.js'

describeRestore('postgres')
