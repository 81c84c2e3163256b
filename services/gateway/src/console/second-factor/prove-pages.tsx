// The pages that ask for a fresh proof of the person before a grave act. [D73]
import { errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import { formatTime } from '@paraph/web/dates'
import { LinkButton, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { Sheet } from '@paraph/web/sheet'
import { SoloFrame } from '../frame/console-frame.js'
import { ButtonForm } from '../frame/forms.js'
import { to, withNext } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { BoldName, Paper } from '../frame/parts.js'
import { OwnerCodeForm, type CodeProps } from '../people/sign-in-pages.js'
import { signInMessages } from '../people/sign-in-messages.js'
import { secondFactorMessages } from './messages.js'
import { PasskeyForm, RecoveryCodeForm } from './passkey-form.js'
import type { PasskeyOptions } from './passkeys.js'
import { errorAt } from './second-factor-pages.js'

/** How the person proves to be there. */
export type ProofBy =
  | { kind: 'passkey'; asked: PasskeyOptions }
  | { kind: 'code'; mailbox: string }
  /** `href`: leads to the issuer that opened the session. `mailbox`: for a code in its place; undefined if none may take it. */
  | { kind: 'issuer'; href: string; mailbox: string | undefined }

/** Status 200, or 422 with errors. */
export function ProvePage(props: { page: PageProps; by: ProofBy; next: string; errors?: readonly FieldError[] }) {
  const { page, by, next, errors = [] } = props
  const text = secondFactorMessages(page.locale)
  const hidden = { next }
  const byCode = (mailbox: string, look: 'primary' | 'quiet') => (
    <>
      <p>{isolateNames(text.proveByCode, { text: mailbox, markup: <BoldName name={mailbox} /> })}</p>
      <ButtonForm {...{ page, hidden, look }} action={to.proveSend} text={text.sendCode} />
    </>
  )
  const byIssuer = (href: string) => (
    <>
      <p>{text.proveByIssuer}</p>
      <LinkButton look="primary" href={href}>
        {text.toIssuer}
      </LinkButton>
    </>
  )
  return (
    <SoloFrame page={page} title={text.proveTitle} lead={text.proveLead} errors={errors}>
      {by.kind === 'passkey' && (
        <Sheet
          parts={[
            <PasskeyForm {...{ page, hidden }} asked={by.asked} action={to.provePasskey} button={text.use} />,
            <RecoveryCodeForm {...{ page, hidden }} action={to.proveRecovery} error={errorAt('code', errors)} />,
          ]}
        />
      )}
      {by.kind === 'code' && <Paper>{byCode(by.mailbox, 'primary')}</Paper>}
      {by.kind === 'issuer' && by.mailbox === undefined && <Paper>{byIssuer(by.href)}</Paper>}
      {by.kind === 'issuer' && by.mailbox !== undefined && (
        <Sheet parts={[byIssuer(by.href), byCode(by.mailbox, 'quiet')]} />
      )}
      <p class="after">
        <a href={to.home}>{signInMessages(page.locale).toStart}</a>
      </p>
    </SoloFrame>
  )
}

/** The form for the code of a proof. The HTTP status is that of `state`. */
export function ProveCodePage(props: CodeProps & { page: PageProps; next: string }) {
  const { page, next, challenge, digits, state } = props
  return (
    <SoloFrame page={page} title={titleOfCode(state, page.locale)} errors={errorsOfCode(state, digits, page.locale)}>
      <OwnerCodeForm
        {...props}
        hidden={{ formToken: page.formToken ?? '', challenge, next }}
        to={{ check: to.proveChallenge(challenge), resend: to.proveSend }}
      />
    </SoloFrame>
  )
}

/** Status 429 for too many codes, 503 for too many requests at the same time: without a time. */
export function ProveWaitPage(props: { page: PageProps; next: string; tryAgainAt: Date }) {
  const { page, next, tryAgainAt } = props
  const text = secondFactorMessages(page.locale)
  return (
    <SoloFrame
      page={page}
      title={text.waitTitle}
      lead={signInMessages(page.locale).waitLead(formatTime(tryAgainAt, page.locale))}
    >
      <p class="after">
        <a href={withNext(to.prove, next)}>{text.goBack}</a>
      </p>
    </SoloFrame>
  )
}
