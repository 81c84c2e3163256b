// Clock times of a time zone as instants: the next 8:00, the start of a day. Pure. [D70, D71]

const MORNING_HOUR = 8
const DAY_MS = 86_400_000

/** The first instant after `now` at which clocks in `timeZone` show 8:00. If a zone has no such time on a day, up to an hour later. */
export function nextMorning(now: Date, timeZone: string): Date {
  for (let days = 0; ; days += 1) {
    const morning = morningOf(new Date(now.getTime() + days * DAY_MS), timeZone)
    if (morning > now) return morning
  }
}

/** The start of a day in `timeZone`. If a zone has no midnight on that day, up to an hour later. @param day `YYYY-MM-DD` */
export function startOfDay(day: string, timeZone: string): Date {
  return instantOf(Date.parse(day), timeZone)
}

/** 8:00 of the day that `at` belongs to in `timeZone`. */
function morningOf(at: Date, timeZone: string): Date {
  const { year, month, day } = partsIn(at, timeZone)
  return instantOf(Date.UTC(year, month - 1, day, MORNING_HOUR), timeZone)
}

/** The instant at which clocks in `timeZone` show what clocks in UTC show at `asUtc`. */
function instantOf(asUtc: number, timeZone: string): Date {
  // The offset at that instant may differ from the offset at `asUtc`, because the clocks may change in between.
  const guess = asUtc - offsetMs(new Date(asUtc), timeZone)
  return new Date(asUtc - offsetMs(new Date(guess), timeZone))
}

function offsetMs(at: Date, timeZone: string): number {
  const { year, month, day, hour, minute, second } = partsIn(at, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1_000) * 1_000
}

function partsIn(at: Date, timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value)
  return {
    year: of('year'),
    month: of('month'),
    day: of('day'),
    hour: of('hour'),
    minute: of('minute'),
    second: of('second'),
  }
}
