// Signing in and out, choosing an account, and the pages of what went wrong.
import { AddressForm, errorsOfAddress, type AddressError } from '@paraph/codes/address-form'
import { CodeForm, errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import type { CodeState } from '@paraph/codes/code-state'
import { formatTime } from '@paraph/web/dates'
import { Button, LinkButton } from '@paraph/web/fields'
import { setNames } from '@paraph/web/names-in-words'
import { Sheet } from '@paraph/web/sheet'
import type { OwnedAccount } from '../../account-owners.js'
import { ConsoleForm, SoloFrame, type PageProps } from './console-frame.js'
import { to } from './links.js'
import { signInWords } from './sign-in-words.js'

/** 200, or 422 with an error. @param next a page of ours to go on to */
export function SignInPage(props: {
  page: PageProps
  signInToken: string
  next: string
  email?: string | undefined
  error?: AddressError | undefined
}) {
  const { page, signInToken, next, email, error } = props
  const say = signInWords(page.locale)
  return (
    <SoloFrame page={page} title={say.title} errors={errorsOfAddress(error, page.locale)}>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <Sheet
        parts={[
          <AddressForm
            {...{ locale: page.locale, label: say.email, hint: say.emailHint, email, error }}
            action={to.signIn}
            hidden={{ formToken: signInToken, next }}
          />,
        ]}
      />
      <p class="after">{say.noAccount}</p>
    </SoloFrame>
  )
}

/** The code's field; the status is that of `state`. */
export function SignInCodePage(props: {
  page: PageProps
  signInToken: string
  next: string
  challenge: string
  email: string
  digits: 6 | 12
  typed?: string | undefined
  state: CodeState
}) {
  const { page, signInToken, next, challenge, email, digits, typed, state } = props
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
    <SoloFrame page={page} title={titleOfCode(state, locale)} errors={errorsOfCode(state, digits, locale)}>
      <CodeForm
        {...{ locale, state, digits, typed }}
        hidden={{ formToken: signInToken, challenge, next }}
        to={{ check: to.challenge(challenge), resend: to.resend, otherAddress: to.signIn }}
        sentences={{
          sent: setNames(say.sent, address),
          sentBefore: setNames(say.sentBefore, address),
          resent: say.resent,
          deadDetail: say.deadDetail,
          sendsUsedUp: (at) => say.usedUp(formatTime(at, locale)),
        }}
      />
    </SoloFrame>
  )
}

/** 429: this client asked for too many codes. */
export function WaitPage({ page, tryAgainAt }: { page: PageProps; tryAgainAt: Date }) {
  const say = signInWords(page.locale)
  return (
    <SoloFrame page={page} title={say.waitTitle}>
      <hr class="bare-line" />
      <h1>{say.waitTitle}</h1>
      <p class="lead">{say.waitLead(formatTime(tryAgainAt, page.locale))}</p>
    </SoloFrame>
  )
}

export function SignOutPage({ page }: { page: PageProps }) {
  const say = signInWords(page.locale)
  return (
    <SoloFrame page={page} title={say.signOutTitle}>
      <h1>{say.signOutTitle}</h1>
      <p class="lead">{say.signOutLead}</p>
      <ConsoleForm page={page} action={to.signOut}>
        <div class="actions">
          <Button look="primary">{say.signOut}</Button>
          <a class="plain-link" href={to.home}>
            {say.stay}
          </a>
        </div>
      </ConsoleForm>
    </SoloFrame>
  )
}

/** The accounts of a mailbox that has several, or was asked to own one. */
export function AccountsPage({ page, owned }: { page: PageProps; owned: readonly OwnedAccount[] }) {
  const say = signInWords(page.locale)
  return (
    <SoloFrame page={page} title={say.accountsTitle}>
      <h1>{say.accountsTitle}</h1>
      <p class="lead">{setNames(say.accountsLead, page.shell?.mailbox ?? '')}</p>
      <Sheet
        parts={owned.map(({ accountId, accountName, invitedBy, isConfirmed }) => (
          <ConsoleForm page={page} action={to.chooseAccount} hidden={{ account: accountId }}>
            <h2>
              <bdi>{accountName}</bdi>
            </h2>
            {!isConfirmed && <p>{setNames(say.invitedBy, invitedBy ?? '')}</p>}
            <div class="actions">
              {isConfirmed ? (
                <Button look="quiet" name="answer" value="open">
                  {setNames(say.open, accountName)}
                </Button>
              ) : (
                <>
                  <Button look="quiet" name="answer" value="yes">
                    {say.accept}
                  </Button>
                  <Button look="quiet" name="answer" value="no">
                    {say.decline}
                  </Button>
                </>
              )}
            </div>
          </ConsoleForm>
        ))}
      />
      <p class="after">
        <a href={to.application}>{say.another}</a>
      </p>
    </SoloFrame>
  )
}

/** What went wrong, and where to go on. `reference` is the request id, for trouble that is ours. */
export function OutcomePage(props: {
  page: PageProps
  kind: 'notFound' | 'form' | 'tooLong' | 'trouble'
  reference?: string
}) {
  const { page, kind, reference } = props
  const say = signInWords(page.locale)
  const title = say[`${kind}Title`]
  return (
    <SoloFrame page={page} title={title}>
      <hr class="bare-line" />
      <h1>{title}</h1>
      <p class="lead">{say[`${kind}Lead`]}</p>
      {reference !== undefined && <p class="soft">{say.reference(reference)}</p>}
      <div class="actions">
        <LinkButton look="quiet" href={to.home}>
          {say.toStart}
        </LinkButton>
      </div>
    </SoloFrame>
  )
}
