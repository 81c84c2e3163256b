// The fault scenarios of test/faults/scenarios that share a stack, on the Postgres bus, which `npm start` uses. [F1-F3, F5-F11, F16, F21, F22]
import { describeFaults } from '../../faults/suite.js'

await describeFaults('postgres', 'shared')
