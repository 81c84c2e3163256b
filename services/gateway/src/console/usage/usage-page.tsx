// The overview: what the account used this month, by day, by endpoint, in the last twelve months. Numbers as GET /usage gives them. [Usage, D3, D4, D35]
import type { Environment } from '@paraph/protocol/caller'
import type { UsageView } from '@paraph/protocol/account-views'
import { formatInstant } from '@paraph/web/dates'
import { Button } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { Disclosure, Sheet } from '@paraph/web/sheet'
import type { UsageDay, UsageMonth } from '../../usage-history.js'
import { ConsoleForm, ConsoleFrame, countText, Instant, type Counted, type PageProps } from './console-frame.js'
import { DayChart, QuotaBar } from './charts.js'
import { tierName } from './frame-words.js'
import { to } from './links.js'
import { DataTable, EnvironmentTabs } from './parts.js'
import { numberIn } from './plan-page.js'
import { usageWords } from './usage-words.js'

interface UsagePageProps {
  page: PageProps
  environment: Environment
  usage: UsageView
  days: readonly UsageDay[]
  months: readonly UsageMonth[]
  requestsPerMinute: number
  stopAtQuota: boolean
  /** The tier above, for whoever is over. */
  nextTier: { name: string; monthlyQuota: number } | undefined
  /** The month is the running one. */
  isNow: boolean
  /** Of the account's contracts in this environment; undefined while the contract service does not answer. */
  now: { waiting: Counted; lastCreatedAt: string | null } | undefined
}

export function UsagePage(props: UsagePageProps) {
  const { page, environment, usage, days, months, requestsPerMinute, stopAtQuota, isNow } = props
  const { locale } = page
  const say = usageWords(locale)
  const number = numberIn(locale)
  const title = say.title(monthName(usage.period, locale))
  const unbilled = usage.totalCalls - usage.billableCalls
  const endsAt = new Date(Date.parse(usage.periodEnd) + 1)
  const used = usedUpOn(days, usage.quotaLimit)
  return (
    <ConsoleFrame page={page} title={title} at="overview">
      <div class="head">
        <h1>{title}</h1>
        <EnvironmentTabs {...{ locale, environment, href: to.overview, query: { month: usage.period } }} />
      </div>
      {isNow && usage.remaining === 0 && usage.billableCalls > 0 && <OverNote {...props} />}
      <dl class="figures">
        {(
          [
            [say.billable, usage.billableCalls],
            [say.quota, usage.quotaLimit],
            [say.remaining, usage.remaining],
            [say.overage, usage.overageCalls],
          ] as const
        ).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      <div>
        <QuotaBar
          used={usage.billableCalls}
          quota={usage.quotaLimit}
          label={say.barOf(number(usage.billableCalls), number(usage.quotaLimit))}
        />
        <p class="bar-words">
          <span>
            {used === undefined
              ? say.barOf(number(usage.billableCalls), number(usage.quotaLimit))
              : say.usedUpOn(dayName(used, locale))}
          </span>
          {isNow && <span>{say.startsAgain(formatInstant(endsAt, locale))}</span>}
        </p>
      </div>
      <Sheet
        parts={[
          <>
            <h2>{say.byDay}</h2>
            <p class="soft small">{say.utcDays(dayName(days[0]!.day, locale), dayName(days.at(-1)!.day, locale))}</p>
            <DayChart {...{ days, number, period: usage.period, today: isNow ? say.today : undefined }} />
            <Disclosure summary={say.asTable}>
              <DataTable
                label={say.byDay}
                bare
                heads={[say.day, say.billable, say.calls]}
                rows={days.map(({ day, billable, total }) => ({
                  id: day,
                  cells: [dayName(day, locale), number(billable), number(total)],
                }))}
              />
            </Disclosure>
          </>,
        ]}
      />
      <div class="beside beside-sheets">
        <div class="sheet pad">
          <h2>{say.byEndpoint}</h2>
          {usage.totalCalls > 0 && <p class="soft small">{say.inAll(number(usage.totalCalls), number(unbilled))}</p>}
          <Endpoints {...{ locale, usage, number }} />
        </div>
        <div class="sheets-below">
          <div class="sheet pad">
            <h2>{say.rightNow}</h2>
            <RightNow {...props} />
          </div>
          <div class="sheet pad" id="at-quota">
            <h2>{say.stopTitle}</h2>
            {environment === 'sandbox' ? (
              <p>{say.sandboxStops}</p>
            ) : (
              <>
                <p>{stopAtQuota ? say.stopped : say.served}</p>
                <ConsoleForm page={page} action={to.quota} hidden={{ stop: stopAtQuota ? 'no' : 'yes' }}>
                  <Button look="quiet">{stopAtQuota ? say.switchOff : say.switchOn}</Button>
                </ConsoleForm>
              </>
            )}
            <p class="soft small">{say.rate(number(requestsPerMinute))}</p>
          </div>
        </div>
      </div>
      <section class="apart">
        <h2>{say.twelve}</h2>
        <DataTable
          label={say.twelve}
          heads={[say.month, say.billable, say.calls]}
          rows={months.map(({ month, billable, total }) => ({
            id: month,
            cells: [
              <a href={`${to.overview}?environment=${environment}&month=${month}`}>{monthName(month, locale)}</a>,
              number(billable),
              number(total),
            ],
          }))}
        />
      </section>
    </ConsoleFrame>
  )
}

function RightNow({ page, now }: UsagePageProps) {
  const { locale } = page
  const say = usageWords(locale)
  if (!now) return <p>{say.unknown}</p>
  const { waiting, lastCreatedAt } = now
  return (
    <dl class="stack">
      <dt>{say.waiting}</dt>
      <dd>{countText(waiting, locale)}</dd>
      <dt>{say.lastContract}</dt>
      <dd>{lastCreatedAt === null ? say.none : <Instant at={new Date(lastCreatedAt)} locale={locale} />}</dd>
    </dl>
  )
}

function OverNote({ page, environment, usage, stopAtQuota, nextTier }: UsagePageProps) {
  const { locale } = page
  const say = usageWords(locale)
  const number = numberIn(locale)
  const stops = environment === 'sandbox' || stopAtQuota
  const endsAt = new Date(Date.parse(usage.periodEnd) + 1)
  return (
    <div class="note note-warning">
      <p>
        <strong>{say.overTitle}</strong>
      </p>
      <p>
        {stops
          ? say.overStopped(formatInstant(endsAt, locale))
          : say.overServed(number(usage.overageCalls), number(usage.quotaLimit))}{' '}
        {nextTier && environment === 'production' && (
          <a href={to.plan}>{say.moveTo(tierName(nextTier.name), number(nextTier.monthlyQuota))}</a>
        )}
        {!stops && (
          <>
            {' '}
            <a href="#at-quota">{say.stopInstead}</a>
          </>
        )}
      </p>
    </div>
  )
}

/** The endpoints that cost nothing. [Limits] */
const FREE = new Set(['GET /usage', 'GET /status'])

function Endpoints(props: { locale: Locale; usage: UsageView; number: (value: number) => string }) {
  const { locale, usage, number } = props
  const say = usageWords(locale)
  const entries = Object.entries(usage.endpointBreakdown).toSorted(([, one], [, other]) => other - one)
  const most = entries[0]?.[1] ?? 0
  if (entries.length === 0) return <p>{say.noCalls}</p>
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
            {number(count)} {FREE.has(label) && <span class="soft small">{say.free}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The day on which the quota was used in full; undefined while it is not. */
function usedUpOn(days: readonly UsageDay[], quota: number): string | undefined {
  let sum = 0
  return days.find(({ billable }) => (sum += billable) >= quota)?.day
}

/** `November 2026`. @param month `YYYY-MM` */
export function monthName(month: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(LANGUAGE_TAG[locale], { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}

/** `3 November`. @param day `YYYY-MM-DD` */
function dayName(day: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(LANGUAGE_TAG[locale], { day: 'numeric', month: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}
