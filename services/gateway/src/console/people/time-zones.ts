// The choices of a time zone.

/** The zones that this runtime knows, and the account's own if the runtime has another name for it. */
export const zonesWith = (zone: string): { value: string; label: string }[] =>
  [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }))
