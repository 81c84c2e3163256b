// The fault scenarios on the bus that npm start uses. Every scenario is in test/faults/scenarios. [F1-F3, F5-F11, F16, F21, F22, F24]
import { describeFaults } from '../../faults/suite.js'

await describeFaults('postgres')
