// The account page: settings, reply address, owners, sessions, audit log, export. [D4, D23, D25, D34, D36]
import { errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import { ACCOUNT_ROLES, type AccountRole } from '@paraph/protocol/account-role'
import { MAIL_LANGUAGES } from '@paraph/protocol/principal'
import { formatTime } from '@paraph/web/dates'
import { Button, fieldsWith, Select, TextField, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import type { AccountOwner } from '../../accounts/account-owners.js'
import type { AccountRow } from '../../accounts/account-store.js'
import type { AuditEntry } from '../../accounts/audit.js'
import { zonesWith } from './time-zones.js'
import { accountMessages, roleHints } from './messages.js'
import { signInMessages } from './sign-in-messages.js'
import { AuditTable, OlderLink } from './audit-table.js'
import { brandMessages } from '../brand/messages.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Day } from '../frame/instant.js'
import { mayUse, type PageProps } from '../frame/page-props.js'
import { ButtonForm, ConsoleForm } from '../frame/forms.js'
import { roleMessages } from '../frame/messages.js'
import { to } from '../frame/links.js'
import { ActionLinks, Back, DataTable, Mailbox, Notice, Paper, SheetSection, SmallButton } from '../frame/parts.js'
import { AfterProof } from '../second-factor/fresh.js'
import { secondFactorMessages } from '../second-factor/messages.js'
import { OwnerCodeForm, type CodeProps } from './sign-in-pages.js'

/** Confirms the previous act at the top of the page. */
export type AccountNotice = 'saved' | 'replyConfirmed' | 'inviteDone' | 'roleChanged' | 'resetDone'

interface AccountPageProps {
  page: PageProps
  account: AccountRow
  owners: readonly AccountOwner[]
  /** The mailboxes of the people that have a passkey. */
  withPasskey: ReadonlySet<string>
  notice?: AccountNotice | undefined
  errors?: readonly FieldError[]
  /** Typed values, shown again with errors. */
  typed?: Partial<
    Record<
      'senderName' | 'language' | 'timeZone' | 'reminders' | 'onDecline' | MailChoice | 'reply' | 'owner' | 'role',
      string
    >
  >
}

/** The choices of each kind of mail about contracts. [D70] */
export const MAIL_CHOICES = {
  mailsRefused: ['now', 'off'],
  mailsDeclined: ['now', 'off'],
  mailsCompleted: ['daily', 'each', 'off'],
  mailsExpired: ['daily', 'off'],
} as const
type MailChoice = keyof typeof MAIL_CHOICES

/** What a party that declines does to its contract. [D57] */
export const ON_DECLINE = ['keep', 'cancel'] as const

/** Whether parties are reminded before a contract expires. [D58] */
export const REMINDERS = ['remind', 'remindNobody'] as const

/** One sheet for each section, with its own button; those that the reader's role includes. Status 200, or 422 with errors. */
export function AccountPage(props: AccountPageProps) {
  const { page, account, errors = [], notice } = props
  const text = accountMessages(page.locale)
  if (!mayUse(page, 'manage')) return <MemberPage {...props} />
  return (
    <ConsoleFrame page={page} at="account" width="form" errors={errors}>
      <h1>{text.title}</h1>
      <Notice
        kind="information"
        text={notice && { ...text, resetDone: secondFactorMessages(page.locale).resetDone }[notice]}
      />
      <Settings {...props} />
      <ContractMails {...props} />
      <SheetSection title={brandMessages(page.locale).title}>
        <p>{brandMessages(page.locale).lead}</p>
        <ActionLinks links={[{ href: to.brand, text: brandMessages(page.locale).see }]} />
      </SheetSection>
      <ReplyAddress {...props} />
      <Owners {...props} />
      <Sessions page={page} />
      <SheetSection title={text.record}>
        <p>{text.recordLead}</p>
        <ActionLinks links={[{ href: to.audit, text: text.seeRecord }]} />
      </SheetSection>
      <SheetSection title={text.leave}>
        <p>{text.leaveLead}</p>
        <AfterProof page={page}>
          <ActionLinks links={[{ href: to.exportAll, text: text.export, download: `${account.id}.json` }]} />
        </AfterProof>
      </SheetSection>
    </ConsoleFrame>
  )
}

/** What everybody has who does not own the account: a role, sessions, and the way out. [D72] */
function MemberPage({ page, account, errors = [] }: AccountPageProps) {
  const { locale } = page
  const text = accountMessages(locale)
  const role = page.shell?.account?.role ?? 'viewer'
  return (
    <ConsoleFrame page={page} at="account" width="form" errors={errors}>
      <h1>{text.title}</h1>
      <SheetSection title={text.yourRole}>
        <p>{roleHints(locale)[role]}</p>
        <p>{isolateNames(text.otherRole, account.name)}</p>
        <AfterProof page={page}>
          <ButtonForm page={page} action={to.leave} text={text.leaveAccount} />
        </AfterProof>
      </SheetSection>
      <Sessions page={page} />
    </ConsoleFrame>
  )
}

function Sessions({ page }: { page: PageProps }) {
  const text = secondFactorMessages(page.locale)
  return (
    <SheetSection title={text.security}>
      <p>{text.securityLead}</p>
      <ActionLinks links={[{ href: to.sessions, text: text.seeSecurity }]} />
    </SheetSection>
  )
}

function Settings({ page, account, errors, typed = {} }: AccountPageProps) {
  const text = accountMessages(page.locale)
  const { senderName, language: written, timeZone } = account
  const onDecline = account.cancelsOnDecline ? 'cancel' : 'keep'
  const reminders = account.remindsParties ? 'remind' : 'remindNobody'
  const set = { senderName: senderName ?? account.name, language: written, timeZone, reminders, onDecline }
  const field = fieldsWith({ ...set, ...typed }, errors)
  const language = { en: text.english, fr: text.french, 'en+fr': text.both }
  return (
    <SheetSection title={text.settings}>
      <p>{isolateNames(account.approvedAt === null ? text.appliedName : text.approvedName, account.name)}</p>
      <ConsoleForm page={page} action={to.settings}>
        <TextField
          {...field('senderName')}
          label={text.senderName}
          hint={text.senderNameHint}
          autocomplete="organization"
        />
        <Select
          {...field('language')}
          label={text.language}
          hint={text.languageHint}
          choices={MAIL_LANGUAGES.map((value) => ({ value, label: language[value] }))}
        />
        <Select {...field('timeZone')} label={text.timeZone} hint={text.timeZoneHint} choices={zonesWith(timeZone)} />
        <Select
          {...field('reminders')}
          label={text.reminders}
          hint={text.fromNowOn}
          choices={REMINDERS.map((value) => ({ value, label: text[value] }))}
        />
        <Select
          {...field('onDecline')}
          label={text.onDecline}
          hint={text.fromNowOn}
          choices={ON_DECLINE.map((value) => ({ value, label: text[value] }))}
        />
        <Button look="primary">{text.save}</Button>
      </ConsoleForm>
    </SheetSection>
  )
}

/** What owners hear of their contracts. */
function ContractMails({ page, account, errors, typed = {} }: AccountPageProps) {
  const text = accountMessages(page.locale)
  const set: Record<MailChoice, string> = {
    mailsRefused: account.mailsRefused ? 'now' : 'off',
    mailsDeclined: account.mailsDeclined ? 'now' : 'off',
    mailsCompleted: account.mailsCompleted,
    mailsExpired: account.mailsExpired ? 'daily' : 'off',
  }
  const field = fieldsWith({ ...set, ...typed }, errors)
  return (
    <SheetSection title={text.mails}>
      <p>{text.mailsLead}</p>
      <ConsoleForm page={page} action={to.contractMails}>
        {(Object.keys(MAIL_CHOICES) as MailChoice[]).map((name) => (
          <Select
            key={name}
            {...field(name)}
            label={text[name]}
            choices={MAIL_CHOICES[name].map((value) => ({ value, label: text[value] }))}
          />
        ))}
        <Button look="primary">{text.save}</Button>
      </ConsoleForm>
    </SheetSection>
  )
}

function ReplyAddress({ page, account, errors = [], typed = {} }: AccountPageProps) {
  const text = accountMessages(page.locale)
  const isWrong = errors.some(({ field }) => field === 'reply')
  const form = (
    <AfterProof page={page}>
      <ConsoleForm page={page} action={to.reply}>
        <TextField
          {...fieldsWith({ reply: typed.reply }, errors)('reply')}
          label={text.replyAddress}
          hint={text.replyHint}
          type="email"
          autocomplete="email"
        />
        <Button look="quiet">{text.replyTitle}</Button>
      </ConsoleForm>
    </AfterProof>
  )
  if (account.replyAddress === null)
    return (
      <SheetSection title={text.reply}>
        <p>{text.replyNone}</p>
        {form}
      </SheetSection>
    )
  return (
    <SheetSection title={text.reply}>
      <p>{text.replySet}</p>
      <div class="value-row">
        <p class="value">
          <Mailbox address={account.replyAddress} />
        </p>
        {page.isProven && (
          <ConsoleForm page={page} action={to.removeReply}>
            <SmallButton text={text.replyRemove} of={account.replyAddress} />
          </ConsoleForm>
        )}
      </div>
      <details class="disclosure" open={isWrong}>
        <summary>
          <span>{text.replyChange}</span>
        </summary>
        <div class="disclosure-body">{form}</div>
      </details>
    </SheetSection>
  )
}

function Owners({ page, account, owners, withPasskey, errors, typed = {} }: AccountPageProps) {
  const { locale } = page
  const text = accountMessages(locale)
  const isYou = (mailbox: string) => mailbox === page.shell?.mailbox
  const field = fieldsWith({ owner: typed.owner, role: typed.role ?? 'viewer' }, errors)
  return (
    <SheetSection title={text.owners}>
      <p>{text.ownersLead}</p>
      <DataTable
        label={text.owners}
        bare
        heads={[text.mailbox, text.role, text.since, ...(page.isProven ? [text.remove] : [])]}
        rows={owners.map(({ mailbox, address, role, confirmedAt }) => ({
          id: mailbox,
          cells: [
            <>
              <strong>
                <Mailbox address={address} />
              </strong>
              {isYou(mailbox) && <span class="soft"> ({text.you})</span>}
              {withPasskey.has(mailbox) && <div class="soft">{secondFactorMessages(locale).hasPasskey}</div>}
            </>,
            page.isProven ? <RoleForm {...{ page, mailbox, address, role }} /> : roleMessages(locale)[role],
            confirmedAt === null ? text.invited : <Day at={confirmedAt} {...{ locale, timeZone: account.timeZone }} />,
            ...(page.isProven
              ? [
                  <ConsoleForm page={page} action={to.removeOwner} hidden={{ owner: mailbox }}>
                    <SmallButton text={text.remove} of={address} />
                  </ConsoleForm>,
                ]
              : []),
          ],
        }))}
      />
      <AfterProof page={page}>
        <ConsoleForm page={page} action={to.owners}>
          <TextField {...field('owner')} label={text.invite} hint={text.inviteHint} type="email" autocomplete="off" />
          <Select
            {...field('role')}
            label={text.role}
            hint={text.roleHint}
            choices={ACCOUNT_ROLES.map((value) => ({ value, label: roleHints(locale)[value] }))}
          />
          <Button look="quiet">{text.inviteNow}</Button>
        </ConsoleForm>
        <LostDevice
          page={page}
          people={owners.filter(
            ({ mailbox, confirmedAt }) => withPasskey.has(mailbox) && confirmedAt !== null && !isYou(mailbox),
          )}
        />
      </AfterProof>
    </SheetSection>
  )
}

/** For a person who cannot sign in. Renders nothing if nobody else has a passkey. */
function LostDevice({ page, people }: { page: PageProps; people: readonly AccountOwner[] }) {
  const text = secondFactorMessages(page.locale)
  if (people.length === 0) return null
  return (
    <details class="disclosure">
      <summary>
        <span>{text.lostDevice}</span>
      </summary>
      <div class="disclosure-body">
        <p>{text.lostDeviceLead}</p>
        <ConsoleForm page={page} action={to.resetPasskeys}>
          <Select
            name="lost"
            label={text.person}
            choices={people.map(({ mailbox, address }) => ({ value: mailbox, label: address }))}
          />
          <Button look="quiet">{text.reset}</Button>
        </ConsoleForm>
      </div>
    </details>
  )
}

function RoleForm(props: { page: PageProps; mailbox: string; address: string; role: AccountRole }) {
  const { page, mailbox, address, role } = props
  const text = accountMessages(page.locale)
  return (
    <ConsoleForm page={page} action={to.ownerRole} hidden={{ owner: mailbox }}>
      <div class="role-of">
        <select class="input input-select" name="role" aria-label={`${text.role}: ${address}`}>
          {ACCOUNT_ROLES.map((each) => (
            <option key={each} value={each} selected={each === role}>
              {roleMessages(page.locale)[each]}
            </option>
          ))}
        </select>{' '}
        <SmallButton text={text.replyChange} of={address} />
      </div>
    </ConsoleForm>
  )
}

interface AccountAuditProps {
  page: PageProps
  entries: readonly AuditEntry[]
  timeZone: string
  older: number | undefined
}

/** A page of the account's audit log, newest first. */
export function AccountAuditPage({ page, entries, timeZone, older }: AccountAuditProps) {
  const text = accountMessages(page.locale)
  return (
    <ConsoleFrame page={page} title={text.record} at="account">
      <Back href={to.account}>{text.title}</Back>
      <h1>{text.record}</h1>
      <p class="soft">{text.recordLead}</p>
      <AuditTable {...{ locale: page.locale, entries, timeZone }} />
      <OlderLink {...{ page, older, href: to.audit }} />
    </ConsoleFrame>
  )
}

/** The form for the code that proves the reply address. The HTTP status is that of `state`. */
export function ReplyCodePage(props: CodeProps & { page: PageProps }) {
  const { page, challenge, digits, state } = props
  return (
    <ConsoleFrame
      page={page}
      title={titleOfCode(state, page.locale)}
      at="account"
      width="form"
      errors={errorsOfCode(state, digits, page.locale)}
    >
      <OwnerCodeForm
        {...props}
        hidden={{ formToken: page.formToken ?? '', challenge }}
        to={{ check: to.replyChallenge(challenge), resend: to.replyAgain, otherAddress: to.account }}
      />
    </ConsoleFrame>
  )
}

/** The account was exported too often. Status 429. */
export function ExportWaitPage({ page, tryAgainAt }: { page: PageProps; tryAgainAt: Date }) {
  const text = accountMessages(page.locale)
  return (
    <ConsoleFrame page={page} title={text.export} at="account" width="form">
      <Back href={to.account}>{text.title}</Back>
      <h1>{text.export}</h1>
      <Paper>
        <p>{text.exportWait(formatTime(tryAgainAt, page.locale))}</p>
      </Paper>
    </ConsoleFrame>
  )
}

/** Status 429: too many codes for this client address. */
export function ReplyWaitPage({ page, tryAgainAt }: { page: PageProps; tryAgainAt: Date }) {
  const text = accountMessages(page.locale)
  return (
    <ConsoleFrame page={page} title={text.replyWaitTitle} at="account" width="form">
      <h1>{text.replyWaitTitle}</h1>
      <Paper>
        <p>{signInMessages(page.locale).waitLead(formatTime(tryAgainAt, page.locale))}</p>
      </Paper>
    </ConsoleFrame>
  )
}
