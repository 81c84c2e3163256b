// The cold-start tests with EVENT_BUS=kafka and unavailable brokers. Needs Java and Maven (test/runner/needs.mjs). [H6, H7, H8, D32]
import { SERVICES } from '@paraph/protocol/services'
import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { createColdStart } from './cold-start-scenario.js'
import { canName } from '../../faults/names.js'

const isNamed = await canName()
const start = createColdStart('kafka', { isNamed })
beforeAll(start.open)
afterAll(start.close)

describe('a start while Postgres, brokers and mail server are down', () => {
  beforeAll(start.startWithoutAll)
  it.each(SERVICES)('makes %s log each unavailable dependency at most twice [H6]', start.logsWhatItWaitsFor)
  it('leaves every service alive without brokers, and calls get a 503 [H7, H8]', start.staysAlive)
  it('succeeds without a restart when all dependencies are available [D32]', start.worksWhenAllCome)
})

;(isNamed ? describe : describe.skip)('a start while the host names of dependencies do not resolve', () => {
  beforeAll(start.startWithoutNames)
  it.each(SERVICES)('makes %s log each unavailable dependency at most twice [H6]', start.logsWhatItWaitsFor)
  it('succeeds without a restart when the names resolve [D32]', start.worksWhenNamesCome)
})
