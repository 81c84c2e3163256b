// Accounts as operators see them: the list, one account, and the questions before an act. [D37, D38]
import { Button, LinkButton, Select, TextField, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { setNames } from '@paraph/web/names-in-words'
import { Facts, Sheet } from '@paraph/web/sheet'
import type { AccountOwner } from '../../account-owners.js'
import type { AccountRow } from '../../account-store.js'
import type { AuditEntry } from '../../audit.js'
import type { SubscriptionStanding } from '../../subscription.js'
import { accountWords } from './account-words.js'
import { AuditTable } from './audit-table.js'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import { tierName } from './frame-words.js'
import { to } from './links.js'
import { operatorWords, standingWords } from './operator-words.js'
import { DataTable } from './parts.js'

type ListedAccount = Pick<
  AccountRow,
  'id' | 'name' | 'tier' | 'status' | 'subscriptionStatus' | 'wantedTier' | 'approvedAt' | 'createdAt'
>

/** Every account by name, a page at a time. @param next where the next page begins */
export function AccountListPage(props: {
  page: PageProps
  accounts: readonly ListedAccount[]
  next: string | undefined
}) {
  const { page, accounts, next } = props
  const { locale } = page
  const say = operatorWords(locale)
  return (
    <ConsoleFrame page={page} title={say.accounts} at="accounts">
      <h1>{say.accounts}</h1>
      <DataTable
        label={say.accounts}
        heads={[say.account, say.plan, say.state, say.created]}
        rows={accounts.map((account) => ({
          id: account.id,
          cells: [
            <>
              <a href={to.operator.account(account.id)}>
                <bdi>{account.name}</bdi>
              </a>
              <span class="mono sub">{account.id}</span>
            </>,
            <>
              {account.tier === null ? say.noPlan : tierName(account.tier)}
              {account.wantedTier !== null && <span class="sub">{say.wants(tierName(account.wantedTier))}</span>}
            </>,
            stateOf(account, locale),
            <Instant at={account.createdAt} locale={locale} />,
          ],
        }))}
      />
      {next !== undefined && (
        <div class="actions">
          <LinkButton look="quiet" href={`${to.operator.accounts}?${next}`}>
            {say.next}
          </LinkButton>
        </div>
      )}
    </ConsoleFrame>
  )
}

function stateOf({ status, approvedAt }: ListedAccount, locale: Locale): string {
  const say = operatorWords(locale)
  if (status === 'suspended') return say.suspendedState
  return approvedAt === null ? say.notApproved : say.states
}

/** One account: what it has, and what an operator may do with it. 200, or 422 with what is wrong. */
export function OperatorAccountPage(props: {
  page: PageProps
  account: AccountRow
  standing: SubscriptionStanding
  owners: readonly AccountOwner[]
  tiers: readonly string[]
  entries: readonly AuditEntry[]
  errors?: readonly FieldError[]
  typed?: { tier: string; lastDay: string } | undefined
}) {
  const { page, account, standing, owners, tiers, entries, errors = [], typed } = props
  const { locale } = page
  const say = operatorWords(locale)
  const errorAt = (field: string) => errors.find((error) => error.field === field)?.message
  return (
    <ConsoleFrame page={page} title={account.name} at="accounts" errors={errors}>
      <p class="back">
        <a href={to.operator.accounts}>{say.accounts}</a>
      </p>
      <h1>
        <bdi>{account.name}</bdi>
      </h1>
      <Sheet
        parts={[
          <Facts
            facts={[
              { label: say.state, value: stateOf(account, locale) },
              { label: say.plan, value: account.tier === null ? say.noPlan : tierName(account.tier) },
              { label: say.subscription, value: standingWords(locale)[standing] },
              {
                label: say.until,
                value: account.periodEnd ? <Instant at={account.periodEnd} locale={locale} /> : say.noEnd,
              },
              { label: say.created, value: <Instant at={account.createdAt} locale={locale} /> },
              {
                label: say.owners,
                value: owners.map(({ address, mailbox }) => (
                  <bdi key={mailbox} class="line-of">
                    {address}
                  </bdi>
                )),
              },
            ]}
          />,
        ]}
      />
      <section class="apart narrow">
        <h2>{say.grantTitle}</h2>
        {account.approvedAt === null ? (
          <p>{say.approveFirst}</p>
        ) : (
          <>
            <p>{say.grantLead}</p>
            <ConsoleForm page={page} action={to.operator.grant(account.id)}>
              <Select
                name="tier"
                label={say.plan}
                error={errorAt('tier')}
                value={typed?.tier ?? account.wantedTier ?? account.tier ?? 'startup'}
                choices={tiers.map((value) => ({ value, label: tierName(value) }))}
              />
              <TextField
                name="lastDay"
                label={say.lastDay}
                hint={say.lastDayHint}
                error={errorAt('lastDay')}
                value={typed?.lastDay}
                autocomplete="off"
              />
              <div class="actions">
                <Button look="primary">{say.grant}</Button>
                {account.tier !== null && account.subscriptionStatus !== 'ended' && (
                  <a class="plain-link" href={to.operator.endPlan(account.id)}>
                    {say.end}
                  </a>
                )}
              </div>
            </ConsoleForm>
          </>
        )}
      </section>
      <section class="apart narrow">
        <h2>{say.holdTitle}</h2>
        {account.status === 'suspended' ? (
          <ConsoleForm page={page} action={to.operator.resume(account.id)}>
            <Button look="quiet">{say.resume}</Button>
          </ConsoleForm>
        ) : (
          <LinkButton look="danger-quiet" href={to.operator.suspend(account.id)}>
            {say.suspend}
          </LinkButton>
        )}
      </section>
      <section class="apart">
        <h2>{accountWords(locale).record}</h2>
        <AuditTable {...{ locale, entries }} />
      </section>
    </ConsoleFrame>
  )
}

/** A question of its own before something that stops people: suspending, ending. */
export function OperatorQuestion(props: { page: PageProps; account: AccountRow; kind: 'suspend' | 'endPlan' }) {
  const { page, account, kind } = props
  const say = operatorWords(page.locale)
  const isSuspension = kind === 'suspend'
  const title = isSuspension ? say.suspendTitle(account.name) : say.endTitle
  return (
    <ConsoleFrame page={page} title={title} at="accounts" width="form">
      <p class="back">
        <a href={to.operator.account(account.id)}>
          <bdi>{account.name}</bdi>
        </a>
      </p>
      <h1>{isSuspension ? setNames(say.suspendTitle, account.name) : say.endTitle}</h1>
      <p>{isSuspension ? say.suspendLead : say.endLead}</p>
      <ConsoleForm page={page} action={to.operator[kind](account.id)}>
        <div class="actions">
          <Button look="danger">{isSuspension ? say.suspend : say.end}</Button>
          <a class="plain-link" href={to.operator.account(account.id)}>
            {say.keep}
          </a>
        </div>
      </ConsoleForm>
    </ConsoleFrame>
  )
}
