// The page of a one-time code without its frame: what became of the code, its field, what can be done without one. [ceremony 2 to 3u]
// Nothing in the props tells whoever gets a mail from whoever gets none.
import type { ComponentChildren } from 'preact'
import { Button, FormError, HiddenFields, TextField, WHOLE_FORM, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Note, Sheet } from '@paraph/web/sheet'
import type { CodeState } from './code-state.js'
import { codeWords } from './code-words.js'

/** The sentences that depend on what the code is for. */
export interface CodeSentences {
  /** A code was sent to the address, as far as it may be said. */
  sent: ComponentChildren
  /** No further code is sent; those before still work. */
  sentBefore: ComponentChildren
  /** A new one is on its way. */
  resent: string
  /** Under the heading when all tries are used up: what is not lost. */
  deadDetail: string
  /** No more codes can be sent before `tryAgainAt`. */
  sendsUsedUp: (tryAgainAt: Date) => ComponentChildren
  /** Before that sentence on the page without tries. */
  nothingDone?: string
  /** Last on the page. */
  after?: ComponentChildren
}

export interface CodeFormProps {
  locale: Locale
  state: CodeState
  /** Length of the next code: 6, or 12 after many wrong ones. [D16] */
  digits: 6 | 12
  /** What was typed, kept on a page with an error. */
  typed?: string | undefined
  /** Fields that both forms carry. */
  hidden: Record<string, string>
  /** Where the code, the wish for a new one and the wish for another address go. */
  to: { check: string; resend: string; otherAddress: string }
  sentences: CodeSentences
}

export const titleOfCode = (state: CodeState, locale: Locale): string =>
  state.kind === 'dead' ? codeWords(locale).codeDead : codeWords(locale).codeTitle

/** What is wrong, for the summary. */
export function errorsOfCode(state: CodeState, digits: number, locale: Locale): FieldError[] {
  const message = errorOf(state, digits, locale)
  return message === undefined ? [] : [{ field: state.kind === 'form_too_old' ? WHOLE_FORM : 'code', message }]
}

/** From the heading to the last line. */
export function CodeForm({ locale, state, digits, typed, hidden, to, sentences }: CodeFormProps) {
  const say = codeWords(locale)
  const dead = state.kind === 'dead'
  const error = errorOf(state, digits, locale)
  const isOfForm = state.kind === 'form_too_old'
  const notice = noticeOf(state, sentences, locale)
  const noSendsLeft = (dead && state.tryAgainAt !== undefined) || state.kind === 'sends_used_up'
  const others = (
    <div class="actions actions-apart">
      {!noSendsLeft && (
        <form method="post" action={to.resend}>
          <HiddenFields values={hidden} />
          <Button look={dead ? 'primary' : 'quiet'}>{say.newCode}</Button>
        </form>
      )}
      <a class="plain-link" href={to.otherAddress}>
        {say.otherAddress}
      </a>
    </div>
  )
  return (
    <>
      <h1>{titleOfCode(state, locale)}</h1>
      {dead ? (
        <p class="lead">
          {state.tryAgainAt ? [sentences.nothingDone, sentences.nothingDone && ' ', notice] : sentences.deadDetail}
        </p>
      ) : (
        <p class="lead">{leadOf(state, sentences, error !== undefined, locale)}</p>
      )}
      {!dead && notice !== undefined && (
        <Note kind="information">
          <p>{notice}</p>
        </Note>
      )}
      {dead ? (
        <div class="dead-actions">{others}</div>
      ) : (
        <Sheet
          parts={[
            <form method="post" action={to.check} noValidate>
              <HiddenFields values={hidden} />
              <TextField
                name="code"
                label={say.codeLabel}
                hint={say.codeHint(digits)}
                error={isOfForm ? undefined : error}
                value={typed}
                look={digits === 12 ? 'code-long' : 'code'}
                inputMode="numeric"
                autocomplete="one-time-code"
              />
              <FormError message={isOfForm ? error : undefined} />
              <Button look="primary">{say.continue}</Button>
            </form>,
            others,
          ]}
        />
      )}
      {sentences.after !== undefined && <p class="after">{sentences.after}</p>}
    </>
  )
}

/** What became of the code that was asked for. `isShort`: an error comes first, and the field soon. */
function leadOf(state: CodeState, { sent, sentBefore }: CodeSentences, isShort: boolean, locale: Locale) {
  const say = codeWords(locale)
  if (state.kind === 'sends_used_up') return sentBefore
  if (state.kind === 'not_sent') return say.codeNotSent
  if (state.kind === 'lapsed') return say.codeLapsed
  return isShort ? sent : [sent, ' ', say.codeOnItsWay]
}

function errorOf(state: CodeState, digits: number, locale: Locale): string | undefined {
  const say = codeWords(locale)
  switch (state.kind) {
    case 'form_too_old':
      return say.formTooOld
    case 'missing':
      return say.codeMissing
    case 'wrong_shape':
      return say.codeShape(digits)
    case 'wrong':
      return say.codeWrong(state.triesLeft)
    case 'expired':
      return state.newCodeSent ? say.codeExpiredSent : say.codeExpired
    case 'used':
      return say.codeUsed
    case 'sent':
    case 'resent':
    case 'resent_too_soon':
    case 'sends_used_up':
    case 'not_sent':
    case 'lapsed':
    case 'dead':
      return undefined
    default:
      return state satisfies never
  }
}

function noticeOf(state: CodeState, sentences: CodeSentences, locale: Locale): ComponentChildren {
  const say = codeWords(locale)
  if (state.kind === 'resent') return sentences.resent
  if (state.kind === 'resent_too_soon') return say.codeTooSoon
  if (state.kind === 'sent' && state.delayed) return say.codeDelayed
  if ((state.kind === 'dead' || state.kind === 'sends_used_up') && state.tryAgainAt)
    return sentences.sendsUsedUp(state.tryAgainAt)
  return undefined
}
