import { expect, it } from '@jest/globals'
import { decideSend } from './send-limits.js'

const now = new Date('2026-11-21T12:00:00.000Z')
const ago = (...minutes: number[]): Date[] => minutes.map((minute) => new Date(now.getTime() - minute * 60_000))
const decide = (sent: Date[]) => decideSend(sent, now)

it('the first code is sent immediately, and the next only 60 seconds later [D16]', () => {
  expect(decide([])).toEqual({ send: true })
  expect(decide(ago(0.99))).toMatchObject({ send: false, reason: 'too_soon' })
  expect(decide(ago(1))).toEqual({ send: true })
})

it('five codes an hour are sent; a refusal states the time of the next [D16]', () => {
  expect(decide(ago(5, 10, 15, 20))).toEqual({ send: true })
  expect(decide(ago(5, 10, 15, 20, 50))).toEqual({
    send: false,
    reason: 'used_up',
    tryAgainAt: new Date(now.getTime() + 10 * 60_000),
  })
  expect(decide(ago(5, 10, 15, 20, 60))).toEqual({ send: true })
})

it('one code an hour is sent after ten in a day [D16]', () => {
  const ten = ago(30, 130, 190, 250, 310, 370, 430, 490, 550, 610)
  expect(decide(ten)).toMatchObject({ send: false, tryAgainAt: new Date(now.getTime() + 30 * 60_000) })
  expect(decide([...ago(61), ...ten.slice(1)])).toEqual({ send: true })
  expect(decide(ten.slice(0, 9))).toEqual({ send: true })
})
