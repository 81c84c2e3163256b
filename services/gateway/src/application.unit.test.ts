import { expect, it } from 'vitest'
import { faultOfReason, trimReason } from './application.js'

it('takes a reason of several lines, and none with what a mail may not carry [D14, D38]', () => {
  expect(faultOfReason(trimReason('  Two things:\r\n- who signs?\r\n- where?\r\n'))).toBeUndefined()
  expect(trimReason('a\r\nb\n')).toBe('a\nb')
  expect(faultOfReason(trimReason(' \r\n '))).toBe('missing')
  expect(faultOfReason('é'.repeat(1_000))).toBeUndefined()
  expect(faultOfReason('x'.repeat(1_001))).toBe('too_long')
  for (const hidden of ['\u202Egnp.exe', 'Wh\u200By', 'line\rline', 'a\u0000b', 'a\nb\u2028c', 'a\uD800'])
    expect(faultOfReason(hidden)).toBe('wrong')
})
