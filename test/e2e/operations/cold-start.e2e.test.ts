// Services that start before anything that they depend on: they stay, say what they wait for, and work when it comes. [H6, H7, H8, D32]
import { SERVICES } from '@paraph/protocol/services'
import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { createColdStart } from './cold-start-story.js'
import { canName } from '../../faults/names.js'

const isNamed = await canName()
if (!isNamed)
  process.stdout.write(
    'SKIPPED: no mounts of a process of its own (Linux, as root); nobody started where names do not resolve.\n',
  )

const start = createColdStart('postgres', { isNamed })
beforeAll(start.open)
afterAll(start.close)

describe('a start with Postgres, bus and mail server away', () => {
  beforeAll(start.startWithoutAll)
  it.each(SERVICES)('%s says in a line each what it waits for, and not again and again [H6]', start.saysWhatItWaitsFor)
  it('leaves every service alive, and what is called answers 503 with a sentence [H7, H8]', start.staysAlive)
  it('works by itself when they come, in the same processes [D32]', start.worksWhenAllCome)
})

;(isNamed ? describe : describe.skip)('a start where none of their names resolves', () => {
  beforeAll(start.startWithoutNames)
  it.each(SERVICES)('%s says the same of names that do not resolve [H6]', start.saysWhatItWaitsFor)
  it('leaves every service alive without any name, and answers 503 [H7, H8]', start.staysAlive)
  it('works by itself when the names come, mails last, in the same processes [D32]', start.worksWhenNamesCome)
})
