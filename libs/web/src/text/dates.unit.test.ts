import { describe, expect, it } from '@jest/globals'
import { formatInstant, formatTime } from './dates.js'

const at = new Date('2026-12-04T14:03:05.000Z')
const plain = (text: string) => text.replaceAll('\u00A0', ' ')

describe('times shown to people [D34]', () => {
  it('formats day, clock time and UTC in English and Canadian French', () => {
    expect(plain(formatInstant(at, 'en'))).toBe('4 December 2026, 14:03 UTC')
    expect(plain(formatInstant(at, 'fr'))).toBe('4 décembre 2026 à 14 h 03 UTC')
  })

  it('writes the first of a month as an ordinal number in French, and no other day', () => {
    const on = (day: string, short = false) =>
      plain(formatInstant(new Date(`2026-12-${day}T14:03:00Z`), 'fr', { short }))
    expect(on('01')).toBe('1er décembre 2026 à 14 h 03 UTC')
    expect(on('01', true)).toMatch(/^1er déc\. 2026 à /)
    expect([on('10'), on('21')].map((text) => text.split(' ')[0])).toEqual(['10', '21'])
  })

  it('adds the seconds on request, such as for a signature', () => {
    expect(plain(formatInstant(at, 'en', { seconds: true }))).toBe('4 December 2026, 14:03:05 UTC')
    expect(plain(formatInstant(at, 'fr', { seconds: true }))).toBe('4 décembre 2026 à 14 h 03 min 05 s UTC')
  })

  it("adds the account's time zone beside UTC, and the day only if it differs", () => {
    const early = new Date('2026-12-04T02:00:00.000Z')
    expect(plain(formatInstant(at, 'en', { timeZone: 'America/Toronto' }))).toBe(
      '4 December 2026, 14:03 UTC (09:03 EST)',
    )
    expect(plain(formatInstant(at, 'fr', { timeZone: 'America/Toronto' }))).toBe(
      '4 décembre 2026 à 14 h 03 UTC (9 h 03 HNE)',
    )
    expect(plain(formatInstant(early, 'en', { timeZone: 'America/Toronto' }))).toBe(
      '4 December 2026, 02:00 UTC (3 December 2026, 21:00 EST)',
    )
  })

  it('shows UTC once for an account in UTC, and omits an unknown zone', () => {
    expect(plain(formatInstant(at, 'en', { timeZone: 'UTC' }))).toBe('4 December 2026, 14:03 UTC')
    expect(plain(formatInstant(at, 'en', { timeZone: 'Mars/Olympus' }))).toBe('4 December 2026, 14:03 UTC')
  })

  it('formats a clock time without the day, in both zones', () => {
    expect(plain(formatTime(at, 'en'))).toBe('14:03 UTC')
    expect(plain(formatTime(at, 'en', { timeZone: 'America/Toronto' }))).toBe('14:03 UTC (09:03 EST)')
    expect(plain(formatTime(at, 'fr', { timeZone: 'Asia/Tokyo' }))).toMatch(/^14 h 03 UTC \(23 h 03 \S+\)$/)
    expect(plain(formatTime(at, 'en', { timeZone: 'Mars/Olympus' }))).toBe('14:03 UTC')
  })

  it('breaks a line between the day and the clock, never within them, nor after the French "à"', () => {
    expect(formatInstant(at, 'en').split(' ')).toEqual(['4\u00A0December\u00A02026,', '14:03\u00A0UTC'])
    expect(formatInstant(at, 'fr').split(' ')).toEqual([
      '4\u00A0décembre\u00A02026',
      'à\u00A014\u00A0h\u00A003\u00A0UTC',
    ])
  })
})
