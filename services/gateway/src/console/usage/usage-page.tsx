// The overview page: usage of a month by day and endpoint, and of the last twelve months, as GET /usage counts it. [Usage, D3, D4, D35]
import { elementAt } from '@paraph/protocol/element-at'
import type { Environment } from '@paraph/protocol/environment'
import type { UsageView } from '@paraph/protocol/account-views'
import { formatInstant } from '@paraph/web/dates'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { Disclosure } from '@paraph/web/sheet'
import type { UsageDay, UsageMonth } from '../../usage/history.js'
import { ConsoleFrame, countText, Instant, type Counted, type PageProps } from '../frame/console-frame.js'
import { ButtonForm } from '../frame/forms.js'
import { DayChart, QuotaBar } from './charts.js'
import { tierName } from '../frame/messages.js'
import { to } from '../frame/links.js'
import { DataTable, EnvironmentTabs, Paper, Section } from '../frame/parts.js'
import { numberIn } from '../plan/plan-page.js'
import { usageMessages } from './messages.js'

interface UsagePageProps {
  page: PageProps
  environment: Environment
  usage: UsageView
  days: readonly UsageDay[]
  months: readonly UsageMonth[]
  requestsPerMinute: number
  stopAtQuota: boolean
  /** The next larger tier, offered when the quota is used up. */
  nextTier: { name: string; monthly_quota: number } | undefined
  /** True for the current month. */
  isNow: boolean
  /** Counts of contracts in this environment; undefined while the contract service does not respond. */
  now: { waiting: Counted; lastCreatedAt: string | null } | undefined
}

export function UsagePage(props: UsagePageProps) {
  const { page, environment, usage, days, months, requestsPerMinute, stopAtQuota, isNow } = props
  const { locale } = page
  const text = usageMessages(locale)
  const number = numberIn(locale)
  const title = text.title(monthName(usage.period, locale))
  const unbilled = usage.totalCalls - usage.billableCalls
  const endsAt = new Date(Date.parse(usage.periodEnd) + 1)
  const used = usedUpOn(days, usage.quotaLimit)
  const barText = text.barOf(number(usage.billableCalls), number(usage.quotaLimit))
  const figures = [
    [text.billable, usage.billableCalls],
    [text.quota, usage.quotaLimit],
    [text.remaining, usage.remaining],
    [text.overage, usage.overageCalls],
  ] as const
  return (
    <ConsoleFrame page={page} title={title} at="overview">
      <div class="head">
        <h1>{title}</h1>
        <EnvironmentTabs {...{ locale, environment, href: to.overview, query: { month: usage.period } }} />
      </div>
      {isNow && usage.remaining === 0 && usage.billableCalls > 0 && <OverNote {...props} />}
      <dl class="figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      <div>
        <QuotaBar used={usage.billableCalls} quota={usage.quotaLimit} label={barText} />
        <p class="bar-words">
          <span>{used === undefined ? barText : text.usedUpOn(dayName(used, locale))}</span>
          {isNow && <span>{text.startsAgain(formatInstant(endsAt, locale))}</span>}
        </p>
      </div>
      <Paper>
        <h2>{text.byDay}</h2>
        <p class="soft small">
          {text.utcDays(dayName(elementAt(days, 0).day, locale), dayName(days.at(-1)!.day, locale))}
        </p>
        <DayChart {...{ days, number, period: usage.period, today: isNow ? text.today : undefined }} />
        <Disclosure summary={text.asTable}>
          <DataTable
            label={text.byDay}
            bare
            heads={[text.day, text.billable, text.calls]}
            rows={days.map(({ day, billable, total }) => ({
              id: day,
              cells: [dayName(day, locale), number(billable), number(total)],
            }))}
          />
        </Disclosure>
      </Paper>
      <div class="beside beside-sheets">
        <div class="sheet pad">
          <h2>{text.byEndpoint}</h2>
          {usage.totalCalls > 0 && <p class="soft small">{text.inAll(number(usage.totalCalls), number(unbilled))}</p>}
          <Endpoints {...{ locale, usage, number }} />
        </div>
        <div class="sheets-below">
          <div class="sheet pad">
            <h2>{text.rightNow}</h2>
            <RightNow {...props} />
          </div>
          <div class="sheet pad" id="at-quota">
            <h2>{text.stopTitle}</h2>
            {environment === 'sandbox' ? (
              <p>{text.sandboxStops}</p>
            ) : (
              <>
                <p>{stopAtQuota ? text.stopped : text.served}</p>
                <ButtonForm
                  {...{ page, action: to.quota, hidden: { stop: stopAtQuota ? 'no' : 'yes' } }}
                  text={stopAtQuota ? text.switchOff : text.switchOn}
                />
              </>
            )}
            <p class="soft small">{text.rate(number(requestsPerMinute))}</p>
          </div>
        </div>
      </div>
      <Section title={text.twelve}>
        <DataTable
          label={text.twelve}
          heads={[text.month, text.billable, text.calls]}
          rows={months.map(({ month, billable, total }) => ({
            id: month,
            cells: [
              <a href={`${to.overview}?environment=${environment}&month=${month}`}>{monthName(month, locale)}</a>,
              number(billable),
              number(total),
            ],
          }))}
        />
      </Section>
    </ConsoleFrame>
  )
}

function RightNow({ page, now }: UsagePageProps) {
  const { locale } = page
  const text = usageMessages(locale)
  if (!now) return <p>{text.unknown}</p>
  const { waiting, lastCreatedAt } = now
  return (
    <dl class="stack">
      <dt>{text.waiting}</dt>
      <dd>{countText(waiting, locale)}</dd>
      <dt>{text.lastContract}</dt>
      <dd>{lastCreatedAt === null ? text.none : <Instant at={new Date(lastCreatedAt)} locale={locale} />}</dd>
    </dl>
  )
}

function OverNote({ page, environment, usage, stopAtQuota, nextTier }: UsagePageProps) {
  const { locale } = page
  const text = usageMessages(locale)
  const number = numberIn(locale)
  const stops = environment === 'sandbox' || stopAtQuota
  const endsAt = new Date(Date.parse(usage.periodEnd) + 1)
  return (
    <div class="note note-warning">
      <p>
        <strong>{text.overTitle}</strong>
      </p>
      <p>
        {stops
          ? text.overStopped(formatInstant(endsAt, locale))
          : text.overServed(number(usage.overageCalls), number(usage.quotaLimit))}{' '}
        {nextTier && environment === 'production' && (
          <a href={to.plan}>{text.moveTo(tierName(nextTier.name), number(nextTier.monthly_quota))}</a>
        )}
        {!stops && (
          <>
            {' '}
            <a href="#at-quota">{text.stopInstead}</a>
          </>
        )}
      </p>
    </div>
  )
}

/** The endpoints of weight 0. [Limits] */
const FREE = new Set(['GET /usage', 'GET /status'])

function Endpoints(props: { locale: Locale; usage: UsageView; number: (value: number) => string }) {
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

/** The day on which the quota was used up; undefined if quota is left. */
function usedUpOn(days: readonly UsageDay[], quota: number): string | undefined {
  let sum = 0
  return days.find(({ billable }) => (sum += billable) >= quota)?.day
}

/** `November 2026`. @param month `YYYY-MM` */
const monthName = (month: string, locale: Locale): string =>
  dateText(`${month}-01`, locale, { month: 'long', year: 'numeric' })

/** `3 November`. @param day `YYYY-MM-DD` */
const dayName = (day: string, locale: Locale): string => dateText(day, locale, { day: 'numeric', month: 'long' })

const dateText = (day: string, locale: Locale, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(LANGUAGE_TAG[locale], { ...parts, timeZone: 'UTC' }).format(new Date(day))
