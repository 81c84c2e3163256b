// Formats instants for people: "4 December 2026, 14:03 UTC", "4 décembre 2026 à 14 h 03 UTC" and "1er décembre 2026". [D34]
// Pure: it reads no clock. JSON uses ISO 8601 instead.
import { BoundedMap } from '@paraph/protocol/bounded-map'
import { LANGUAGE_TAG, type Locale } from './locale.js'

const NO_BREAK_SPACE = '\u00A0'

/** Day, clock time and zone name of an instant in one zone. */
interface LocalTime {
  day: string
  clock: string
  zone: string
}

interface InstantOptions {
  /** The account's IANA time zone, shown beside UTC. */
  timeZone?: string | undefined
  seconds?: boolean
  /** Abbreviates the month, for tables. */
  short?: boolean
}

/**
 * An instant in UTC and, if the account's zone differs, in that zone: `4 December 2026, 14:03 UTC (09:03 EST)`.
 * No line break falls inside the day, or between the clock time and its zone. An unknown zone is omitted.
 */
export function formatInstant(at: Date, locale: Locale, options: InstantOptions = {}): string {
  const utc = inZone(at, locale, 'UTC', options)
  const local = inOtherZone(utc, at, locale, options)
  const whole = dayAndClock(utc, locale)
  if (!local) return whole
  return `${whole} (${local.day === utc.day ? clockAndZone(local) : dayAndClock(local, locale)})`
}

/** The clock time without the day, in UTC and in the account's zone: `15:40 UTC (10:40 EST)`. */
export function formatTime(at: Date, locale: Locale, options: Pick<InstantOptions, 'timeZone'> = {}): string {
  const utc = inZone(at, locale, 'UTC')
  const local = inOtherZone(utc, at, locale, options)
  return local ? `${clockAndZone(utc)} (${clockAndZone(local)})` : clockAndZone(utc)
}

/** The day of an instant, for tables: `4 Dec 2026`, `1er déc. 2026`. In UTC if the zone is unknown. */
export function formatShortDay(at: Date, locale: Locale, timeZone = 'UTC'): string {
  try {
    return dayIn(at, locale, { dateStyle: 'medium', timeZone })
  } catch {
    return dayIn(at, locale, { dateStyle: 'medium', timeZone: 'UTC' })
  }
}

/** The day of an instant without its year, in UTC: `3 November`, `1er novembre`. */
export function formatDayOfMonth(at: Date, locale: Locale): string {
  return dayIn(at, locale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
}

/** The month of an instant, in UTC: `November 2026`. */
export function formatMonth(at: Date, locale: Locale): string {
  return formatOf(LANGUAGE_TAG[locale], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at)
}

/**
 * An instant that a person plans by: in the account's zone first, with the weekday, and then in UTC, such as
 * `Friday 4 December 2026, 9:03 a.m. Eastern Time (14:03 UTC)`. In UTC alone without a zone that differs.
 */
export function formatDeadline(at: Date, locale: Locale, timeZone?: string): string {
  const utc = inZone(at, locale, 'UTC')
  const local = timeZone === undefined ? undefined : inOtherZone(utc, at, locale, { timeZone })
  const weekday = (zone: string): string =>
    formatOf(LANGUAGE_TAG[locale], { weekday: 'long', timeZone: zone }).format(at)
  if (!local || timeZone === undefined) return `${weekday('UTC')} ${dayAndClock(utc, locale)}`
  const inUtc = local.day === utc.day ? clockAndZone(utc) : dayAndClock(utc, locale)
  return `${weekday(timeZone)} ${dayAndSpokenClock(local, at, locale, timeZone)} (${inUtc})`
}

/** `4 December 2026, 9:03 a.m. Eastern Time` and `4 décembre 2026 à 9 h 03, heure de l’Est`. */
function dayAndSpokenClock({ day, clock }: LocalTime, at: Date, locale: Locale, timeZone: string): string {
  const zone = nameZone(at, locale, timeZone, 'longGeneric')
  if (locale === 'fr') return `${day} à${NO_BREAK_SPACE}${clock}, ${zone}`
  // en-CA has "9:03 a.m.", where en-GB has "9:03 am".
  const spoken = formatOf('en-CA', { hour: 'numeric', minute: '2-digit', timeZone }).format(at)
  return `${day}, ${spoken.replace(/\s/g, NO_BREAK_SPACE)} ${zone}`
}

/** The calendar days from one instant to another in the account's zone; in UTC for an unknown zone. */
export function calendarDays(from: Date, to: Date, timeZone: string): number {
  const dayIn = (at: Date, zone: string): number =>
    Date.parse(formatOf('sv-SE', { dateStyle: 'short', timeZone: zone }).format(at))
  const daysIn = (zone: string): number => Math.round((dayIn(to, zone) - dayIn(from, zone)) / 86_400_000)
  try {
    return daysIn(timeZone)
  } catch {
    return daysIn('UTC')
  }
}

/** Undefined without a zone, for an unknown zone, and for one that agrees with UTC at this instant (GMT in winter). */
function inOtherZone(
  utc: LocalTime,
  at: Date,
  locale: Locale,
  { timeZone, ...format }: InstantOptions,
): LocalTime | undefined {
  if (timeZone === undefined) return undefined
  try {
    const local = inZone(at, locale, timeZone, format)
    return local.day === utc.day && local.clock === utc.clock ? undefined : local
  } catch {
    return undefined
  }
}

/** @throws RangeError for an unknown zone */
function inZone(
  at: Date,
  locale: Locale,
  timeZone: string,
  { seconds = false, short = false }: InstantOptions = {},
): LocalTime {
  // Canadian French writes "8 h 20".
  const clock: Intl.DateTimeFormatOptions = { hour: locale === 'fr' ? 'numeric' : '2-digit', minute: '2-digit' }
  if (seconds) clock.second = '2-digit'
  return {
    day: dayIn(at, locale, { dateStyle: short ? 'medium' : 'long', timeZone }),
    clock: unbroken(at, locale, { ...clock, hourCycle: 'h23', timeZone }),
    zone: timeZone === 'UTC' ? timeZone : nameZone(at, locale, timeZone),
  }
}

/** @throws RangeError for an unknown zone */
function dayIn(at: Date, locale: Locale, options: Intl.DateTimeFormatOptions): string {
  const day = unbroken(at, locale, options)
  // The first of a month is an ordinal number in French, which Intl writes as "1".
  return locale === 'fr' ? day.replace(/^1(?!\d)/, '1er') : day
}

// The version of Intl's data decides whether the spaces in "14 h 03" are plain or narrow.
const unbroken = (at: Date, locale: Locale, options: Intl.DateTimeFormatOptions): string =>
  formatOf(LANGUAGE_TAG[locale], options).format(at).replace(/\s/g, NO_BREAK_SPACE)

function nameZone(at: Date, locale: Locale, timeZone: string, timeZoneName: 'short' | 'longGeneric' = 'short'): string {
  // en-CA has the names EST and PST, where en-GB has GMT-5; fr-CA has HNE.
  const format = formatOf(locale === 'en' ? 'en-CA' : 'fr-CA', { timeZone, timeZoneName })
  return format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? timeZone
}

/** More than the zones in one installation. */
const FORMATS_MAX = 200
const formats = new BoundedMap<string, Intl.DateTimeFormat>(FORMATS_MAX)

/** Creating a format costs a hundred times as much as using it. @throws RangeError for an unknown zone */
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, options)
    formats.set(key, format)
  }
  return format
}

const clockAndZone = ({ clock, zone }: LocalTime): string => `${clock}${NO_BREAK_SPACE}${zone}`

function dayAndClock(time: LocalTime, locale: Locale): string {
  // A French line does not end in "à".
  const between = locale === 'en' ? ', ' : ` à${NO_BREAK_SPACE}`
  return `${time.day}${between}${clockAndZone(time)}`
}
