// Page 4: one mailbox has several roles; each signs separately. [ceremony 4, D12]
import { LinkButton } from '@paraph/web/fields'
import { Flourish } from '@paraph/web/mark'
import { CeremonyFrame, Instant, LeaveForm, type PageProps } from '../frame/ceremony-frame.js'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'
import { isolateNames } from '@paraph/web/names-in-words'

interface OwnRole {
  /** The party's index in the contract. */
  index: number
  role: string
  legalName: string
  /** When this role signed; null until then. A person sees their own times only. [D39] */
  signedAt: Date | null
}

interface SignAsPageProps extends PageProps {
  token: string
  /** Bound to the session. */
  formToken: string
  /** The roles of this mailbox, in the order of the contract; two or more. */
  roles: readonly OwnRole[]
  timeZone?: string | undefined
}

/** Links, not forms: choosing a role changes nothing. The first role that has not signed gets the primary button. */
export function SignAsPage({ token, formToken, roles, timeZone, ...page }: SignAsPageProps) {
  const messages = ceremonyMessages(page.locale)
  const to = links(token)
  const title = messages.rolesTitle(roles.length)
  const next = roles.find((role) => role.signedAt === null)
  return (
    <CeremonyFrame page={page} title={title} step={1}>
      <h1>{title}</h1>
      <p class="lead">{messages.rolesLead}</p>
      {roles.map((role) => (
        <div class="sheet role" key={role.index}>
          <div>
            <p class="role-of">
              <bdi>{role.role}</bdi>
            </p>
            <p class="role-name">
              <bdi>{role.legalName}</bdi>
            </p>
            {role.signedAt === null ? (
              <p class="role-of">{messages.notSigned}</p>
            ) : (
              <>
                <Flourish />
                <p class="role-of">
                  <strong class="in-ink">{messages.signed}</strong>{' '}
                  <Instant at={role.signedAt} locale={page.locale} timeZone={timeZone} />
                </p>
              </>
            )}
          </div>
          {role.signedAt === null ? (
            <LinkButton look={role === next ? 'primary' : 'quiet'} href={to.review(role.index)}>
              {isolateNames(messages.readAndSignAs, role.role)}
            </LinkButton>
          ) : (
            <LinkButton look="quiet" href={to.done(role.index)}>
              {messages.seeSigned}
            </LinkButton>
          )}
        </div>
      ))}
      <LeaveForm form={{ token, formToken }} locale={page.locale} isDone={false} />
    </CeremonyFrame>
  )
}
