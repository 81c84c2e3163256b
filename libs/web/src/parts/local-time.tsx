// Instants that a page shows in the zone of its reader: in the zone of the account until the script local-zone.js has run. [D60]
import type { Name } from './names-in-words.js'
import { formatInstant, type InstantOptions } from '../text/dates.js'
import type { Locale } from '../text/locale.js'

/** The script; every page works without it. */
export const LOCAL_TIME_SCRIPT = new URL('./local-zone.js', import.meta.url)

/** An instant as a `time` element. `timeZone`: the zone of the account. */
export function LocalTime({ at, locale, ...options }: { at: Date; locale: Locale } & InstantOptions) {
  const form = [options.short && 'short', options.seconds && 'seconds'].filter(Boolean).join(' ')
  return (
    <time dateTime={at.toISOString()} data-local={form}>
      {formatInstant(at, locale, options)}
    </time>
  )
}

/** An instant for a sentence of `isolateNames`. */
export const timeInWords = (at: Date, locale: Locale, options: InstantOptions): Name => ({
  text: '',
  markup: <LocalTime {...{ at, locale, ...options }} />,
})
