import { expect, it } from '@jest/globals'
import { billingPeriodOf } from './billing-period.js'

it.each([
  ['2026-11-21T17:00:00.000Z', '2026-11', '2026-11-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z'],
  ['2026-11-30T23:59:59.999Z', '2026-11', '2026-11-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z'],
  ['2026-12-01T00:00:00.000Z', '2026-12', '2026-12-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ['2028-02-10T00:00:00.000Z', '2028-02', '2028-02-01T00:00:00.000Z', '2028-02-29T23:59:59.999Z'],
  ['2100-02-10T00:00:00.000Z', '2100-02', '2100-02-01T00:00:00.000Z', '2100-02-28T23:59:59.999Z'],
])(
  'the call at %s belongs to the month %s, from its first instant to its last millisecond [S11.1, S11.8-9, S24.10, F26]',
  (instant, period, startAt, endAt) => {
    expect(billingPeriodOf(new Date(instant))).toEqual({ period, startAt: new Date(startAt), endAt: new Date(endAt) })
  },
)
