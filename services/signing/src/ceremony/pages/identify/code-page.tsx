// Pages 2, 2w, 3w, 3f, 3x, 3m, 3r, 3u: the one-time code of a contract. [ceremony 2 to 3u, D16]
// The same page for a party and for a stranger; nothing in the props tells them apart.
import { CodeForm, errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import type { CodeState } from '@paraph/codes/code-state'
import { formatTime } from '@paraph/web/dates'
import { setNames } from '@paraph/web/names-in-words'
import { CeremonyFrame, type PageProps } from './ceremony-frame.js'
import { words } from './dictionary.js'
import { links } from './links.js'
import { outcomeWords } from './outcome-dictionary.js'

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
export function CodePage(props: CodePageProps) {
  const { token, challenge, formToken, email, senderName, timeZone, digits, code, state, ...page } = props
  const { locale } = page
  const say = words(locale)
  const to = links(token)
  const address = {
    text: email,
    markup: (
      <strong>
        <bdi>{email}</bdi>
      </strong>
    ),
  }
  return (
    <CeremonyFrame
      page={{ ...page, path: to.challenge(challenge) }}
      title={titleOfCode(state, locale)}
      step={0}
      errors={errorsOfCode(state, digits, locale)}
    >
      <CodeForm
        {...{ locale, state, digits, typed: code }}
        hidden={{ formToken, challenge }}
        to={{ check: to.challenge(challenge), resend: to.resend, otherAddress: to.open }}
        sentences={{
          sent: setNames(say.codeSent, address),
          sentBefore: setNames(say.codeSentBefore, address),
          resent: say.codeResent,
          deadDetail: say.codeDeadDetail,
          nothingDone: outcomeWords(locale).nothingSigned,
          sendsUsedUp: (at) =>
            setNames((sender) => say.sendsUsedUp(formatTime(at, locale, { timeZone }), sender), senderName),
          after: setNames(say.lostMailbox, senderName),
        }}
      />
    </CeremonyFrame>
  )
}
