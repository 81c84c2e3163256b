// The overview page: the contracts that need attention, then the usage of a month by day and endpoint, and of the last twelve months, as
// GET /usage counts it. [Usage, D3, D4, D35, D71]
import type { ComponentChildren } from 'preact'
import { elementAt } from '@paraph/protocol/element-at'
import type { Environment } from '@paraph/protocol/environment'
import type { UsageView } from '@paraph/protocol/account-views'
import { formatDayOfMonth, formatDuration, formatInstant, formatMonth } from '@paraph/web/dates'
import type { Locale } from '@paraph/web/locale'
import { Disclosure } from '@paraph/web/sheet'
import type { UsageDay, UsageMonth } from '../../usage/history.js'
import type { ContractFigures } from '../contracts/contract-rows.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { countText, mayUse, type Counted, type PageProps } from '../frame/page-props.js'
import { ButtonForm } from '../frame/forms.js'
import { DayChart, QuotaBar } from './charts.js'
import { Endpoints } from './endpoints.js'
import { tierName } from '../frame/messages.js'
import { to } from '../frame/links.js'
import { Back, DataTable, EnvironmentTabs, Paper, Section } from '../frame/parts.js'
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
  /** The contracts of this environment; undefined while the contract service does not respond. */
  contracts: ContractFigures | undefined
}

/** The contracts and the usage of the current month, or the usage of an earlier month. */
export function UsagePage(props: UsagePageProps) {
  const { page, environment, usage, isNow } = props
  const { locale } = page
  const text = usageMessages(locale)
  const usageTitle = text.titleOf(monthName(usage.period, locale))
  const title = isNow ? text.title : usageTitle
  return (
    <ConsoleFrame page={page} title={title} at="overview">
      {!isNow && <Back href={`${to.overview}?environment=${environment}`}>{text.title}</Back>}
      <div class="head">
        <h1>{title}</h1>
        {mayUse(page, 'read', 'production') && (
          <EnvironmentTabs {...{ locale, environment, href: to.overview, query: { month: usage.period } }} />
        )}
      </div>
      {isNow && (
        <section>
          <h2>{text.contracts}</h2>
          <Contracts {...props} />
        </section>
      )}
      <section class="usage">
        {isNow && <h2>{usageTitle}</h2>}
        <Usage {...props} />
      </section>
      <Months {...props} />
    </ConsoleFrame>
  )
}

function Usage(props: UsagePageProps) {
  const { page, environment, usage, days, requestsPerMinute, stopAtQuota, isNow } = props
  const { locale } = page
  const text = usageMessages(locale)
  const number = numberIn(locale)
  const unbilled = usage.totalCalls - usage.billableCalls
  const endsAt = new Date(Date.parse(usage.periodEnd) + 1)
  const used = usedUpOn(days, usage.quotaLimit)
  // Below the heading of the month, which is the page's own for an earlier month.
  const Heading = isNow ? 'h3' : 'h2'
  const barText = text.barOf(number(usage.billableCalls), number(usage.quotaLimit))
  const figures = [
    [text.billable, usage.billableCalls],
    [text.quota, usage.quotaLimit],
    [text.remaining, usage.remaining],
    [text.overage, usage.overageCalls],
  ] as const
  return (
    <>
      {isNow && usage.remaining === 0 && usage.billableCalls > 0 && <OverNote {...props} />}
      <Figures rows={figures.map(([label, value]) => [label, number(value)])} />
      <div>
        <QuotaBar used={usage.billableCalls} quota={usage.quotaLimit} label={barText} />
        <p class="bar-words">
          <span>{used === undefined ? barText : text.usedUpOn(dayName(used, locale))}</span>{' '}
          {isNow && <span>{text.startsAgain(formatInstant(endsAt, locale))}</span>}
        </p>
      </div>
      <Paper>
        <Heading>{text.byDay}</Heading>
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
          <Heading>{text.byEndpoint}</Heading>
          {usage.totalCalls > 0 && (
            <p class="soft small">{text.callsInAll(number(usage.totalCalls), number(unbilled))}</p>
          )}
          <Endpoints {...{ locale, usage, number }} />
        </div>
        <div class="sheet pad" id="at-quota">
          <Heading>{text.stopTitle}</Heading>
          {environment === 'sandbox' ? (
            <p>{text.sandboxStops}</p>
          ) : (
            <>
              <p>{stopAtQuota ? text.stopped : text.served}</p>
              {mayUse(page, 'manage') && (
                <ButtonForm
                  {...{ page, action: to.quota, hidden: { stop: stopAtQuota ? 'no' : 'yes' } }}
                  text={stopAtQuota ? text.switchOff : text.switchOn}
                />
              )}
            </>
          )}
          <p class="soft small">{text.rate(number(requestsPerMinute))}</p>
        </div>
      </div>
    </>
  )
}

function Figures({ rows }: { rows: readonly (readonly [label: string, value: ComponentChildren])[] }) {
  return (
    <dl class="figures">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What the owner should look at, each number a link to its list. */
function Contracts({ page, environment, contracts }: UsagePageProps) {
  const { locale } = page
  const text = usageMessages(locale)
  if (!contracts) return <p>{text.contractsUnknown}</p>
  const { waiting, expiring, delivery, declined, completed, medianMs } = contracts
  const linked = (count: Counted, filter: Record<string, string>) => (
    <a href={`${to.contracts}?${new URLSearchParams({ environment, ...filter }).toString()}`}>
      {countText(count, locale)}
    </a>
  )
  return (
    <>
      <Figures
        rows={[
          [text.waiting, linked(waiting, { status: 'open' })],
          // A contract of the sandbox lives for an hour.
          ...(environment === 'production' ? [[text.expiring, linked(expiring, { status: 'expiring' })] as const] : []),
          [text.delivery, linked(delivery, { problem: 'delivery' })],
          [text.declined, linked(declined, { problem: 'declined' })],
          [text.completed, linked(completed, { status: 'signed' })],
          [text.median, medianMs === null ? text.none : formatDuration(medianMs, locale)],
        ]}
      />
      {medianMs !== null && <p class="soft small">{text.medianOf}</p>}
      <p class="alone">
        <a href={`${to.contracts}?environment=${environment}`}>{text.seeContracts}</a>
      </p>
    </>
  )
}

function Months({ page, environment, months }: UsagePageProps) {
  const { locale } = page
  const text = usageMessages(locale)
  const number = numberIn(locale)
  return (
    <Section title={text.months}>
      <Disclosure summary={text.showMonths}>
        <DataTable
          label={text.months}
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
      </Disclosure>
    </Section>
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
          : text.overServed(number(usage.overageCalls), number(usage.quotaLimit))}
      </p>
      {mayUse(page, 'manage') && (
        <ul class="note-links">
          {nextTier && environment === 'production' && (
            <li>
              <a href={to.plan}>{text.moveTo(tierName(nextTier.name), number(nextTier.monthly_quota))}</a>
            </li>
          )}
          {!stops && (
            <li>
              <a href="#at-quota">{text.stopInstead}</a>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

/** The day on which the quota was used up; undefined if quota is left. */
function usedUpOn(days: readonly UsageDay[], quota: number): string | undefined {
  let sum = 0
  return days.find(({ billable }) => (sum += billable) >= quota)?.day
}

/** @param month `YYYY-MM` */
const monthName = (month: string, locale: Locale): string => formatMonth(new Date(month), locale)

/** @param day `YYYY-MM-DD` */
const dayName = (day: string, locale: Locale): string => formatDayOfMonth(new Date(day), locale)
