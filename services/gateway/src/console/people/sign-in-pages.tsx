// The pages of sign-in, sign-out and account choice, and the error pages.
import type { ComponentChildren } from 'preact'
import { AddressForm, errorsOfAddress, type AddressError } from '@paraph/codes/address-form'
import { CodeForm, errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import type { CodeDigits } from '@paraph/codes/code-policy'
import type { CodeState } from '@paraph/codes/code-state'
import { formatTime } from '@paraph/web/dates'
import { Button } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { Sheet } from '@paraph/web/sheet'
import type { OwnedAccount } from '../../accounts/account-owners.js'
import { SoloFrame } from '../frame/console-frame.js'
import type { PageProps } from '../frame/page-props.js'
import { ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import { ActionLinks, BoldName, FormActions } from '../frame/parts.js'
import { Copyable } from '../frame/copyable.js'
import type { IssuerProblem, Issuers } from '../issuers/issuers.js'
import { issuerMessages } from './issuer-messages.js'
import { errorsOfIssuer, IssuerChoice } from './issuer-pages.js'
import { roleHints } from './messages.js'
import { signInMessages } from './sign-in-messages.js'

/** Status 200, or 422 with an error; that of `issuerProblem` is in its handler. @param next path of the page after sign-in */
export function SignInPage(props: {
  page: PageProps
  signInToken: string
  next: string
  /** The ways to sign in. */
  offers: Issuers['offers']
  email?: string | undefined
  error?: AddressError | undefined
  issuerProblem?: IssuerProblem | undefined
}) {
  const { page, signInToken, next, offers, email, error, issuerProblem: problem } = props
  const { locale } = page
  const [text, issuerText] = [signInMessages(locale), issuerMessages(locale)]
  const lead = !offers.owners ? text.lead : offers.codes ? issuerText.leadBoth : issuerText.lead
  const choice = (offers.owners || offers.operators) && <IssuerChoice {...{ locale, offers, next, problem }} />
  const form = offers.codes && (
    <AddressForm
      {...{ locale, label: text.email, hint: text.emailHint, email, error }}
      action={to.signIn}
      hidden={{ formToken: signInToken, next }}
    />
  )
  const errors = [...errorsOfIssuer(problem, locale), ...errorsOfAddress(error, locale)]
  return (
    <SoloFrame page={page} title={text.title} lead={lead} errors={errors}>
      <Sheet parts={[choice, form].filter((part) => part !== false)} />
      {offers.codes && <p class="after">{text.noAccount}</p>}
    </SoloFrame>
  )
}

/** A challenge and the state of its code. */
export interface CodeProps {
  challenge: string
  email: string
  digits: CodeDigits
  typed?: string | undefined
  state: CodeState
}

/** The form for the code. The HTTP status is that of `state`. */
export function SignInCodePage(props: CodeProps & { page: PageProps; signInToken: string; next: string }) {
  const { page, signInToken, next, challenge, digits, state } = props
  return (
    <SoloFrame page={page} title={titleOfCode(state, page.locale)} errors={errorsOfCode(state, digits, page.locale)}>
      <OwnerCodeForm
        {...props}
        hidden={{ formToken: signInToken, challenge, next }}
        to={{ check: to.challenge(challenge), resend: to.resend, otherAddress: to.signIn }}
      />
    </SoloFrame>
  )
}

/** The form for a code that an owner gets by mail. */
export function OwnerCodeForm(
  props: CodeProps & Pick<Parameters<typeof CodeForm>[0], 'hidden' | 'to'> & { page: PageProps },
) {
  const { page, email, state, digits, typed, hidden } = props
  const { locale } = page
  const text = signInMessages(locale)
  const address = { text: email, markup: <BoldName name={email} /> }
  return (
    <CodeForm
      {...{ locale, state, digits, typed, hidden, to: props.to }}
      sentences={{
        sent: isolateNames(text.sent, address),
        sentBefore: isolateNames(text.sentBefore, address),
        resent: text.resent,
        deadDetail: text.deadDetail,
        sendsUsedUp: (at) => text.usedUp(formatTime(at, locale)),
      }}
    />
  )
}

/** Status 429: too many codes for this client address. */
export function WaitPage({ page, tryAgainAt }: { page: PageProps; tryAgainAt: Date }) {
  const text = signInMessages(page.locale)
  return (
    <SoloFrame page={page} title={text.waitTitle}>
      <hr class="bare-line" />
      <h1>{text.waitTitle}</h1>
      <p class="lead">{text.waitLead(formatTime(tryAgainAt, page.locale))}</p>
    </SoloFrame>
  )
}

export function SignOutPage({ page }: { page: PageProps }) {
  const text = signInMessages(page.locale)
  return (
    <SoloFrame page={page} title={text.signOutTitle} lead={text.signOutLead}>
      <ConsoleForm page={page} action={to.signOut}>
        <FormActions look="primary" text={text.signOut} leave={{ href: to.home, text: text.stay }} />
      </ConsoleForm>
      <p class="after">
        <a href={to.sessions}>{text.sessions}</a>
      </p>
    </SoloFrame>
  )
}

/** The accounts of a mailbox that owns several or has an invitation. */
export function AccountsPage({ page, owned }: { page: PageProps; owned: readonly OwnedAccount[] }) {
  const text = signInMessages(page.locale)
  const answer = (value: 'open' | 'yes' | 'no', label: ComponentChildren) => (
    <Button key={value} look="quiet" name="answer" value={value}>
      {label}
    </Button>
  )
  return (
    <SoloFrame page={page} title={text.accountsTitle} lead={isolateNames(text.accountsLead, page.shell?.mailbox ?? '')}>
      <Sheet
        parts={owned.map(({ accountId, accountName, role, invitedBy, isConfirmed }) => (
          <ConsoleForm page={page} action={to.chooseAccount} hidden={{ account: accountId }}>
            <h2>
              <bdi>{accountName}</bdi>
            </h2>
            {!isConfirmed && <p>{isolateNames(text.invitedBy, invitedBy ?? '')}</p>}
            <p>{roleHints(page.locale)[role]}</p>
            <div class="actions">
              {isConfirmed
                ? answer('open', isolateNames(text.open, accountName))
                : [answer('yes', text.accept), answer('no', text.decline)]}
            </div>
          </ConsoleForm>
        ))}
      />
      <p class="after">
        <a href={to.application}>{text.another}</a>
      </p>
    </SoloFrame>
  )
}

/** An error page. @param props.reference the request id, for an internal error */
export function OutcomePage(props: {
  page: PageProps
  kind: 'notFound' | 'form' | 'role' | 'unchecked' | 'tooLong' | 'tooLarge' | 'trouble'
  reference?: string | undefined
}) {
  const { page, kind, reference } = props
  const text = signInMessages(page.locale)
  const title = text[`${kind}Title`]
  return (
    <SoloFrame page={page} title={title}>
      <hr class="bare-line" />
      <h1>{title}</h1>
      <p class="lead">{text[`${kind}Lead`]}</p>
      {reference !== undefined && (
        <p class="soft">
          {isolateNames(text.reference, {
            text: reference,
            markup: <Copyable {...{ locale: page.locale, of: text.requestId, value: reference }} id="request-id" />,
          })}
        </p>
      )}
      <ActionLinks links={[{ href: to.home, text: text.toStart }]} />
    </SoloFrame>
  )
}
