import { describe, expect, it } from '@jest/globals'
import { copyFaults } from './soundness-of-mail.js'

/** The violations that are reported for mails that were sent `times` times. */
function faultsOf(times: readonly number[], allowance: Parameters<typeof copyFaults>[1]): string[] {
  const faults: string[] = []
  const copies = copyFaults(new Map(times.map((count, at) => [`mail ${at}`, count])), allowance, faults)
  expect(copies).toBe(times.reduce((sum, count) => sum + count - 1, 0))
  return faults
}

describe('copies of mails [I8, D24]', () => {
  it('are forbidden if nothing explains them', () => {
    expect(faultsOf([1, 1], {})).toEqual([])
    expect(faultsOf([1, 2], {})).toHaveLength(2)
  })

  it('are limited over all mails, which detects a worker that sends each mail twice', () => {
    const twice = Array.from({ length: 20 }, () => 2)
    expect(faultsOf(twice, { totalCopies: 19 })).toEqual(['mails went out 20 times too often; 19 are explained [I8]'])
    expect(faultsOf(twice, { totalCopies: 20 })).toEqual([])
    expect(faultsOf(twice, { extraCopies: 1 })).toEqual(['mails went out 20 times too often; 6 are explained [I8]'])
  })

  it('are allowed for mails that a dead worker was sending, if these are known', () => {
    const allowance = { totalCopies: 60, inProgress: ['mail 0', 'mail 0', 'mail 1'] }
    expect(faultsOf([3, 2, 1], allowance)).toEqual([])
    const oftenInProgress = { totalCopies: 60, inProgress: Array.from({ length: 5 }, () => 'mail 0') }
    expect(faultsOf([6], oftenInProgress)).toEqual([])
    expect(faultsOf([7], oftenInProgress)).toEqual(['mail 0 was sent 7 times; 5 copies are explained [I8]'])
    expect(faultsOf([2, 3, 2], allowance)).toEqual([
      'mail 1 was sent 3 times; 1 copies are explained [I8]',
      'mail 2 was sent 2 times; 0 copies are explained [I8]',
    ])
  })

  it('are limited for each mail too', () => {
    expect(faultsOf([4, 1], { totalCopies: 60 })).toEqual([])
    expect(faultsOf([5, 1], { totalCopies: 60 })).toEqual(['mail 0 was sent 5 times; 3 copies are explained [I8]'])
    expect(faultsOf([3, 1], { totalCopies: 1 })).toHaveLength(2)
    expect(faultsOf([3, 1], { totalCopies: 6, extraCopies: 1 })).toHaveLength(1)
  })
})
