import { beforeEach, expect, it } from '@jest/globals'
import type { ClaimedDelivery } from '../database.js'
import type { SendOutcome } from '../smtp/mailer.js'
import { createRefusalRun } from './refusal-run.js'

const REFUSED: SendOutcome = { outcome: 'refused', reason: 'smtp 550 5.1.1' }
const ACCEPTED: SendOutcome = { outcome: 'accepted' }

let nowMs: number
let run: ReturnType<typeof createRefusalRun>
beforeEach(() => {
  nowMs = 1_000
  run = createRefusalRun(() => nowMs)
})

/** The server refuses the recipients `from` to below `to`, one in each millisecond. @returns the outcome of each */
const refuse = (from: number, to: number, accountOf = (_: number) => 'a1') =>
  Array.from({ length: to - from }, (_, index) => {
    nowMs += 1
    const { outcome } = run.judge(REFUSED, accountOf(index), `party-${from + index}@b.example`, nowMs - 1)
    if (outcome === 'refused') run.remember({ id: from + index } as ClaimedDelivery, Promise.resolve())
    return outcome
  })
const accept = (startedAtMs: number) => run.judge(ACCEPTED, 'a1', 'good@b.example', startedAtMs)
const taken = () => run.takeEnded().map(({ delivery }) => delivery.id)

it('ten different recipients refused in a row are a fault of the server, and the mails refused before are returned [F34, P23]', () => {
  expect(refuse(0, 9)).toEqual(Array(9).fill('refused'))
  expect(refuse(0, 1)).toEqual(['refused'])
  expect(taken()).toEqual([])
  expect(refuse(9, 11)).toEqual(['blocked', 'blocked'])
  expect(taken()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 0])
  expect(taken()).toEqual([])
})

it('refusals of mails of two accounts show that the server is unavailable [F34, P23]', () => {
  expect(refuse(0, 10, (index) => `a${index % 2}`).at(-1)).toBe('unavailable')
})

it('a mail that was accepted after a refusal ends the run [F7, P23]', () => {
  refuse(0, 9)
  accept(nowMs)
  expect(refuse(9, 18)).toEqual(Array(9).fill('refused'))
  expect(refuse(18, 19)).toEqual(['blocked'])
  expect(taken()).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17])
})

it('a mail whose attempt began before a refusal does not end the run when the server accepts it [F34, P23]', () => {
  const startedAtMs = nowMs
  refuse(0, 5)
  accept(startedAtMs)
  expect(refuse(5, 10).at(-1)).toBe('blocked')
  expect(taken()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})
