// The page with the sessions of a mailbox, for owners and for operators without an account. [P31]
import { SoloFrame } from '../frame/console-frame.js'
import { Instant } from '../frame/instant.js'
import type { PageProps } from '../frame/page-props.js'
import { ButtonForm, ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import { DataTable, SmallButton } from '../frame/parts.js'
import type { ListedSession } from '../session.js'
import { browserNameOf } from './browser-name.js'
import { accountMessages } from './messages.js'
import { signInMessages } from './sign-in-messages.js'

/** @param props.sessionId the current session */
export function SessionsPage(props: { page: PageProps; sessions: readonly ListedSession[]; sessionId: string }) {
  const { page, sessions, sessionId } = props
  const { locale } = page
  const text = accountMessages(locale)
  return (
    <SoloFrame page={page} title={text.sessions} lead={text.sessionsLead} width="reading">
      <DataTable
        label={text.sessions}
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
      <p class="after">
        <a href={to.home}>{signInMessages(locale).toStart}</a>
      </p>
    </SoloFrame>
  )
}
