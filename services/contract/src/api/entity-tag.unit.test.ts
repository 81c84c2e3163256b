import { expect, it } from '@jest/globals'
import { isKnown, parseIfNoneMatch } from './entity-tag.js'

it.each<[string, boolean]>([
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['"x","y",W/"abc" ,', true],
  [', ,\t"abc"', true],
  ['"x,y", "abc"', true],
  ['*', true],
  [' * ', true],
  ['', false],
  ['"ABC"', false],
  ['"abcd"', false],
  ['""', false],
  ['w/"abc"', false],
  ['"x,"abc"', false],
  // A header that breaks the grammar counts as absent, even if it contains a valid tag.
  ['abc', false],
  ['"abc', false],
  ['abc, "abc"', false],
  ['"abc" "abc"', false],
  ['*, "abc"', false],
  ['"x y", "abc"', false],
])('the header If-None-Match %j matches the tag "abc": %j [RFC 9110, D22]', (header, isThere) => {
  expect(isKnown(parseIfNoneMatch(header), '"abc"')).toBe(isThere)
})

it('the longest If-None-Match header is parsed in linear time', () => {
  const startedAtMs = performance.now()
  for (const text of [' ', ',', '"', '"a"', '"a",', 'W/', ' ,'])
    for (const tail of ['', 'x', '"']) parseIfNoneMatch(text.repeat(16_384) + tail)
  expect(performance.now() - startedAtMs).toBeLessThan(2_000)
})
