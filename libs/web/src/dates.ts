// Instants as people read them. Owns: "4 December 2026, 14:03 UTC" and "4 décembre 2026 à 14 h 03 UTC". [D34]
// Pure: the instant comes in; nothing here reads a clock. JSON keeps ISO 8601 and does not come here.
import { LANGUAGE_TAG, type Locale } from './locale.js'

const NO_BREAK_SPACE = '\u00A0'

/** What a calendar and a clock show in one zone. */
interface Reading {
  day: string
  clock: string
  zone: string
}

/**
 * An instant in UTC and, beside it, in the account's IANA time zone when that differs: `4 December 2026, 14:03 UTC (09:03 EST)`.
 * `short` abbreviates the month, for tables. Neither the day nor the clock time with its zone breaks over two lines. An unknown zone is left out rather than guessed.
 */
export function formatInstant(
  at: Date,
  locale: Locale,
  options: { timeZone?: string | undefined; seconds?: boolean; short?: boolean } = {},
): string {
  const utc = read(at, locale, 'UTC', options)
  const local = readBeside(utc, at, locale, options)
  const whole = sayWhole(utc, locale)
  if (!local) return whole
  return `${whole} (${local.day === utc.day ? sayClock(local) : sayWhole(local, locale)})`
}

/** The clock time alone, in UTC and beside it in the account's time zone, for "Try again after 15:40 UTC (10:40 EST)". */
export function formatTime(at: Date, locale: Locale, options: { timeZone?: string | undefined } = {}): string {
  const utc = read(at, locale, 'UTC')
  const local = readBeside(utc, at, locale, options)
  return local ? `${sayClock(utc)} (${sayClock(local)})` : sayClock(utc)
}

/** Undefined without a zone, for an unknown one, and where it agrees with UTC at this instant (GMT in winter). */
function readBeside(
  utc: Reading,
  at: Date,
  locale: Locale,
  { timeZone, ...look }: { timeZone?: string | undefined; seconds?: boolean; short?: boolean },
): Reading | undefined {
  if (timeZone === undefined) return undefined
  try {
    const local = read(at, locale, timeZone, look)
    return local.day === utc.day && local.clock === utc.clock ? undefined : local
  } catch {
    return undefined
  }
}

/** @throws RangeError for a zone that nobody knows */
function read(
  at: Date,
  locale: Locale,
  timeZone: string,
  { seconds = false, short = false }: { seconds?: boolean; short?: boolean } = {},
): Reading {
  const language = LANGUAGE_TAG[locale]
  // Canadian French writes "8 h 20".
  const clock: Intl.DateTimeFormatOptions = { hour: locale === 'fr' ? 'numeric' : '2-digit', minute: '2-digit' }
  if (seconds) clock.second = '2-digit'
  // Intl puts plain or narrow spaces into "14 h 03", by version of its data.
  const unbroken = (options: Intl.DateTimeFormatOptions): string =>
    formatOf(language, { ...options, timeZone })
      .format(at)
      .replace(/\s/g, NO_BREAK_SPACE)
  return {
    day: unbroken({ dateStyle: short ? 'medium' : 'long' }),
    clock: unbroken({ ...clock, hourCycle: 'h23' }),
    zone: timeZone === 'UTC' ? timeZone : nameZone(at, locale, timeZone),
  }
}

function nameZone(at: Date, locale: Locale, timeZone: string): string {
  // en-CA knows EST and PST by name, where en-GB says GMT-5; fr-CA says HNE.
  const format = formatOf(locale === 'en' ? 'en-CA' : 'fr-CA', { timeZone, timeZoneName: 'short' })
  return format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? timeZone
}

/** More zones than accounts of one installation have; who has more pays for making formats anew. */
const FORMATS_MAX = 200
const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format costs a hundred times what using it does. @throws RangeError for a zone that nobody knows */
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, options)
    if (formats.size >= FORMATS_MAX) formats.clear()
    formats.set(key, format)
  }
  return format
}

const sayClock = ({ clock, zone }: Reading): string => `${clock}${NO_BREAK_SPACE}${zone}`

function sayWhole(reading: Reading, locale: Locale): string {
  // No line of French ends in "à".
  const between = locale === 'en' ? ', ' : ` à${NO_BREAK_SPACE}`
  return `${reading.day}${between}${sayClock(reading)}`
}
