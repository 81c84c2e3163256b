// The fault scenarios of test/faults/scenarios with stacks of their own, on the Postgres bus: disks, clocks, replicas. [F24, F32, F45, F47]
import { describeFaults } from '../../faults/suite.js'

await describeFaults('postgres', 'own')
