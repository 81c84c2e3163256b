// "Sign-in and security": the passkeys, recovery codes and sessions of a mailbox, for owners and for operators without an account. [P31, D73]
import type { FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { SoloFrame } from '../frame/console-frame.js'
import { Instant } from '../frame/instant.js'
import type { PageProps } from '../frame/page-props.js'
import { ButtonForm, ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import { ActionLinks, DataTable, Notice, Section, SmallButton } from '../frame/parts.js'
import { AfterProof } from '../second-factor/fresh.js'
import { secondFactorMessages } from '../second-factor/messages.js'
import type { ListedPasskey } from '../second-factor/passkeys.js'
import type { ListedSession } from '../session.js'
import { browserNameOf } from './browser-name.js'
import { accountMessages } from './messages.js'
import { signInMessages } from './sign-in-messages.js'

/** Confirms the previous act at the top of the page. */
export const SECURITY_NOTICES = ['recovered', 'passkeyAdded', 'passkeyRemoved'] as const

interface SessionsPageProps {
  page: PageProps
  factors: { passkeys: readonly ListedPasskey[]; codesLeft: number; isFull: boolean }
  sessions: readonly ListedSession[]
  /** The current session. */
  sessionId: string
  /** An issuer opened the current session. */
  hasIssuer?: boolean
  notice?: (typeof SECURITY_NOTICES)[number] | undefined
  errors?: readonly FieldError[] | undefined
}

/** Status 200, or 422 with errors. */
export function SessionsPage(props: SessionsPageProps) {
  const { page, sessions, sessionId, notice, errors = [] } = props
  const { locale } = page
  const text = accountMessages(locale)
  const words = secondFactorMessages(locale)
  return (
    <SoloFrame page={page} title={words.security} lead={words.securityLead} width="reading" errors={errors}>
      <Notice kind={notice === 'recovered' ? 'warning' : 'information'} text={notice && words[notice]} />
      <Passkeys {...props} />
      <Section title={words.sessions}>
        <p>{text.sessionsLead}</p>
        <DataTable
          label={words.sessions}
          heads={[text.browser, text.network, text.signedIn, text.lastSeen, text.end]}
          rows={sessions.map(({ id, userAgent, network, createdAt, lastSeenAt }) => ({
            id,
            cells: [
              <>
                <bdi>{browserNameOf(userAgent, locale)}</bdi>
                {id === sessionId && <strong> ({text.thisOne})</strong>}
              </>,
              <span class="unbroken">{network ?? text.unknownNetwork}</span>,
              <Instant at={createdAt} locale={locale} />,
              <Instant at={lastSeenAt ?? createdAt} locale={locale} />,
              <ConsoleForm page={page} action={to.endSession} hidden={{ session: id }}>
                <SmallButton text={text.end} of={browserNameOf(userAgent, locale)} />
              </ConsoleForm>,
            ],
          }))}
        />
        <div class="after">
          <ButtonForm page={page} action={to.signOutEverywhere} text={text.signOutEverywhere} />
        </div>
      </Section>
      <p class="after">
        <a href={to.home}>{signInMessages(locale).toStart}</a>
      </p>
    </SoloFrame>
  )
}

function Passkeys({ page, factors: { passkeys, codesLeft, isFull }, hasIssuer = false }: SessionsPageProps) {
  const { locale } = page
  const text = secondFactorMessages(locale)
  const hasOne = passkeys.length > 0
  return (
    <Section title={text.passkeys}>
      <p>{hasIssuer ? text.byIssuer : hasOne ? text.passkeysLead : text.offer}</p>
      {hasOne && (
        <div id="passkeys">
          <DataTable
            label={text.passkeys}
            heads={[text.name, text.added, text.lastUsed, ...(page.isProven ? [text.remove] : [])]}
            rows={passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
              id,
              cells: [
                <bdi>{name}</bdi>,
                <Instant at={createdAt} locale={locale} />,
                lastUsedAt === null ? text.never : <Instant at={lastUsedAt} locale={locale} />,
                ...(page.isProven
                  ? [
                      <ConsoleForm page={page} action={to.removePasskey} hidden={{ passkey: id }}>
                        <SmallButton text={text.remove} of={name} />
                      </ConsoleForm>,
                    ]
                  : []),
              ],
            }))}
          />
        </div>
      )}
      {hasOne && <p>{isolateNames(text.codesLeft, String(codesLeft))}</p>}
      <AfterProof page={page}>
        <ActionLinks
          links={[
            !isFull && { href: to.newPasskey, text: text.add, look: hasOne ? 'quiet' : 'primary' },
            hasOne && { href: to.recoveryCodes, text: text.newCodes },
          ]}
        />
      </AfterProof>
    </Section>
  )
}
