// The reply address of an account: its section of the account page, and the pages of the code that proves it. [D34]
import { errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import { formatTime } from '@paraph/web/dates'
import { Button, fieldsWith, TextField } from '@paraph/web/fields'
import { ConsoleFrame } from '../frame/console-frame.js'
import { ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { Mailbox, Paper, SheetSection, SmallButton } from '../frame/parts.js'
import { AfterProof } from '../second-factor/fresh.js'
import type { AccountPageProps } from './account-form.js'
import { accountMessages } from './messages.js'
import { signInMessages } from './sign-in-messages.js'
import { OwnerCodeForm, type CodeProps } from './sign-in-pages.js'

export function ReplyAddress({ page, account, errors = [], typed = {} }: AccountPageProps) {
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
