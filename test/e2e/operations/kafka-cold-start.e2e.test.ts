// The same starts with EVENT_BUS=kafka, the brokers away too. Needs Java and Maven (test/runner/run.mjs). [H6, H7, H8, D32]
import { SERVICES } from '@paraph/protocol/services'
import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { createColdStart } from './cold-start-story.js'
import { canName } from '../../faults/names.js'

const isNamed = await canName()
const start = createColdStart('kafka', { isNamed })
beforeAll(start.open)
afterAll(start.close)

describe('a start with Postgres, brokers and mail server away', () => {
  beforeAll(start.startWithoutAll)
  it.each(SERVICES)('%s says in a line each what it waits for, the brokers too [H6]', start.saysWhatItWaitsFor)
  it('leaves every service alive without brokers, and answers 503 [H7, H8]', start.staysAlive)
  it('works by itself when all come, brokers too, in the same processes [D32]', start.worksWhenAllCome)
})

;(isNamed ? describe : describe.skip)('a start where none of their names resolves', () => {
  beforeAll(start.startWithoutNames)
  it.each(SERVICES)('%s says the same of names that do not resolve, the brokers’ too [H6]', start.saysWhatItWaitsFor)
  it('works by itself when the names come, in the same processes [D32]', start.worksWhenNamesCome)
})
