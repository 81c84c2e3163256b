import { expect, it } from '@jest/globals'
import { behindOf } from './restore-guard.js'

it.each([
  ['neither, if both agree', 100, 90, 90, 100, undefined],
  ['neither, if both marks are old', 100, 0, 90, 0, undefined],
  ['neither, if a replica that took over lost some minutes', 95, 90, 85, 100, undefined],
  ['the own one, if the other remembers more of it', 94, 90, 90, 100, 'own'],
  ['the other one, if this one remembers more of it', 100, 90, 84, 100, 'other'],
  ['the own one, if it is new and empty', 1, 0, 90, 100, 'own'],
])('the older database is %s [P40]', (_, position, mark, otherPosition, otherMark, behind) => {
  expect(behindOf({ position, mark }, { position: otherPosition, mark: otherMark })).toBe(behind)
})
