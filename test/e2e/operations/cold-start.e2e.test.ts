// Services start before their dependencies, stay alive, log which dependencies are unavailable, and recover. [H6, H7, H8, D32]
import { SERVICES } from '@paraph/protocol/services'
import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { createColdStart } from './cold-start-scenario.js'
import { canName } from '../../faults/names.js'

const isNamed = await canName()

const start = createColdStart('postgres', { isNamed })
beforeAll(start.open)
afterAll(start.close)

describe('a start while Postgres, bus and mail server are down', () => {
  beforeAll(start.startWithoutAll)
  it.each(SERVICES)('makes %s log each unavailable dependency at most twice [H6]', start.logsWhatItWaitsFor)
  it('leaves every service alive, and calls get a 503 with an error message [H7, H8]', start.staysAlive)
  it('succeeds without a restart when all dependencies are available [D32]', start.worksWhenAllCome)
})

;(isNamed ? describe : describe.skip)('a start while the host names of dependencies do not resolve', () => {
  beforeAll(start.startWithoutNames)
  it.each(SERVICES)('makes %s log each unavailable dependency at most twice [H6]', start.logsWhatItWaitsFor)
  it('leaves every service alive, and calls get a 503 with an error message [H7, H8]', start.staysAlive)
  it('succeeds without a restart when the names resolve, that of the mail server last [D32]', start.worksWhenNamesCome)
})
