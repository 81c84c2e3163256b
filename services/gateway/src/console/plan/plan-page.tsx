// Plan and billing: what is offered, what the account has, how it is paid. No plan is pushed; the one that fits is marked. [Subscription tiers]
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { Button } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { setNames } from '@paraph/web/names-in-words'
import { Facts } from '@paraph/web/sheet'
import type { Access } from '../../access.js'
import { applicationWords } from './application-words.js'
import { ConsoleForm, ConsoleFrame, SoloFrame, type PageProps } from './console-frame.js'
import { frameWords, tierName } from './frame-words.js'
import { to } from './links.js'

export interface OfferedTier {
  name: string
  priceCad: number
  requestsPerMinute: number
  monthlyQuota: number
  sandboxMonthlyQuota: number
}

interface PlanPageProps {
  page: PageProps
  accountName: string
  access: Access
  /** What it was given, on trial or ended too. */
  tier: string | null
  /** What its owner chose and has not been given yet. */
  wantedTier: string | null
  tiers: readonly OfferedTier[]
  /** What the application said: contracts a month at most; undefined where nobody applied, or for more than we can guess. */
  contractsAMonth: number | undefined
}

/** Calls that one contract takes, by the words on the page: made once, read four times. */
const CALLS_PER_CONTRACT = 5

/** Before the first plan by itself; afterwards among the sections. */
export function PlanPage(props: PlanPageProps) {
  const { page, access, accountName } = props
  const say = applicationWords(page.locale)
  if (access.step === 'choose_plan')
    return (
      <SoloFrame page={page} title={say.planTitle} width="reading">
        <p class="soft">{setNames(say.approved, accountName)}</p>
        <Plans {...props} />
      </SoloFrame>
    )
  return (
    <ConsoleFrame page={page} title={frameWords(page.locale).plan} at="plan">
      <Plans {...props} />
    </ConsoleFrame>
  )
}

function Plans({ page, access, tier: given, wantedTier, tiers, contractsAMonth }: PlanPageProps): ComponentChildren {
  const { locale } = page
  const say = applicationWords(locale)
  const number = numberIn(locale)
  const needed = contractsAMonth === undefined ? undefined : contractsAMonth * CALLS_PER_CONTRACT
  const fitting = needed === undefined ? undefined : tiers.find(({ monthlyQuota }) => monthlyQuota >= needed)
  const isFirst = access.step === 'choose_plan'
  return (
    <>
      <h1>{isFirst ? say.planTitle : frameWords(locale).plan}</h1>
      <p class="lead">{say.planLead}</p>
      <div class="plans">
        {tiers.map((tier) => {
          const state = tier.name === wantedTier ? say.chosen : stateOf(access, tier.name, locale)
          const isMarked = isFirst ? tier === fitting : state !== undefined
          // Whoever tries a plan can ask to have it.
          const isOffered = state === undefined || (access.step === 'trial' && tier.name !== wantedTier)
          return (
            <section key={tier.name} class={isMarked ? 'sheet plan plan-marked' : 'sheet plan'}>
              <h2>{tierName(tier.name)}</h2>
              <p class="soft plan-for">{forWhom(tier.name, locale)}</p>
              <p class="price">
                <strong>${tier.priceCad}</strong> <span>{say.perMonth}</span>
              </p>
              <Facts
                facts={[
                  { label: say.calls, value: number(tier.monthlyQuota) },
                  { label: say.rate, value: number(tier.requestsPerMinute) },
                  { label: say.sandbox, value: say.sandboxCalls(number(tier.sandboxMonthlyQuota)) },
                ]}
              />
              {isFirst && tier === fitting && <p class="plan-note">{say.fits(number(contractsAMonth ?? 0))}</p>}
              {state !== undefined && <p class="plan-note">{state}</p>}
              {isOffered && (
                <ConsoleForm page={page} action={to.plan} hidden={{ tier: tier.name, from: given ?? '' }}>
                  <Button look="quiet">{say.choosePlan(tierName(tier.name))}</Button>
                </ConsoleForm>
              )}
            </section>
          )
        })}
      </div>
      <div class="beside">
        <section>
          <h2>{say.whatCounts}</h2>
          <p>{say.whatCountsText}</p>
        </section>
        <section>
          <h2>{say.atTheLimit}</h2>
          <p>{say.atTheLimitText}</p>
        </section>
        <section>
          <h2>{say.howPaid}</h2>
          <p>{say.howPaidText}</p>
        </section>
      </div>
    </>
  )
}

/** What stands on the plan that the account has. */
function stateOf(access: Access, tier: string, locale: Locale): string | undefined {
  const say = applicationWords(locale)
  if (!('tier' in access) || access.tier !== tier || access.step === 'ended') return undefined
  const end = 'periodEnd' in access ? access.periodEnd : null
  if (access.step === 'trial') return say.onTrial
  return end === null ? say.current : `${say.current}. ${say.until(formatInstant(end, locale))}`
}

function forWhom(tier: string, locale: Locale): string {
  const say = applicationWords(locale)
  if (tier === 'startup') return say.startupFor
  if (tier === 'growth') return say.growthFor
  return tier === 'enterprise' ? say.enterpriseFor : ''
}

/** Numbers as the language groups them. */
export const numberIn = (locale: Locale): ((value: number) => string) => {
  const format = new Intl.NumberFormat(LANGUAGE_TAG[locale])
  return (value) => format.format(value).replace(/\s/g, '\u00A0')
}
