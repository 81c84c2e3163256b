// The cold starts with EVENT_BUS=kafka and unavailable brokers. Needs Java and Maven (test/runner/run.mjs). [H6, H7, H8, D32]
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
  it.each(SERVICES)('makes %s log once what it waits for, including the brokers [H6]', start.logsWhatItWaitsFor)
  it('leaves every service alive without brokers, and answers 503 [H7, H8]', start.staysAlive)
  it('succeeds automatically when all are available, in the same processes [D32]', start.worksWhenAllCome)
})

;(isNamed ? describe : describe.skip)('a start where none of their names resolves', () => {
  beforeAll(start.startWithoutNames)
  it.each(SERVICES)(
    'makes %s log the same for names that do not resolve, including the brokers’ [H6]',
    start.logsWhatItWaitsFor,
  )
  it('succeeds automatically when the names resolve, in the same processes [D32]', start.worksWhenNamesCome)
})
