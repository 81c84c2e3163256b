// The page of plan and billing: the offered plans, the current plan, payment. Marks the current or a fitting plan. [Subscription tiers]
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details } from '@paraph/web/sheet'
import type { Access } from '../../accounts/access.js'
import type { AccountRow, AccountStore } from '../../accounts/account-store.js'
import { applicationMessages } from '../people/application-messages.js'
import { ConsoleFrame, SoloFrame } from '../frame/console-frame.js'
import type { PageProps } from '../frame/page-props.js'
import { ButtonForm } from '../frame/forms.js'
import { frameMessages, tierName } from '../frame/messages.js'
import { to } from '../frame/links.js'
import { isPaidHere, PayLink, PaymentState } from './payment-parts.js'
import { paymentMessages } from './payment-messages.js'
import type { PlanPayment } from './payment.js'

interface PlanPageProps {
  page: PageProps
  account: Pick<AccountRow, 'name' | 'tier' | 'wantedTier'>
  access: Access
  tiers: Awaited<ReturnType<AccountStore['offeredTiers']>>
  /** Contracts a month, the maximum of the application's range; undefined without an application, or for an open range. */
  contractsAMonth: number | undefined
  /** Undefined: the operator sends invoices. */
  payment: PlanPayment | undefined
}

/** Calls for one contract, as the page states: one to create it, four to read it. */
const CALLS_PER_CONTRACT = 5

/** Hides the console's sections until the first plan is chosen. */
export function PlanPage(props: PlanPageProps) {
  const { page, access, account } = props
  const text = applicationMessages(page.locale)
  if (access.step === 'choose_plan')
    return (
      <SoloFrame page={page} title={text.planTitle} width="reading">
        <p class="soft">{isolateNames(text.approved, account.name)}</p>
        <Plans {...props} />
      </SoloFrame>
    )
  return (
    <ConsoleFrame page={page} at="plan">
      <Plans {...props} />
    </ConsoleFrame>
  )
}

function Plans({ page, access, account, tiers, contractsAMonth, payment }: PlanPageProps): ComponentChildren {
  const { locale } = page
  const text = applicationMessages(locale)
  const number = numberIn(locale)
  const needed = contractsAMonth === undefined ? undefined : contractsAMonth * CALLS_PER_CONTRACT
  const fitting = needed === undefined ? undefined : tiers.find((tier) => tier.monthly_quota >= needed)
  const isFirst = access.step === 'choose_plan'
  return (
    <>
      <h1>{isFirst ? text.planTitle : frameMessages(locale).plan}</h1>
      <p class="lead">{text.planLead}</p>
      {payment && <PaymentState {...{ locale, access, payment }} />}
      <div class="plans">
        {tiers.map((tier) => {
          const isWanted = tier.name === account.wantedTier
          const state = isWanted ? text.chosen : stateOf(access, tier.name, { locale, payment })
          const isMarked = isFirst ? tier === fitting : state !== undefined
          // An account on trial can request the same plan without a trial.
          const isOffered = state === undefined || (access.step === 'trial' && !isWanted)
          const isPaid = payment !== undefined && isPaidHere(payment, tier.name, access)
          const look = isFirst && tier === fitting ? 'primary' : 'quiet'
          return (
            <section key={tier.name} class={isMarked ? 'sheet plan plan-marked' : 'sheet plan'}>
              <h2>{tierName(tier.name)}</h2>
              <p class="soft plan-for">{forWhom(tier.name, locale)}</p>
              <p class="price">
                <strong>{text.price(amountIn(locale, tier.monthly_price_cad ?? 0))}</strong>{' '}
                <span>{text.perMonth}</span>
              </p>
              <Details
                rows={[
                  { label: text.calls, value: number(tier.monthly_quota) },
                  { label: text.rate, value: number(tier.requests_per_minute) },
                  { label: text.sandbox, value: text.sandboxCalls(number(tier.sandbox_monthly_quota)) },
                ]}
              />
              {isFirst && tier === fitting && <p class="plan-note">{text.fits(number(contractsAMonth ?? 0))}</p>}
              {state !== undefined && <p class="plan-note">{state}</p>}
              {isPaid && !payment.isConfirming && (isOffered || isWanted) && (
                <PayLink {...{ locale, payment, tier: tier.name, look }} />
              )}
              {!isPaid && isOffered && (
                <ButtonForm
                  {...{ page, action: to.plan, hidden: { tier: tier.name, from: account.tier ?? '' }, look }}
                  text={text.choosePlan(tierName(tier.name))}
                />
              )}
            </section>
          )
        })}
      </div>
      <div class="beside">
        {(['whatCounts', 'atTheLimit', 'howPaid'] as const).map((topic) => (
          <section key={topic}>
            <h2>{text[topic]}</h2>
            <p>{topic === 'howPaid' && payment ? paymentMessages(locale).howPaid : text[`${topic}Text`]}</p>
          </section>
        ))}
      </div>
    </>
  )
}

/** The note on the account's current plan; undefined for any other plan. */
function stateOf(
  access: Access,
  tier: string,
  { locale, payment }: { locale: Locale; payment: PlanPayment | undefined },
): string | undefined {
  const text = applicationMessages(locale)
  if (!('tier' in access) || access.tier !== tier || access.step === 'ended') return undefined
  const end = 'periodEnd' in access ? access.periodEnd : null
  if (access.step === 'trial') return text.onTrial
  // The sheet about the payment says when the plan renews or ends.
  if (payment?.isOpen) return text.current
  return end === null ? text.current : `${text.current}. ${text.until(formatInstant(end, locale))}`
}

function forWhom(tier: string, locale: Locale): string {
  const text = applicationMessages(locale)
  return tier === 'startup' || tier === 'growth' || tier === 'enterprise' ? text[`${tier}For`] : ''
}

/** `$29` and `29 $`: the message adds whose dollar it is. */
const amountIn = (locale: Locale, dollars: number): string =>
  new Intl.NumberFormat(LANGUAGE_TAG[locale], {
    style: 'currency',
    currency: 'CAD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  })
    .format(dollars)
    .replace(/\s/g, '\u00A0')

/** Formats numbers with the digit grouping of the language. */
export const numberIn = (locale: Locale): ((value: number) => string) => {
  const format = new Intl.NumberFormat(LANGUAGE_TAG[locale])
  return (value) => format.format(value).replace(/\s/g, '\u00A0')
}
