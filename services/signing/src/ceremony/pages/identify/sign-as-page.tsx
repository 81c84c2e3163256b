// Page 4: one mailbox, several roles; each is signed on its own. [ceremony 4, D12]
import { LinkButton } from '@paraph/web/fields'
import { Flourish } from '@paraph/web/mark'
import { CeremonyFrame, Instant, type PageProps } from './ceremony-frame.js'
import { words } from './dictionary.js'
import { LeaveForm } from './leave-form.js'
import { links } from './links.js'
import { setNames } from '@paraph/web/names-in-words'

export interface OwnRole {
  /** The party's index in the contract. */
  index: number
  role: string
  legalName: string
  /** When this role was signed; null while it is not. A person sees their own times only. [D39] */
  signedAt: Date | null
}

export interface SignAsPageProps extends PageProps {
  token: string
  /** Bound to the session. */
  formToken: string
  /** The roles of this mailbox, in the order of the contract; two or more. */
  roles: readonly OwnRole[]
  timeZone?: string | undefined
}

/** Links, not forms: choosing a role changes nothing. The first role left to sign has the primary button. */
export function SignAsPage({ token, formToken, roles, timeZone, ...page }: SignAsPageProps) {
  const say = words(page.locale)
  const to = links(token)
  const title = say.rolesTitle(roles.length)
  const next = roles.find((role) => role.signedAt === null)
  return (
    <CeremonyFrame page={page} title={title} step={1}>
      <h1>{title}</h1>
      <p class="lead">{say.rolesLead}</p>
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
              <p class="role-of">{say.notSigned}</p>
            ) : (
              <>
                <Flourish />
                <p class="role-of">
                  <strong class="in-ink">{say.signed}</strong>{' '}
                  <Instant at={role.signedAt} locale={page.locale} timeZone={timeZone} />
                </p>
              </>
            )}
          </div>
          {role.signedAt === null ? (
            <LinkButton look={role === next ? 'primary' : 'quiet'} href={to.review(role.index)}>
              {setNames(say.readAndSignAs, role.role)}
            </LinkButton>
          ) : (
            <LinkButton look="quiet" href={to.done(role.index)}>
              {say.seeSigned}
            </LinkButton>
          )}
        </div>
      ))}
      <LeaveForm form={{ token, formToken }} locale={page.locale} isDone={false} />
    </CeremonyFrame>
  )
}
