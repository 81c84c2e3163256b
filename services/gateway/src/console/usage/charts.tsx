// SVG charts without script or inline style: quota bar and calls by day. Text or a table beside each chart shows the same numbers.
import type { UsageDay } from '../../usage/history.js'

const WIDTH = 720
const BAR_HEIGHT = 10

/** Usage as a bar: the part within the quota, a line at the quota, the overage in its own colour. */
export function QuotaBar({ used, quota, label }: { used: number; quota: number; label: string }) {
  const scale = Math.max(used, quota, 1)
  const within = (Math.min(used, quota) / scale) * WIDTH
  const limit = (quota / scale) * WIDTH
  return (
    <svg class="quota-bar" viewBox={`0 0 ${WIDTH} 16`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="bar-rest" x={0} y={3} width={WIDTH} height={BAR_HEIGHT} />
      <rect class="bar-within" x={0} y={3} width={within} height={BAR_HEIGHT} />
      {used > quota && (
        <>
          <rect class="bar-over" x={limit} y={3} width={WIDTH - limit} height={BAR_HEIGHT} />
          <rect class="bar-limit" x={limit - 1} y={0} width={2} height={16} />
        </>
      )}
    </svg>
  )
}

const CHART_HEIGHT = 168
/** The height of the labels of days, and of half a number above the top line. */
const LABELS = 24
/** Beside the label of today, so that both fit on a small phone. */
const DAYS_APART = 7

interface DayChartProps {
  days: readonly UsageDay[]
  /** `YYYY-MM` */
  period: string
  number: (value: number) => string
  /** The label below the last of `days` if that day is today. */
  today: string | undefined
}

/**
 * A bar for each day of the month; future days have space but no bar. Hidden from screen readers: a table has the same numbers.
 * Widths are per cent and there is no `viewBox`, so the labels keep the size of the page's text on a phone and on a wide screen.
 */
export function DayChart({ days, period, number, today }: DayChartProps) {
  const [year = 0, month = 0] = period.split('-').map(Number)
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const top = niceTop(Math.max(1, ...days.map(({ billable }) => billable)))
  const heightOf = (value: number) => (value / top) * (CHART_HEIGHT - 12)
  const yOf = (value: number) => CHART_HEIGHT - heightOf(value)
  /** The place that is `offset` days into `day`. */
  const xOf = (day: number, offset: number) => `${round(((day - 1 + offset) / daysInMonth) * 100)}%`
  const isAtEnd = days.length > daysInMonth - 2
  const named = [1, 8, 15, 22, daysInMonth].filter(
    (day) => today === undefined || Math.abs(day - days.length) >= DAYS_APART,
  )
  return (
    <div class="day-chart">
      <svg width="100%" height={CHART_HEIGHT + LABELS} aria-hidden="true" focusable="false">
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line class="grid" x1="0" x2="100%" y1={yOf(value)} y2={yOf(value)} />
            <text class="axis" x={-8} y={yOf(value) + 4} text-anchor="end">
              {number(value)}
            </text>
          </g>
        ))}
        {days.map(({ day, billable }, at) => (
          <rect
            key={day}
            class="bar-within"
            x={xOf(at + 1, 0.18)}
            y={yOf(billable)}
            width={`${round(64 / daysInMonth)}%`}
            height={heightOf(billable)}
          />
        ))}
        {named.map((day) => (
          <text key={day} class="axis" x={xOf(day, 0.5)} y={CHART_HEIGHT + 18} text-anchor="middle">
            {day}
          </text>
        ))}
        {today !== undefined && (
          <text
            class="axis axis-today"
            x={isAtEnd ? '100%' : xOf(days.length, 0.5)}
            y={CHART_HEIGHT + 18}
            text-anchor={isAtEnd ? 'end' : 'middle'}
          >
            {today}
          </text>
        )}
      </svg>
    </div>
  )
}

/** Two decimals: a per cent value in the page's markup. */
const round = (percent: number): number => Math.round(percent * 100) / 100

/** The smallest number of 2, 4 or 10 × a power of ten that is at least `most`; half of the result is a whole number. */
function niceTop(most: number): number {
  for (let power = 1; ; power *= 10) for (const step of [2, 4, 10]) if (step * power >= most) return step * power
}
