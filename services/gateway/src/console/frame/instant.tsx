// Instants as `time` elements.
import { formatInstant, formatShortDay } from '@paraph/web/dates'
import { LocalTime } from '@paraph/web/local-time'
import type { Locale } from '@paraph/web/locale'

interface InstantProps {
  at: Date
  locale: Locale
  timeZone?: string | undefined
}

/** An instant as a `time` element. */
export function Instant({ at, locale, ...options }: InstantProps & { seconds?: boolean }) {
  return <LocalTime {...{ at, locale, ...options }} short />
}

/** The day of an instant in the account's zone, for lists; the whole instant is its title. */
export function Day({ at, locale, timeZone }: InstantProps) {
  return (
    <time class="unbroken" dateTime={at.toISOString()} title={formatInstant(at, locale, { timeZone })}>
      {formatShortDay(at, locale, timeZone)}
    </time>
  )
}
