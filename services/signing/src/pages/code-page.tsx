// Pages 2, 2w, 3w, 3f, 3x, 3m, 3r, 3u: the one-time code. [ceremony 2 to 3u, D16]
// The same page for a party and for a stranger; nothing in the props tells them apart.
import type { ComponentChildren } from 'preact'
import { formatTime } from '@paraph/web/dates'
import { Button, FormError, HiddenFields, TextField, WHOLE_FORM } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Note, Sheet } from '@paraph/web/sheet'
import { CeremonyFrame, type PageProps } from './ceremony-frame.js'
import { words } from './dictionary.js'
import { links } from './links.js'
import { setNames } from './names-in-words.js'
import { outcomeWords } from './outcome-dictionary.js'

/** Where a challenge stands. The comment gives the page and the status it is sent with. */
export type CodeState =
  /** 2 - 200. `delayed`: mail is known to be slow. [D32] */
  | { kind: 'sent'; delayed?: boolean }
  /** 3r - 200: a new code was asked for. */
  | { kind: 'resent' }
  /** 3r - 200: asked again within 60 seconds; older codes still work. */
  | { kind: 'resent_too_soon' }
  /** 3r - 200: no more sends until then. */
  | { kind: 'sends_used_up'; tryAgainAt: Date }
  /** 200: none was sent for this page, and one may be asked for now. */
  | { kind: 'not_sent' }
  /** 200: what was asked for here is more than 10 minutes old. */
  | { kind: 'lapsed' }
  /** 422: the form was more than a day old; nothing was checked or sent. */
  | { kind: 'form_too_old' }
  /** 3f - 422, costs no try. */
  | { kind: 'missing' }
  | { kind: 'wrong_shape' }
  /** 3w - 422. */
  | { kind: 'wrong'; triesLeft: number }
  /** 3x - 422. */
  | { kind: 'expired'; newCodeSent: boolean }
  /** 3u - 422. */
  | { kind: 'used' }
  /** 3m - 429: five wrong codes. `tryAgainAt` when the sends are used up too. */
  | { kind: 'dead'; tryAgainAt?: Date }

export interface CodePageProps extends PageProps {
  token: string
  challenge: string
  formToken: string
  /** The address as typed. */
  email: string
  senderName: string
  /** The account's IANA time zone, shown beside UTC. [D34] */
  timeZone?: string | undefined
  /** Length of the next code: 6, or 12 after many wrong ones. [D16] */
  digits: 6 | 12
  /** What was typed, kept on a page with an error. */
  code?: string | undefined
  state: CodeState
}

/** The code's field and what can be done without one; the status is that of `state`. */
export function CodePage({
  token,
  challenge,
  formToken,
  email,
  senderName,
  timeZone,
  digits,
  code,
  state,
  ...page
}: CodePageProps) {
  const say = words(page.locale)
  const to = links(token)
  const dead = state.kind === 'dead'
  const error = errorOf(state, digits, page.locale)
  const isOfForm = state.kind === 'form_too_old'
  const notice = noticeOf(state, { senderName, timeZone }, page.locale)
  const noSendsLeft = (dead && state.tryAgainAt !== undefined) || state.kind === 'sends_used_up'
  const title = dead ? say.codeDead : say.codeTitle
  const hidden = <HiddenFields values={{ formToken, challenge }} />
  const others = (
    <div class="actions actions-apart">
      {!noSendsLeft && (
        <form method="post" action={to.resend}>
          {hidden}
          <Button look={dead ? 'primary' : 'quiet'}>{say.newCode}</Button>
        </form>
      )}
      <a class="plain-link" href={to.open}>
        {say.otherAddress}
      </a>
    </div>
  )
  return (
    <CeremonyFrame
      page={{ ...page, path: to.challenge(challenge) }}
      title={title}
      step={0}
      errors={error ? [{ field: isOfForm ? WHOLE_FORM : 'code', message: error }] : []}
    >
      <h1>{title}</h1>
      {dead ? (
        <p class="lead">
          {state.tryAgainAt ? [outcomeWords(page.locale).nothingSigned, ' ', notice] : say.codeDeadDetail}
        </p>
      ) : (
        <p class="lead">{leadOf(state, { email, isShort: error !== undefined }, page.locale)}</p>
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
            <form method="post" action={to.challenge(challenge)} noValidate>
              {hidden}
              <TextField
                name="code"
                label={say.codeLabel}
                hint={say.codeHint(digits)}
                error={isOfForm ? undefined : error}
                value={code}
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
      <p class="after">{setNames(say.lostMailbox, senderName)}</p>
    </CeremonyFrame>
  )
}

/** What became of the code that was asked for, as far as it may be said to everybody. `isShort`: an error comes first, and the field soon. */
function leadOf(
  state: CodeState,
  { email, isShort }: { email: string; isShort: boolean },
  locale: Locale,
): ComponentChildren {
  const say = words(locale)
  const address = {
    text: email,
    markup: (
      <strong>
        <bdi>{email}</bdi>
      </strong>
    ),
  }
  if (state.kind === 'sends_used_up') return setNames(say.codeSentBefore, address)
  if (state.kind === 'not_sent') return say.codeNotSent
  if (state.kind === 'lapsed') return say.codeLapsed
  const sent = setNames(say.codeSent, address)
  return isShort ? sent : [sent, ' ', say.codeOnItsWay]
}

function errorOf(state: CodeState, digits: number, locale: Locale): string | undefined {
  const say = words(locale)
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

function noticeOf(
  state: CodeState,
  { senderName, timeZone }: Pick<CodePageProps, 'senderName' | 'timeZone'>,
  locale: Locale,
): ComponentChildren {
  const say = words(locale)
  if (state.kind === 'resent') return say.codeResent
  if (state.kind === 'resent_too_soon') return say.codeTooSoon
  if (state.kind === 'sent' && state.delayed) return say.codeDelayed
  if ((state.kind === 'dead' || state.kind === 'sends_used_up') && state.tryAgainAt) {
    const time = formatTime(state.tryAgainAt, locale, { timeZone })
    return setNames((sender) => say.sendsUsedUp(time, sender), senderName)
  }
  return undefined
}
