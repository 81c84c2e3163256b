import type { ComponentChild } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { isolateNames } from '@paraph/web/names-in-words'
import { outcomeMessages } from './messages.js'

/** What is known about the signature when the error occurs; the page always says which. [ceremony 16, D41] */
export type SignatureKnowledge =
  /** `asRole`: for a mailbox with several roles. */
  | { kind: 'nothing_signed'; asRole?: string | undefined }
  | { kind: 'recorded'; at: Date; timeZone?: string | undefined }
  | { kind: 'unknown' }
  /** The failed page signs nothing, and the error page must not deny an earlier signature. */
  | { kind: 'untouched' }

interface ErrorPageProps extends PageProps {
  signature: SignatureKnowledge
  requestId: string
}

/** Page 16, the page of every error: what is known about the signature, and the request id for support. */
export function ErrorPage({ signature, requestId, ...page }: ErrorPageProps) {
  const messages = outcomeMessages(page.locale)
  const [lead, detail] = sentences()
  return (
    <OutcomeFrame page={page} title={messages.troubleTitle} lead={lead}>
      <p>{detail}</p>
      <p class="soft">
        {messages.reference} <span class="mono unbroken">{requestId}</span>
      </p>
    </OutcomeFrame>
  )

  function sentences(): [lead: ComponentChild, detail: string] {
    switch (signature.kind) {
      case 'nothing_signed':
        return [
          <strong>
            {signature.asRole === undefined
              ? messages.nothingSigned
              : isolateNames(messages.youHaveNotSignedAs, signature.asRole)}
          </strong>,
          messages.tryAgainSoon,
        ]
      case 'recorded':
        return [
          <strong>
            {messages.recorded(
              formatInstant(signature.at, page.locale, { seconds: true, timeZone: signature.timeZone }),
            )}
          </strong>,
          messages.recordedDetail,
        ]
      case 'unknown':
        return [<strong>{messages.unknown}</strong>, messages.unknownDetail]
      case 'untouched':
        return [messages.untouched, messages.tryAgainSoon]
      default:
        return signature satisfies never
    }
  }
}
