// Formats instants for people, in their zone and then in UTC: "4 December 2026, 9:03 a.m. Eastern Time (14:03 UTC)", and "4 décembre 2026
// à 14 h 03 UTC" in UTC alone. [D34, D60]
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

export interface InstantOptions {
  /** The reader's IANA time zone, shown before UTC. */
  timeZone?: string | undefined
  seconds?: boolean
  /** Abbreviates the month and the zone, for tables. */
  short?: boolean
}

/**
 * An instant in the reader's zone, and then in UTC: `4 December 2026, 9:03 a.m. Eastern Time (14:03 UTC)`, short `4 Dec 2026, 09:03 EST
 * (14:03 UTC)`. In UTC alone without a zone, with an unknown one, and with one that agrees with UTC. No line break falls inside the day, or
 * between the clock time and its zone.
 */
export function formatInstant(at: Date, locale: Locale, options: InstantOptions = {}): string {
  const { timeZone } = options
  const utc = inZone(at, locale, 'UTC', options)
  const local = inOtherZone(utc, at, locale, options)
  if (!local || timeZone === undefined) return dayAndClock(utc, locale)
  const inUtc = local.day === utc.day ? clockAndZone(utc) : dayAndClock(utc, locale)
  const own = options.short
    ? dayAndClock(local, locale)
    : dayAndSpokenClock(local, at, locale, { ...options, timeZone })
  return `${own} (${inUtc})`
}

/** The clock time without the day, in the reader's zone and in UTC: `10:40 EST (15:40 UTC)`. */
export function formatTime(at: Date, locale: Locale, options: Pick<InstantOptions, 'timeZone'> = {}): string {
  const utc = inZone(at, locale, 'UTC')
  const local = inOtherZone(utc, at, locale, options)
  return local ? `${clockAndZone(local)} (${clockAndZone(utc)})` : clockAndZone(utc)
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

/** An instant that a person plans by, with the weekday: `Friday 4 December 2026, 9:03 a.m. Eastern Time (14:03 UTC)`. */
export function formatDeadline(at: Date, locale: Locale, timeZone?: string): string {
  const isOther =
    timeZone !== undefined && inOtherZone(inZone(at, locale, 'UTC'), at, locale, { timeZone }) !== undefined
  const weekday = formatOf(LANGUAGE_TAG[locale], { weekday: 'long', timeZone: isOther ? timeZone : 'UTC' }).format(at)
  return `${weekday} ${formatInstant(at, locale, { timeZone })}`
}

/** `4 December 2026, 9:03 a.m. Eastern Time` and `4 décembre 2026 à 9 h 03, heure de l’Est`. */
function dayAndSpokenClock(
  { day, clock }: LocalTime,
  at: Date,
  locale: Locale,
  { timeZone, seconds = false }: InstantOptions & { timeZone: string },
): string {
  const zone = nameZone(at, locale, timeZone, 'longGeneric')
  if (locale === 'fr') return `${day} à${NO_BREAK_SPACE}${clock}, ${zone}`
  // en-CA has "9:03 a.m.", where en-GB has "9:03 am".
  const spoken = formatOf('en-CA', {
    hour: 'numeric',
    minute: '2-digit',
    ...(seconds && { second: '2-digit' }),
    timeZone,
  }).format(at)
  return `${day}, ${spoken.replace(/\s/g, NO_BREAK_SPACE)} ${zone}`
}

/** True for a name that Intl knows, such as `America/Toronto`. */
export function isTimeZone(name: string): boolean {
  try {
    return formatOf('en', { timeZone: name }).resolvedOptions().timeZone !== '' && /^[\w+/-]{1,64}$/.test(name)
  } catch {
    return false
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A length of time in one unit, such as `40 minutes`, `14 hours` or `3 days`. Two days and more are in days. */
export function formatDuration(ms: number, locale: Locale): string {
  const [unit, unitMs] =
    ms < HOUR_MS
      ? (['minute', MINUTE_MS] as const)
      : ms < 2 * DAY_MS
        ? (['hour', HOUR_MS] as const)
        : (['day', DAY_MS] as const)
  const format = new Intl.NumberFormat(LANGUAGE_TAG[locale], { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.round(ms / unitMs)).replace(/\s/g, NO_BREAK_SPACE)
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
