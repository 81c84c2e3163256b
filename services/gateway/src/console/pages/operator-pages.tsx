// The operator's pages: applications with their facts, accounts, what was done. [D37, D38]
import { formatInstant } from '@paraph/web/dates'
import { Button, LinkButton, Select, TextArea, TextField, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { setNames } from '@paraph/web/names-in-words'
import { Disclosure, Facts, Note, Sheet } from '@paraph/web/sheet'
import { isMailOfWebsite } from '../../application.js'
import type { AccountOwner } from '../../account-owners.js'
import type { AccountRow } from '../../account-store.js'
import type { QueuedApplication } from '../../application-store.js'
import type { AuditEntry } from '../../audit.js'
import type { SubscriptionStanding } from '../../subscription.js'
import { accountWords } from './account-words.js'
import { typeName } from './application-pages.js'
import { applicationWords, volumeText } from './application-words.js'
import { AuditTable } from './audit-table.js'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import { frameWords, tierName } from './frame-words.js'
import { to } from './links.js'
import { operatorWords, reportReasonWords, standingWords } from './operator-words.js'
import type { ListedReport } from './contract-facts.js'
import { DataTable } from './parts.js'

interface QueuePageProps {
  page: PageProps
  waiting: number
  applications: readonly QueuedApplication[]
  tiers: readonly string[]
  /** Of the application whose decision could not be taken, with what was typed. */
  errors?: readonly FieldError[]
  typed?: { id: string; reason: string } | undefined
  /** It was decided by somebody else, or changed by its applicant. */
  isDecided?: boolean
}

/** What waits, the oldest first and open. */
export function QueuePage({ page, waiting, applications, tiers, errors = [], typed, isDecided }: QueuePageProps) {
  const say = operatorWords(page.locale)
  return (
    <ConsoleFrame page={page} title={say.applications} at="applications" errors={errors}>
      <div>
        <h1>{say.applications}</h1>
        <p class="soft">{say.waiting(waiting)}</p>
      </div>
      {isDecided && (
        <Note kind="warning">
          <p>{say.decidedMeanwhile}</p>
        </Note>
      )}
      {applications.map((application, at) => {
        const isOpen = typed === undefined ? at === 0 : typed.id === application.id
        const shown = {
          ...{ page, application, tiers },
          errors: isOpen ? errors : [],
          reason: isOpen ? typed?.reason : undefined,
        }
        return isOpen ? (
          <ApplicationSheet key={application.id} {...shown} />
        ) : (
          <div key={application.id} class="sheet pad">
            <ApplicationHead {...{ page, application }} />
            <Disclosure summary={application.website}>
              <ApplicationBody {...{ page, application }} />
              <Decision {...shown} />
            </Disclosure>
          </div>
        )
      })}
    </ConsoleFrame>
  )
}

interface OneProps {
  page: PageProps
  application: QueuedApplication
}

function ApplicationSheet(props: OneProps & DecisionProps) {
  return (
    <Sheet
      parts={[
        <>
          <ApplicationHead {...props} />
          <ApplicationBody {...props} />
        </>,
        <Decision {...props} />,
      ]}
    />
  )
}

function ApplicationHead({ page, application }: OneProps) {
  const say = operatorWords(page.locale)
  return (
    <div class="head">
      <h2>
        <bdi>{application.company}</bdi>
      </h2>
      <p class="soft small">{say.sent(formatInstant(application.sentAt, page.locale))}</p>
    </div>
  )
}

function ApplicationBody({ page, application }: OneProps) {
  const { locale } = page
  const say = operatorWords(locale)
  const told = applicationWords(locale)
  const { mailbox, website, earlierRefusals } = application
  const fits = isMailOfWebsite(mailbox, website)
  return (
    <div class="application">
      <div>
        <p class="written">
          <bdi>{application.purpose}</bdi>
        </p>
        <Facts
          facts={[
            { label: told.types, value: application.contractTypes.map((type) => typeName(type, locale)).join(', ') },
            { label: told.volume, value: volumeText(application.volume, locale) },
            { label: say.otherParties, value: <bdi>{application.otherParties}</bdi> },
            { label: say.applicant, value: <bdi class="unbroken">{mailbox}</bdi> },
            { label: say.website, value: <bdi>{website}</bdi> },
          ]}
        />
      </div>
      <div>
        <h3>{say.checked}</h3>
        <ul class="checked">
          <li class="is-so">{say.mailboxProven}</li>
          <li class={fits ? 'is-so' : 'is-not'}>{fits ? say.domainFits : say.domainDiffers}</li>
          <li class={earlierRefusals === 0 ? 'is-so' : 'is-not'}>
            {earlierRefusals === 0 ? say.noRefusal : say.refusals(earlierRefusals)}
          </li>
          <li class="soft">{say.notChecked}</li>
        </ul>
      </div>
    </div>
  )
}

interface DecisionProps {
  tiers: readonly string[]
  errors: readonly FieldError[]
  reason: string | undefined
}

/** One form, two buttons: the reason belongs to either. */
function Decision({ page, application, tiers, errors, reason }: OneProps & DecisionProps) {
  const say = operatorWords(page.locale)
  const reasonName = `reason-${application.id}`
  return (
    <ConsoleForm page={page} action={to.operator.decide(application.id)} hidden={{ revision: application.revision }}>
      <TextArea
        name={reasonName}
        label={say.reason}
        hint={say.reasonHint}
        error={errors.find(({ field }) => field === reasonName)?.message}
        value={reason}
        rows={3}
      />
      <Select
        name={`tier-${application.id}`}
        label={say.withTier}
        hint={say.withTierHint}
        choices={[{ value: '', label: say.ownerChooses }, ...tiers.map((value) => ({ value, label: tierName(value) }))]}
      />
      <div class="actions">
        <Button look="primary" name="decision" value="approve">
          {say.approve}
        </Button>
        <Button look="danger-quiet" name="decision" value="refuse">
          {say.refuse}
        </Button>
      </div>
    </ConsoleForm>
  )
}

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

/** What people reported, in their words. */
export function ReportsPage(props: { page: PageProps; reports: readonly ListedReport[] }) {
  const { page, reports } = props
  const { locale } = page
  const say = operatorWords(locale)
  return (
    <ConsoleFrame page={page} title={say.reports} at="reports">
      <div>
        <h1>{say.reports}</h1>
        <p class="soft">{say.reportsLead}</p>
      </div>
      {reports.length === 0 ? (
        <div class="empty">
          <hr class="bare-line" />
          <p>{say.noReports}</p>
        </div>
      ) : (
        <DataTable
          label={say.reports}
          heads={[say.received, say.contract, say.reason, say.message]}
          rows={reports.map(({ id, contractId, reason, message, createdAt }) => ({
            id,
            cells: [
              <Instant at={new Date(createdAt)} locale={locale} />,
              <span class="mono sub">{contractId}</span>,
              reportReasonWords(locale)[reason],
              <span class="written-small">
                <bdi>{message}</bdi>
              </span>,
            ],
          }))}
        />
      )}
    </ConsoleFrame>
  )
}

/** What was done to any account, newest first. */
export function AuditPage(props: { page: PageProps; entries: readonly AuditEntry[]; older: number | undefined }) {
  const { page, entries, older } = props
  const say = operatorWords(page.locale)
  return (
    <ConsoleFrame page={page} title={frameWords(page.locale).audit} at="audit">
      <div>
        <h1>{say.audit}</h1>
        <p class="soft">{say.auditLead}</p>
      </div>
      <AuditTable locale={page.locale} entries={entries} withAccounts />
      {older !== undefined && (
        <div class="actions">
          <LinkButton look="quiet" href={`${to.operator.audit}?before=${older}`}>
            {accountWords(page.locale).older}
          </LinkButton>
        </div>
      )}
    </ConsoleFrame>
  )
}
