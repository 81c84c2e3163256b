import { describe, expect, it } from '@jest/globals'
import {
  calendarDays,
  formatDayOfMonth,
  formatDeadline,
  formatDuration,
  formatInstant,
  formatMonth,
  formatShortDay,
  formatTime,
} from './dates.js'

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

  it('formats a day without its time, a month without its day, and the first of a month as an ordinal number in French', () => {
    const first = new Date('2026-12-01T02:00:00Z')
    expect([formatShortDay(first, 'en'), formatShortDay(first, 'fr')].map(plain)).toEqual([
      '1 Dec 2026',
      '1er déc. 2026',
    ])
    expect(plain(formatShortDay(first, 'fr', 'America/Toronto'))).toBe('30 nov. 2026')
    expect(plain(formatShortDay(first, 'fr', 'Mars/Olympus'))).toBe('1er déc. 2026')
    expect([formatDayOfMonth(first, 'en'), formatDayOfMonth(first, 'fr')].map(plain)).toEqual([
      '1 December',
      '1er décembre',
    ])
    expect([formatMonth(first, 'en'), formatMonth(first, 'fr')]).toEqual(['December 2026', 'décembre 2026'])
  })

  it('adds the seconds on request, such as for a signature', () => {
    expect(plain(formatInstant(at, 'en', { seconds: true }))).toBe('4 December 2026, 14:03:05 UTC')
    expect(plain(formatInstant(at, 'fr', { seconds: true }))).toBe('4 décembre 2026 à 14 h 03 min 05 s UTC')
  })

  it('shows the zone of the reader before UTC, and the day of UTC only if it differs [D60]', () => {
    const early = new Date('2026-12-04T02:00:00.000Z')
    expect(plain(formatInstant(at, 'en', { timeZone: 'America/Toronto' }))).toBe(
      '4 December 2026, 9:03 a.m. Eastern Time (14:03 UTC)',
    )
    expect(plain(formatInstant(at, 'fr', { timeZone: 'America/Toronto' }))).toBe(
      '4 décembre 2026 à 9 h 03, heure de l’Est (14 h 03 UTC)',
    )
    expect(plain(formatInstant(early, 'en', { timeZone: 'America/Toronto' }))).toBe(
      '3 December 2026, 9:00 p.m. Eastern Time (4 December 2026, 02:00 UTC)',
    )
    expect(plain(formatInstant(at, 'en', { timeZone: 'America/Toronto', short: true, seconds: true }))).toBe(
      '4 Dec 2026, 09:03:05 EST (14:03:05 UTC)',
    )
    expect(plain(formatInstant(at, 'en', { timeZone: 'America/Toronto', seconds: true }))).toBe(
      '4 December 2026, 9:03:05 a.m. Eastern Time (14:03:05 UTC)',
    )
  })

  it('shows UTC once for an account in UTC, and omits an unknown zone', () => {
    expect(plain(formatInstant(at, 'en', { timeZone: 'UTC' }))).toBe('4 December 2026, 14:03 UTC')
    expect(plain(formatInstant(at, 'en', { timeZone: 'Mars/Olympus' }))).toBe('4 December 2026, 14:03 UTC')
  })

  it('formats a clock time without the day, in both zones', () => {
    expect(plain(formatTime(at, 'en'))).toBe('14:03 UTC')
    expect(plain(formatTime(at, 'en', { timeZone: 'America/Toronto' }))).toBe('09:03 EST (14:03 UTC)')
    expect(plain(formatTime(at, 'fr', { timeZone: 'Asia/Tokyo' }))).toMatch(/^23 h 03 \S+ \(14 h 03 UTC\)$/)
    expect(plain(formatTime(at, 'en', { timeZone: 'Mars/Olympus' }))).toBe('14:03 UTC')
  })

  it('names the weekday of a deadline, and the account’s zone before UTC', () => {
    expect(plain(formatDeadline(at, 'en', 'America/Toronto'))).toBe(
      'Friday 4 December 2026, 9:03 a.m. Eastern Time (14:03 UTC)',
    )
    expect(plain(formatDeadline(at, 'fr', 'America/Toronto'))).toBe(
      'vendredi 4 décembre 2026 à 9 h 03, heure de l’Est (14 h 03 UTC)',
    )
    const early = new Date('2026-12-04T02:00:00.000Z')
    expect(plain(formatDeadline(early, 'en', 'America/Toronto'))).toBe(
      'Thursday 3 December 2026, 9:00 p.m. Eastern Time (4 December 2026, 02:00 UTC)',
    )
  })

  it('gives a deadline in UTC alone without a zone, with UTC and with an unknown zone', () => {
    for (const zone of [undefined, 'UTC', 'Mars/Olympus'])
      expect(plain(formatDeadline(at, 'en', zone))).toBe('Friday 4 December 2026, 14:03 UTC')
    expect(plain(formatDeadline(at, 'fr'))).toBe('vendredi 4 décembre 2026 à 14 h 03 UTC')
    const first = new Date('2026-12-01T14:03:00.000Z')
    expect(plain(formatDeadline(first, 'fr'))).toBe('mardi 1er décembre 2026 à 14 h 03 UTC')
  })

  it('counts calendar days in the account’s zone, across a change of its clocks', () => {
    const days = (from: string, to: string, zone = 'UTC') => calendarDays(new Date(from), new Date(to), zone)
    expect(days('2026-11-24T23:59:00Z', '2026-12-04T00:01:00Z')).toBe(10)
    expect(days('2026-11-24T23:59:00Z', '2026-11-24T23:59:59Z')).toBe(0)
    // 3 December, 21:00 in Toronto.
    expect(days('2026-11-24T15:00:00Z', '2026-12-04T02:00:00Z', 'America/Toronto')).toBe(9)
    expect(days('2026-10-31T12:00:00Z', '2026-11-02T12:00:00Z', 'America/Toronto')).toBe(2)
    expect(days('2026-11-24T12:00:00Z', '2026-11-25T12:00:00Z', 'Mars/Olympus')).toBe(1)
  })

  it('breaks a line between the day and the clock, never within them, nor after the French "à"', () => {
    expect(formatInstant(at, 'en').split(' ')).toEqual(['4\u00A0December\u00A02026,', '14:03\u00A0UTC'])
    expect(formatInstant(at, 'fr').split(' ')).toEqual([
      '4\u00A0décembre\u00A02026',
      'à\u00A014\u00A0h\u00A003\u00A0UTC',
    ])
  })
})

it.each([
  [0, '0 minutes', '0 minute'],
  [61_000, '1 minute', '1 minute'],
  [40 * 60_000, '40 minutes', '40 minutes'],
  [14 * 3_600_000, '14 hours', '14 heures'],
  [47 * 3_600_000, '47 hours', '47 heures'],
  [75 * 3_600_000, '3 days', '3 jours'],
])('a length of %d ms is %s, and in French %s [D71]', (ms, en, fr) => {
  expect([formatDuration(ms, 'en'), formatDuration(ms, 'fr')].map(plain)).toEqual([en, fr])
})
