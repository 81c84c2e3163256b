// The body of a one-time code page: the state of the code, its field, and links and forms for a person without a code. [ceremony 2 to 3u]
// The props are the same for a party and for a stranger (an address of no party).
import type { ComponentChildren } from 'preact'
import { Button, FormError, HiddenFields, TextField, WHOLE_FORM, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Note, Sheet } from '@paraph/web/sheet'
import type { CodeDigits } from './code-policy.js'
import { needsNewCode, type CodeState } from './code-state.js'
import { codeMessages } from './code-words.js'

/** The sentences that depend on the purpose of the code. */
interface CodeSentences {
  /** A code was sent, if the address belongs to a party. */
  sent: ComponentChildren
  /** No further code is sent; earlier codes still work. */
  sentBefore: ComponentChildren
  /** A new code was sent. */
  resent: string
  /** Shown under the heading when all tries are used up. */
  deadDetail: string
  /** No more codes can be sent before `tryAgainAt`. */
  sendsUsedUp: (tryAgainAt: Date) => ComponentChildren
  /** Shown before `sendsUsedUp` when all tries are used up. */
  nothingDone?: string
  /** The last paragraph. */
  after?: ComponentChildren
}

interface CodeFormProps {
  locale: Locale
  state: CodeState
  /** Length of the next code: 12 after many wrong codes. [D16, P30] */
  digits: CodeDigits
  /** The typed code, kept on a page with an error. */
  typed?: string | undefined
  /** Hidden fields of both forms. */
  hidden: Record<string, string>
  /** Paths that check a code, request a new one, and start again with another address. */
  to: { check: string; resend: string; otherAddress?: string }
  sentences: CodeSentences
}

export function titleOfCode(state: CodeState, locale: Locale): string {
  const messages = codeMessages(locale)
  if (state.kind === 'dead') return messages.codeDead
  return needsNewCode(state) ? messages.codeNeeded : messages.codeTitle
}

/** The error in the form of the page's error summary. */
export function errorsOfCode(state: CodeState, digits: number, locale: Locale): FieldError[] {
  const message = errorOf(state, digits, locale)
  return message === undefined ? [] : [{ field: isOfForm(state) ? WHOLE_FORM : 'code', message }]
}

/** True if the error is about no field. */
const isOfForm = ({ kind }: CodeState): boolean =>
  kind === 'form_too_old' || kind === 'busy' || kind === 'other_browser'

/** The content of the page, from the heading to the end. */
export function CodeForm({ locale, state, digits, typed, hidden, to, sentences }: CodeFormProps) {
  const messages = codeMessages(locale)
  const onlyNew = needsNewCode(state)
  const error = errorOf(state, digits, locale)
  const notice = noticeOf(state, sentences, locale)
  const noSendsLeft = (state.kind === 'dead' && state.tryAgainAt !== undefined) || state.kind === 'sends_used_up'
  const others = (
    <div class="actions actions-apart">
      {!noSendsLeft && (
        <form method="post" action={to.resend}>
          <HiddenFields values={hidden} />
          <Button look={onlyNew ? 'primary' : 'quiet'}>{messages.newCode}</Button>
        </form>
      )}
      {to.otherAddress !== undefined && (
        <a class="plain-link" href={to.otherAddress}>
          {messages.otherAddress}
        </a>
      )}
    </div>
  )
  return (
    <>
      <h1>{titleOfCode(state, locale)}</h1>
      <p class="lead">{leadOf(state, sentences, error !== undefined, locale)}</p>
      {notice !== undefined && (
        <Note kind="information">
          <p>{notice}</p>
        </Note>
      )}
      {onlyNew ? (
        <div class="code-actions">{others}</div>
      ) : (
        <Sheet
          parts={[
            <form method="post" action={to.check} noValidate>
              <HiddenFields values={hidden} />
              <TextField
                name="code"
                label={messages.codeLabel}
                hint={messages.codeHint(digits)}
                error={isOfForm(state) ? undefined : error}
                value={typed}
                look={digits === 12 ? 'code-long' : 'code'}
                inputMode="numeric"
                autocomplete="one-time-code"
              />
              <FormError message={isOfForm(state) ? error : undefined} />
              <Button look="primary">{messages.continue}</Button>
            </form>,
            others,
          ]}
        />
      )}
      {sentences.after !== undefined && <p class="after">{sentences.after}</p>}
    </>
  )
}

/** The state of the requested code. `isShort`: shortens the lead to one sentence below an error summary. */
function leadOf(state: CodeState, sentences: CodeSentences, isShort: boolean, locale: Locale): ComponentChildren {
  const messages = codeMessages(locale)
  const { sent, sentBefore, nothingDone, deadDetail } = sentences
  if (state.kind === 'dead') {
    if (state.tryAgainAt) return [nothingDone, nothingDone && ' ', sentences.sendsUsedUp(state.tryAgainAt)]
    return state.isTooSoon ? `${deadDetail} ${messages.codeInAMinute}` : deadDetail
  }
  if (state.kind === 'sends_used_up' || state.kind === 'resent_too_soon') return sentBefore
  if (state.kind === 'not_sent') return messages.codeNotSent
  if (state.kind === 'not_sent_yet') return messages.codeNotSentYet
  if (state.kind === 'other_browser') return messages.codeOfOtherBrowser
  if (state.kind === 'lapsed') return messages.codeLapsed
  return isShort ? sent : [sent, ' ', messages.codeOnItsWay]
}

function errorOf(state: CodeState, digits: number, locale: Locale): string | undefined {
  const messages = codeMessages(locale)
  if (state.kind === 'wrong') return messages.codeWrong(state.triesLeft)
  if (state.kind === 'expired') return state.newCodeSent ? messages.codeExpiredSent : messages.codeExpired
  const errors: Partial<Record<CodeState['kind'], string>> = {
    form_too_old: messages.formTooOld,
    busy: messages.busy,
    other_browser: messages.otherBrowser,
    missing: messages.codeMissing,
    wrong_shape: messages.codeShape(digits),
    used: messages.codeUsed,
  }
  return errors[state.kind]
}

function noticeOf(state: CodeState, sentences: CodeSentences, locale: Locale): ComponentChildren {
  const messages = codeMessages(locale)
  if (state.kind === 'resent') return sentences.resent
  if (state.kind === 'resent_too_soon') return messages.codeTooSoon
  if (state.kind === 'sent' && state.delayed) return messages.codeDelayed
  return state.kind === 'sends_used_up' ? sentences.sendsUsedUp(state.tryAgainAt) : undefined
}
