// Instants as people read them. Owns: "4 December 2026, 14:03 UTC" and "4 décembre 2026 à 14 h 03 UTC". [D34]
// Pure: the instant comes in; nothing here reads a clock. JSON keeps ISO 8601 and does not come here.
import { LANGUAGE_TAG, type Locale } from './locale.js'

const NO_BREAK_SPACE = '\u00A0'

/**
 * An instant in UTC and, beside it, in the account's IANA time zone when that differs: `4 December 2026, 14:03 UTC (09:03 EST)`.
 * The clock time and its zone never break over two lines. An unknown zone is left out rather than guessed.
 */
export function formatInstant(
  at: Date,
  locale: Locale,
  options: { timeZone?: string | undefined; seconds?: boolean } = {},
): string {
  const seconds = options.seconds ?? false
  const utc = `${joinDay(formatDay(at, locale, 'UTC'), formatClock(at, locale, 'UTC', seconds), locale)}${NO_BREAK_SPACE}UTC`
  const local = options.timeZone === undefined ? undefined : formatLocal(at, locale, options.timeZone, seconds)
  return local === undefined ? utc : `${utc} (${local})`
}

/** The clock time alone, in UTC, for "Try again after 15:40 UTC". */
export function formatTime(at: Date, locale: Locale): string {
  return `${formatClock(at, locale, 'UTC', false)}${NO_BREAK_SPACE}UTC`
}

function formatLocal(at: Date, locale: Locale, timeZone: string, seconds: boolean): string | undefined {
  try {
    const day = formatDay(at, locale, timeZone)
    const clock = formatClock(at, locale, timeZone, seconds)
    const zone = nameZone(at, locale, timeZone)
    // Zones that agree with UTC at this instant (GMT in winter) would only say the same time twice.
    if (day === formatDay(at, locale, 'UTC') && clock === formatClock(at, locale, 'UTC', seconds)) return undefined
    const text = day === formatDay(at, locale, 'UTC') ? clock : joinDay(day, clock, locale)
    return `${text}${NO_BREAK_SPACE}${zone}`
  } catch {
    return undefined
  }
}

function formatDay(at: Date, locale: Locale, timeZone: string): string {
  return new Intl.DateTimeFormat(LANGUAGE_TAG[locale], { dateStyle: 'long', timeZone }).format(at)
}

function formatClock(at: Date, locale: Locale, timeZone: string, seconds: boolean): string {
  const options: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }
  if (seconds) options.second = '2-digit'
  // Intl puts plain or narrow spaces into "14 h 03", by version of its data.
  return new Intl.DateTimeFormat(LANGUAGE_TAG[locale], options).format(at).replace(/\s/g, NO_BREAK_SPACE)
}

function nameZone(at: Date, locale: Locale, timeZone: string): string {
  // en-CA knows EST and PST by name, where en-GB says GMT-5; fr-CA says HNE.
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-CA' : 'fr-CA', { timeZone, timeZoneName: 'short' })
  return format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? timeZone
}

function joinDay(day: string, clock: string, locale: Locale): string {
  return locale === 'en' ? `${day}, ${clock}` : `${day} à ${clock}`
}
