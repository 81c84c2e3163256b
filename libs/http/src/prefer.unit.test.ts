import { expect, it } from '@jest/globals'
import { isStrict, waitSecondsOf } from './prefer.js'

it.each<[string | undefined, number | undefined]>([
  ['wait=10', 10],
  ['wait=1', 1],
  ['wait=30', 30],
  ['wait=31', 30],
  [`wait=${'9'.repeat(400)}`, 30],
  ['wait=007', 7],
  ['WAIT=5', 5],
  ['Wait="5"', 5],
  ['wait="\\5"', 5],
  ['  wait \t=\t 5  ', 5],
  ['wait=5;foo="a,b;c=\\"";bar', 5],
  ['respond-async, wait=5', 5],
  ['respond-async; x="wait=3, wait=4", handling=lenient, wait=5', 5],
  [',, ,wait=5,', 5],
  ['@@@=?, wait=5', 5],
  // The first preference of each name counts. [RFC 7240, 2]
  ['wait=5, wait=7', 5],
  ['wait=soon, wait=7', undefined],
  [undefined, undefined],
  ['', undefined],
  ['wait', undefined],
  ['wait=', undefined],
  ['wait=""', undefined],
  ['wait=0', undefined],
  ['wait=-1', undefined],
  ['wait=+1', undefined],
  ['wait=1.5', undefined],
  ['wait=1e1', undefined],
  ['wait=0x5', undefined],
  ['wait=5 6', undefined],
  ['wait="5', undefined],
  ['waiting=5', undefined],
  ['x="wait=5"', undefined],
  ['foo;wait=5', undefined],
  ['foo="unclosed, wait=5', undefined],
])('the Prefer header %j is parsed as %j [RFC 7240, D22]', (prefer, seconds) => {
  expect(waitSecondsOf(prefer)).toBe(seconds)
})

it.each([
  ['handling=strict', true],
  ['wait=5, Handling="Strict"; x=1', true],
  ['handling=lenient, handling=strict', false],
  ['handling=lenient', false],
  ['handling', false],
  ['x=handling=strict', false],
  [undefined, false],
])('the Prefer header %j asks for strict handling: %j [RFC 7240, D55]', (prefer, strict) => {
  expect(isStrict(prefer)).toBe(strict)
})

it('the longest Prefer header is parsed in linear time', () => {
  const startedAtMs = performance.now()
  for (const text of ['"\\', '"', ',wait', '; ', ' ', '\\"'])
    for (const tail of ['', '"', 'x']) expect(waitSecondsOf(text.repeat(16_384) + tail)).toBeUndefined()
  expect(performance.now() - startedAtMs).toBeLessThan(2_000)
})
