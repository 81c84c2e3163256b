import { expect, it } from '@jest/globals'
import { reasonError, trimReason } from './application.js'

it('a reason may have several lines, and no characters that a mail must not contain [D14, D38]', () => {
  expect(reasonError(trimReason('  Two things:\r\n- who signs?\r\n- where?\r\n'))).toBeUndefined()
  expect(trimReason('a\r\nb\n')).toBe('a\nb')
  expect(reasonError(trimReason(' \r\n '))).toBe('missing')
  expect(reasonError('é'.repeat(1_000))).toBeUndefined()
  expect(reasonError('x'.repeat(1_001))).toBe('too_long')
  for (const hidden of ['\u202Egnp.exe', 'Wh\u200By', 'line\rline', 'a\u0000b', 'a\nb\u2028c', 'a\uD800'])
    expect(reasonError(hidden)).toBe('wrong')
})
