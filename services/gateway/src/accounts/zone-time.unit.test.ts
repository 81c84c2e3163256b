import { expect, it } from '@jest/globals'
import { nextMorning, startOfDay } from './zone-time.js'

it.each([
  ['UTC', '2026-11-28T07:59:59.999Z', '2026-11-28T08:00:00.000Z'],
  ['UTC', '2026-11-28T08:00:00.000Z', '2026-11-29T08:00:00.000Z'],
  ['America/Toronto', '2026-11-28T12:00:00.000Z', '2026-11-28T13:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-28T12:00:00.000Z', '2026-11-29T02:30:00.000Z'],
  // The clocks change in the night before: an hour earlier, and an hour later, by UTC.
  ['America/Toronto', '2026-03-08T01:00:00.000Z', '2026-03-08T12:00:00.000Z'],
  ['America/Toronto', '2026-11-01T03:30:00.000Z', '2026-11-01T13:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-12-31T19:00:00.000Z', '2027-01-01T18:00:00.000Z'],
])('the next morning in %s after %s is %s [D70]', (timeZone, now, morning) => {
  expect(nextMorning(new Date(now), timeZone).toISOString()).toBe(morning)
})

it.each([
  ['UTC', '2026-11-28', '2026-11-28T00:00:00.000Z'],
  ['America/Toronto', '2026-11-28', '2026-11-28T05:00:00.000Z'],
  // The clocks change at 2:00 of these days.
  ['America/Toronto', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['America/Toronto', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['Asia/Tokyo', '2026-11-28', '2026-11-27T15:00:00.000Z'],
  ['Pacific/Apia', '2026-11-28', '2026-11-27T11:00:00.000Z'],
])('the start of a day in %s: %s is %s [D71]', (timeZone, day, start) => {
  expect(startOfDay(day, timeZone).toISOString()).toBe(start)
})
