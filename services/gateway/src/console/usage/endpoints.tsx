// The calls of a month by endpoint, as bars.
import type { UsageView } from '@paraph/protocol/account-views'
import type { Locale } from '@paraph/web/locale'
import { usageMessages } from './messages.js'

/** The endpoints of weight 0. [Limits] */
const FREE = new Set(['GET /usage', 'GET /status'])

export function Endpoints(props: { locale: Locale; usage: UsageView; number: (value: number) => string }) {
  const { locale, usage, number } = props
  const text = usageMessages(locale)
  const entries = Object.entries(usage.endpointBreakdown).toSorted(([, one], [, other]) => other - one)
  const most = entries[0]?.[1] ?? 0
  if (entries.length === 0) return <p>{text.noCalls}</p>
  return (
    <ul class="endpoints">
      {entries.map(([label, count]) => (
        <li key={label}>
          <span class="mono">{label}</span>
          <meter
            class={FREE.has(label) ? 'meter-free' : undefined}
            min={0}
            max={most}
            value={count}
            aria-label={label}
          />
          <span class="count-of">
            {number(count)} {FREE.has(label) && <span class="soft small">{text.free}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
