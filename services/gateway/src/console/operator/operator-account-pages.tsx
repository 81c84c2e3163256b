// The operator's pages of accounts. [D37, D38, D75]
import { Button, LinkButton, Select, TextField, fieldsWith, type FieldError } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details } from '@paraph/web/sheet'
import type { AccountOwner } from '../../accounts/account-owners.js'
import type { AccountRow } from '../../accounts/account-store.js'
import type { AuditEntry } from '../../accounts/audit.js'
import type { BrandState as State, KeptBrand } from '../../brand/brand-store.js'
import type { SubscriptionStatus } from '../../accounts/subscription.js'
import type { ProviderStatus } from '../../billing/provider.js'
import { accountMessages } from '../people/messages.js'
import { brandMessages } from '../brand/messages.js'
import { AuditTable } from '../people/audit-table.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Day, Instant } from '../frame/instant.js'
import { countText, type Counted, type PageProps } from '../frame/page-props.js'
import { ButtonForm, ConsoleForm, DayField, Question } from '../frame/forms.js'
import { roleMessages, tierName } from '../frame/messages.js'
import { to } from '../frame/links.js'
import { ActionLinks, Back, DataTable, Empty, FormActions, Mailbox, Paper } from '../frame/parts.js'
import { Section, SheetSection } from '../frame/parts.js'
import { paymentStatusMessages } from '../plan/payment-messages.js'
import { numberIn } from '../plan/plan-page.js'
import { operatorMessages, accountStatusMessages } from './messages.js'

/** A page of all accounts, or of those that a search finds, by name. @param next query string of the next page */
export function AccountListPage(props: {
  page: PageProps
  accounts: readonly AccountRow[]
  search: string
  next: string | undefined
}) {
  const { page, accounts, search, next } = props
  const { locale } = page
  const text = operatorMessages(locale)
  return (
    <ConsoleFrame page={page} at="accounts">
      <h1>{text.accounts}</h1>
      <form class="filters" method="get" action={to.operator.accounts}>
        <TextField name="search" label={text.search} value={search} autocomplete="off" />
        <Button look="quiet">{text.show}</Button>
      </form>
      {accounts.length === 0 && <Empty text={text.noAccounts} />}
      {accounts.length > 0 && <AccountTable {...{ locale, accounts }} />}
      <ActionLinks links={[next !== undefined && { href: `${to.operator.accounts}?${next}`, text: text.next }]} />
    </ConsoleFrame>
  )
}

function AccountTable({ locale, accounts }: { locale: Locale; accounts: readonly AccountRow[] }) {
  const text = operatorMessages(locale)
  return (
    <DataTable
      label={text.accounts}
      heads={[text.account, text.plan, text.state, text.created]}
      rows={accounts.map((account) => ({
        id: account.id,
        cells: [
          <>
            <a href={to.operator.account(account.id)}>
              <bdi>{account.name}</bdi>
            </a>
            <div class="mono sub">{account.id}</div>
          </>,
          <>
            {account.tier === null ? text.noPlan : tierName(account.tier)}
            {account.wantedTier !== null && <div class="sub">{text.wants(tierName(account.wantedTier))}</div>}
          </>,
          stateOf(account, locale),
          <Day at={account.createdAt} locale={locale} />,
        ],
      }))}
    />
  )
}

/** What an account does in production. Undefined: unknown at the moment. */
export interface AccountUse {
  /** Of the running month. */
  billableCalls: number
  quota: number | undefined
  /** Of the last 30 days. */
  lately: { contracts: Counted; invitations: { ended: number; refused: number } } | undefined
  /** Those that nobody has handled. */
  reports: Counted | undefined
}

function rowsOfUse({ page: { locale }, account, use }: { page: PageProps; account: AccountRow; use: AccountUse }) {
  const text = operatorMessages(locale)
  const number = numberIn(locale)
  const { billableCalls, quota, lately, reports } = use
  const percent = new Intl.NumberFormat(LANGUAGE_TAG[locale], { style: 'percent', maximumFractionDigits: 1 })
  const refusedOf = ({ ended, refused }: { ended: number; refused: number }) =>
    text.refusedOf(percent.format(refused / Math.max(1, ended)), number(refused), number(ended))
  return [
    {
      label: text.usage,
      value: quota === undefined ? number(billableCalls) : text.usageOf(number(billableCalls), number(quota)),
    },
    { label: text.contractsLately, value: lately ? countText(lately.contracts, locale) : text.contractUnknown },
    { label: text.refusedLately, value: lately ? refusedOf(lately.invitations) : text.contractUnknown },
    {
      label: text.openReports,
      value: (
        <>
          {reports && countText(reports, locale)}{' '}
          <a href={to.operator.reportsOf(account.id, false)}>{text.seeReports}</a>
        </>
      ),
    },
  ]
}

function stateOf({ status, approvedAt }: AccountRow, locale: Locale): string {
  const text = operatorMessages(locale)
  if (status === 'suspended') return text.suspendedState
  return approvedAt === null ? text.notApproved : text.states
}

/** What the payment provider said last. */
interface AccountPayment {
  status: ProviderStatus | null
  isOpen: boolean
  cancelAt: Date | null
  /** The provider's page about the customer. */
  href: string
}

interface OperatorAccountProps {
  page: PageProps
  account: AccountRow
  subscriptionStatus: SubscriptionStatus
  owners: readonly AccountOwner[]
  tiers: readonly string[]
  entries: readonly AuditEntry[]
  brands: Record<State, KeptBrand | undefined>
  use: AccountUse
  /** Undefined for an account that never began to pay at a provider. */
  payment?: AccountPayment | undefined
  errors?: readonly FieldError[]
  typed?: { tier: string; lastDay: string } | undefined
}

/** One account, and the operator's acts on it. Status 200, or 422 with errors. */
export function OperatorAccountPage(props: OperatorAccountProps) {
  const { page, account, subscriptionStatus, owners, tiers, entries, payment, errors = [], typed } = props
  const { locale } = page
  const text = operatorMessages(locale)
  const wanted = account.wantedTier ?? account.tier ?? 'startup'
  const field = fieldsWith(typed ?? { tier: wanted, lastDay: '' }, errors)
  return (
    <ConsoleFrame page={page} title={account.name} at="accounts" errors={errors}>
      <Back href={to.operator.accounts}>{text.accounts}</Back>
      <h1>
        <bdi>{account.name}</bdi>
      </h1>
      <Paper>
        <Details
          rows={[
            { label: text.state, value: stateOf(account, locale) },
            { label: text.plan, value: account.tier === null ? text.noPlan : tierName(account.tier) },
            { label: text.subscription, value: accountStatusMessages(locale)[subscriptionStatus] },
            {
              label: text.until,
              value: account.periodEnd ? <Instant at={account.periodEnd} locale={locale} /> : text.noEnd,
            },
            ...(payment ? [{ label: text.payment, value: <PaymentState {...{ locale, payment }} /> }] : []),
            { label: text.created, value: <Instant at={account.createdAt} locale={locale} /> },
            {
              label: text.owners,
              value: owners.map(({ address, mailbox, role }) => (
                <div key={mailbox}>
                  <Mailbox address={address} /> <span class="soft">({roleMessages(locale)[role]})</span>
                </div>
              )),
            },
            { label: brandMessages(locale).title, value: <BrandState {...props} /> },
            ...rowsOfUse(props),
          ]}
        />
      </Paper>
      <SheetSection title={text.grantTitle}>
        {account.approvedAt === null ? (
          <p>{text.approveFirst}</p>
        ) : payment?.isOpen ? (
          <p>{text.paysByStripe}</p>
        ) : (
          <>
            <p>{text.grantLead}</p>
            <ConsoleForm page={page} action={to.operator.grant(account.id)}>
              <Select
                {...field('tier')}
                label={text.plan}
                choices={tiers.map((value) => ({ value, label: tierName(value) }))}
              />
              <DayField {...field('lastDay')} label={text.lastDay} hint={text.lastDayHint} />
              <FormActions
                look="primary"
                text={text.grant}
                leave={
                  account.tier !== null &&
                  account.subscriptionStatus !== 'ended' && { href: to.operator.endPlan(account.id), text: text.end }
                }
              />
            </ConsoleForm>
          </>
        )}
      </SheetSection>
      <SheetSection title={text.holdTitle}>
        {account.status === 'suspended' ? (
          <>
            <p>{text.isSuspended}</p>
            <ButtonForm page={page} action={to.operator.resume(account.id)} text={text.resume} />
          </>
        ) : (
          <>
            <p>{text.isActive}</p>
            <div class="actions">
              <LinkButton look="danger-quiet" href={to.operator.suspend(account.id)}>
                {text.suspend}
              </LinkButton>
            </div>
          </>
        )}
      </SheetSection>
      <Section title={accountMessages(locale).record}>
        <AuditTable {...{ locale, entries }} />
      </Section>
    </ConsoleFrame>
  )
}

/** What the account pays at the provider, and a link to the provider's page. */
function PaymentState({ locale, payment }: { locale: Locale; payment: AccountPayment }) {
  const text = operatorMessages(locale)
  const { status, cancelAt, isOpen, href } = payment
  return (
    <>
      {status === null ? text.notPaid : paymentStatusMessages(locale)[status]}
      {isOpen && cancelAt && (
        <>
          , {text.until.toLowerCase()} <Instant at={cancelAt} locale={locale} />
        </>
      )}{' '}
      <a href={href}>{text.openStripe}</a>
    </>
  )
}

/** The states of the account's brands, and a link to their page. */
function BrandState({
  page,
  account,
  brands: { asked, approved },
}: Pick<OperatorAccountProps, 'page' | 'account' | 'brands'>) {
  const text = brandMessages(page.locale)
  const states = [approved && text.shown, asked && (asked.reason === null ? text.asked : text.refused)].filter(Boolean)
  if (states.length === 0) return <>{text.none}</>
  return (
    <>
      {states.join(', ')} <a href={to.operator.brand(account.id)}>{text.see}</a>
    </>
  )
}

/** Asks for confirmation before an act that interrupts a customer. */
export function OperatorQuestion(props: { page: PageProps; account: AccountRow; kind: 'suspend' | 'endPlan' }) {
  const { page, account, kind } = props
  const text = operatorMessages(page.locale)
  const common = {
    page,
    at: 'accounts',
    back: { href: to.operator.account(account.id), text: <bdi>{account.name}</bdi> },
    action: to.operator[kind](account.id),
    leave: text.keep,
  } as const
  if (kind === 'endPlan')
    return <Question {...common} title={text.endTitle} lead={<p>{text.endLead}</p>} button={text.end} />
  return (
    <Question
      {...common}
      title={text.suspendTitle(account.name)}
      heading={isolateNames(text.suspendTitle, account.name)}
      lead={<p>{text.suspendLead}</p>}
      button={text.suspend}
    />
  )
}
