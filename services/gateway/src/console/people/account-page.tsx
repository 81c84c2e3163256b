// The account: settings, where answers go, owners, sessions, what was done, the export. [D4, D23, D25, D34, D36]
import { CodeForm, errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import type { CodeState } from '@paraph/codes/code-state'
import { MAIL_LANGUAGES } from '@paraph/protocol/caller'
import { formatTime } from '@paraph/web/dates'
import { Button, LinkButton, Select, TextField, type FieldError } from '@paraph/web/fields'
import { setNames } from '@paraph/web/names-in-words'
import { Note, Sheet } from '@paraph/web/sheet'
import type { AccountOwner } from '../../account-owners.js'
import type { AccountRow } from '../../account-store.js'
import type { AuditEntry } from '../../audit.js'
import type { ListedSession } from '../console-session.js'
import { accountWords } from './account-words.js'
import { AuditTable } from './audit-table.js'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import { to } from './links.js'
import { DataTable } from './parts.js'
import { signInWords } from './sign-in-words.js'

/** What has just been done, to be said above the page. */
export type AccountNotice = 'saved' | 'replyConfirmed' | 'inviteDone'

interface AccountPageProps {
  page: PageProps
  account: AccountRow
  owners: readonly AccountOwner[]
  sessions: readonly ListedSession[]
  /** The session that asks. */
  sessionId: string
  notice?: AccountNotice | undefined
  errors?: readonly FieldError[]
  /** What was typed into a field with an error. */
  typed?: Partial<Record<'senderName' | 'language' | 'timeZone' | 'reply' | 'owner', string>>
}

/** 200, or 422 with what is wrong. */
export function AccountPage(props: AccountPageProps) {
  const { page, account, errors = [], notice } = props
  const say = accountWords(page.locale)
  return (
    <ConsoleFrame page={page} title={say.title} at="account" errors={errors}>
      <h1>{say.title}</h1>
      {notice && (
        <Note kind="information">
          <p>{say[notice]}</p>
        </Note>
      )}
      <Settings {...props} />
      <ReplyAddress {...props} />
      <Owners {...props} />
      <Sessions {...props} />
      <section class="apart">
        <h2>{say.record}</h2>
        <p>{say.recordLead}</p>
        <p class="alone">
          <a href={to.audit}>{say.seeRecord}</a>
        </p>
      </section>
      <section class="apart">
        <h2>{say.leave}</h2>
        <p>{say.leaveLead}</p>
        <div class="actions">
          <LinkButton look="quiet" href={to.exportAll} download={`${account.id}.json`}>
            {say.export}
          </LinkButton>
        </div>
      </section>
    </ConsoleFrame>
  )
}

const errorAt = (errors: readonly FieldError[] | undefined, field: string) =>
  errors?.find((error) => error.field === field)?.message

function Settings({ page, account, errors, typed = {} }: AccountPageProps) {
  const say = accountWords(page.locale)
  const language = { en: say.english, fr: say.french, 'en+fr': say.both }
  return (
    <section class="narrow">
      <h2>{say.settings}</h2>
      <p>{setNames(account.approvedAt === null ? say.appliedName : say.approvedName, account.name)}</p>
      <ConsoleForm page={page} action={to.settings}>
        <TextField
          name="senderName"
          label={say.senderName}
          hint={say.senderNameHint}
          error={errorAt(errors, 'senderName')}
          value={typed.senderName ?? account.senderName ?? account.name}
          autocomplete="organization"
        />
        <Select
          name="language"
          label={say.language}
          hint={say.languageHint}
          error={errorAt(errors, 'language')}
          value={typed.language ?? account.language}
          choices={MAIL_LANGUAGES.map((value) => ({ value, label: language[value] }))}
        />
        <TextField
          name="timeZone"
          label={say.timeZone}
          hint={say.timeZoneHint}
          error={errorAt(errors, 'timeZone')}
          value={typed.timeZone ?? account.timeZone}
          autocomplete="off"
        />
        <Button look="primary">{say.save}</Button>
      </ConsoleForm>
    </section>
  )
}

function ReplyAddress({ page, account, errors, typed = {} }: AccountPageProps) {
  const say = accountWords(page.locale)
  return (
    <section class="apart narrow">
      <h2>{say.reply}</h2>
      {account.replyAddress === null ? (
        <p>{say.replyNone}</p>
      ) : (
        <>
          <p>{setNames(say.replySet, account.replyAddress)}</p>
          <ConsoleForm page={page} action={to.removeReply}>
            <Button look="quiet">{say.replyRemove}</Button>
          </ConsoleForm>
        </>
      )}
      <ConsoleForm page={page} action={to.reply}>
        <TextField
          name="reply"
          label={say.replyAddress}
          hint={say.replyHint}
          error={errorAt(errors, 'reply')}
          value={typed.reply}
          type="email"
          autocomplete="email"
        />
        <Button look="quiet">{say.replyTitle}</Button>
      </ConsoleForm>
    </section>
  )
}

function Owners({ page, account, owners, errors, typed = {} }: AccountPageProps) {
  const { locale } = page
  const say = accountWords(locale)
  const isYou = (mailbox: string) => mailbox === page.shell?.mailbox
  return (
    <section class="apart">
      <h2>{say.owners}</h2>
      <p>{say.ownersLead}</p>
      <DataTable
        label={say.owners}
        heads={[say.mailbox, say.since, say.remove]}
        rows={owners.map(({ mailbox, address, confirmedAt }) => ({
          id: mailbox,
          cells: [
            <>
              <strong>
                <bdi>{address}</bdi>
              </strong>
              {isYou(mailbox) && <span class="soft"> ({say.you})</span>}
            </>,
            confirmedAt === null ? (
              say.invited
            ) : (
              <Instant at={confirmedAt} {...{ locale, timeZone: account.timeZone }} />
            ),
            <ConsoleForm page={page} action={to.removeOwner} hidden={{ owner: mailbox }}>
              <button class="button button-quiet button-small" type="submit" aria-label={`${say.remove}: ${address}`}>
                {say.remove}
              </button>
            </ConsoleForm>,
          ],
        }))}
      />
      <div class="narrow">
        <ConsoleForm page={page} action={to.owners}>
          <TextField
            name="owner"
            label={say.invite}
            hint={say.inviteHint}
            error={errorAt(errors, 'owner')}
            value={typed.owner}
            type="email"
            autocomplete="off"
          />
          <Button look="quiet">{say.inviteNow}</Button>
        </ConsoleForm>
      </div>
    </section>
  )
}

function Sessions({ page, account, sessions, sessionId }: AccountPageProps) {
  const { locale } = page
  const say = accountWords(locale)
  const at = (instant: Date) => <Instant at={instant} {...{ locale, timeZone: account.timeZone }} />
  return (
    <section class="apart">
      <h2>{say.sessions}</h2>
      <DataTable
        label={say.sessions}
        heads={[say.browser, say.signedIn, say.lastSeen]}
        rows={sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
          id,
          cells: [
            <>
              <span class="agent">{userAgent === '' ? say.unknownBrowser : userAgent}</span>
              {id === sessionId && <strong> ({say.thisOne})</strong>}
            </>,
            at(createdAt),
            lastSeenAt ? at(lastSeenAt) : at(createdAt),
          ],
        }))}
      />
      <ConsoleForm page={page} action={to.signOutEverywhere}>
        <Button look="quiet">{say.signOutEverywhere}</Button>
      </ConsoleForm>
    </section>
  )
}

/** A page of what was done to the account, newest first. */
export function AccountAuditPage(props: {
  page: PageProps
  entries: readonly AuditEntry[]
  timeZone: string
  older: number | undefined
}) {
  const { page, entries, timeZone, older } = props
  const say = accountWords(page.locale)
  return (
    <ConsoleFrame page={page} title={say.record} at="account">
      <p class="back">
        <a href={to.account}>{say.title}</a>
      </p>
      <h1>{say.record}</h1>
      <p class="soft">{say.recordLead}</p>
      <AuditTable {...{ locale: page.locale, entries, timeZone }} />
      {older !== undefined && (
        <div class="actions">
          <LinkButton look="quiet" href={`${to.audit}?before=${older}`}>
            {say.older}
          </LinkButton>
        </div>
      )}
    </ConsoleFrame>
  )
}

/** The code that confirms where answers go. The status is that of `state`. */
export function ReplyCodePage(props: {
  page: PageProps
  challenge: string
  email: string
  digits: 6 | 12
  typed?: string | undefined
  state: CodeState
}) {
  const { page, challenge, email, digits, typed, state } = props
  const { locale } = page
  const say = signInWords(locale)
  const address = {
    text: email,
    markup: (
      <strong>
        <bdi>{email}</bdi>
      </strong>
    ),
  }
  return (
    <ConsoleFrame
      page={page}
      title={titleOfCode(state, locale)}
      at="account"
      width="form"
      errors={errorsOfCode(state, digits, locale)}
    >
      <CodeForm
        {...{ locale, state, digits, typed }}
        hidden={{ formToken: page.formToken ?? '', challenge }}
        to={{ check: to.replyChallenge(challenge), resend: to.replyAgain, otherAddress: to.account }}
        sentences={{
          sent: setNames(say.sent, address),
          sentBefore: setNames(say.sentBefore, address),
          resent: say.resent,
          deadDetail: say.deadDetail,
          sendsUsedUp: (at) => say.usedUp(formatTime(at, locale)),
        }}
      />
    </ConsoleFrame>
  )
}

/** 429: too many codes from this network. */
export function ReplyWaitPage({ page, tryAgainAt }: { page: PageProps; tryAgainAt: Date }) {
  const say = accountWords(page.locale)
  return (
    <ConsoleFrame page={page} title={say.replyTitle} at="account" width="form">
      <h1>{say.replyTitle}</h1>
      <Sheet parts={[<p>{say.waitLead(formatTime(tryAgainAt, page.locale))}</p>]} />
    </ConsoleFrame>
  )
}
