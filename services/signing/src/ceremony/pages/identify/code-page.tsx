// Pages 2, 2w, 3w, 3f, 3x, 3m, 3r, 3u: the one-time code of a contract. [ceremony 2 to 3u, D16]
// The props are the same for a party and for a stranger.
import { CodeForm, errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import type { CodeState } from '@paraph/codes/code-state'
import { formatTime } from '@paraph/web/dates'
import { isolateNames } from '@paraph/web/names-in-words'
import { CeremonyFrame, type PageProps } from '../frame/ceremony-frame.js'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'
import { outcomeMessages } from '../outcome/messages.js'

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
  /** The typed code, kept on a page with an error. */
  code?: string | undefined
  state: CodeState
}

/** The HTTP status is that of `state`. */
export function CodePage(props: CodePageProps) {
  const { token, challenge, formToken, email, senderName, timeZone, digits, code, state, ...page } = props
  const { locale } = page
  const messages = ceremonyMessages(locale)
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
          sent: isolateNames(messages.codeSent, address),
          sentBefore: isolateNames(messages.codeSentBefore, address),
          resent: messages.codeResent,
          deadDetail: messages.codeDeadDetail,
          nothingDone: outcomeMessages(locale).nothingSigned,
          sendsUsedUp: (at) =>
            isolateNames((sender) => messages.sendsUsedUp(formatTime(at, locale, { timeZone }), sender), senderName),
          after: isolateNames(messages.lostMailbox, senderName),
        }}
      />
    </CeremonyFrame>
  )
}
