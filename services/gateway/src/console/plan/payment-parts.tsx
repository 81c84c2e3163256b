// What the page of the plan shows with a payment provider: the state of the payment, and the links that lead to the provider. [D74]
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Details, Note } from '@paraph/web/sheet'
import type { Access } from '../../accounts/access.js'
import { to } from '../frame/links.js'
import { tierName } from '../frame/messages.js'
import { SheetSection } from '../frame/parts.js'
import { paymentMessages, paymentStatusMessages } from './payment-messages.js'
import type { PlanPayment } from './payment.js'

/** True if the owner pays for this plan at the provider. A first plan that begins as a trial is paid later. */
export const isPaidHere = ({ tiers, mayTry }: PlanPayment, tier: string, { step }: Access): boolean =>
  tiers.has(tier) && step !== 'suspended' && !(step === 'choose_plan' && mayTry)

/** Leads to the provider's page for a plan. */
export function PayLink(props: { locale: Locale; payment: PlanPayment; tier: string; look: 'primary' | 'quiet' }) {
  const text = paymentMessages(props.locale)
  const name = tierName(props.tier)
  return (
    <LinkButton look={props.look} href={to.checkout(props.tier)}>
      {props.payment.isOpen ? text.changeTo(name) : text.payFor(name)}
    </LinkButton>
  )
}

/** The state of the payment and the link to the provider; nothing before the first payment. */
export function PaymentState(props: { locale: Locale; access: Access; payment: PlanPayment }) {
  const { locale, access, payment } = props
  const { status, isOpen, cancelAt, isConfirming } = payment
  const text = paymentMessages(locale)
  const end = 'periodEnd' in access ? access.periodEnd : null
  const isMissing = status === 'past_due' || status === 'unpaid'
  return (
    <>
      {isConfirming && (
        <Note kind="information">
          <p>
            {text.confirming} <a href={`${to.plan}?from=checkout`}>{text.checkAgain}</a>
          </p>
        </Note>
      )}
      {status !== undefined && (
        <SheetSection title={text.payment}>
          <Details
            rows={[
              { label: text.state, value: paymentStatusMessages(locale)[status] },
              ...(isOpen && cancelAt
                ? [{ label: text.ends, value: formatInstant(cancelAt, locale) }]
                : isOpen && end && !isMissing
                  ? [{ label: text.renews, value: formatInstant(end, locale) }]
                  : []),
            ]}
          />
          {isOpen && cancelAt && <p>{text.cancelled}</p>}
          <div class="actions">
            <LinkButton look={isMissing ? 'primary' : 'quiet'} href={to.portal}>
              {isMissing ? text.payNow : isOpen ? text.manage : text.receipts}
            </LinkButton>
          </div>
        </SheetSection>
      )}
    </>
  )
}
