// Services start before all their dependencies: they stay alive, log what they wait for, and work when it is available. [H6, H7, H8, D32]
import { SERVICES } from '@paraph/protocol/services'
import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { createColdStart } from './cold-start-scenario.js'
import { canName } from '../../faults/names.js'

const isNamed = await canName()
if (!isNamed)
  process.stdout.write(
    'SKIPPED: no mounts of a process of its own (Linux, as root); no start without resolvable names was tested.\n',
  )

const start = createColdStart('postgres', { isNamed })
beforeAll(start.open)
afterAll(start.close)

describe('a start while Postgres, bus and mail server are down', () => {
  beforeAll(start.startWithoutAll)
  it.each(SERVICES)('makes %s log once what it waits for, in one line each [H6]', start.logsWhatItWaitsFor)
  it('leaves every service alive, and calls get a 503 with an error message [H7, H8]', start.staysAlive)
  it('succeeds automatically when they are available, in the same processes [D32]', start.worksWhenAllCome)
})

;(isNamed ? describe : describe.skip)('a start where none of their names resolves', () => {
  beforeAll(start.startWithoutNames)
  it.each(SERVICES)('makes %s log the same for names that do not resolve [H6]', start.logsWhatItWaitsFor)
  it('leaves every service alive without any name, and answers 503 [H7, H8]', start.staysAlive)
  it('succeeds automatically when the names resolve, mails last, in the same processes [D32]', start.worksWhenNamesCome)
})
