import type { ComponentChild } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { setNames } from '@paraph/web/names-in-words'
import { outcomeWords } from './outcome-dictionary.js'

/** What is known about the signature at the moment of trouble; a page must always say which. [ceremony 16, D41] */
export type SignatureKnowledge =
  /** `asRole`: where the mailbox has several. */
  | { kind: 'nothing_signed'; asRole?: string | undefined }
  | { kind: 'recorded'; at: Date; timeZone?: string | undefined }
  | { kind: 'unknown' }
  /** A page that only shows: it signs nothing and must not deny a signature given before. */
  | { kind: 'untouched' }

export interface TroublePageProps extends PageProps {
  signature: SignatureKnowledge
  requestId: string
}

/** Page 16, 503 or 500: service trouble, with the number to give when asking for help. */
export function TroublePage({ signature, requestId, ...page }: TroublePageProps) {
  const say = outcomeWords(page.locale)
  const [lead, detail] = sentences()
  return (
    <OutcomeFrame page={page} title={say.troubleTitle} lead={lead}>
      <p>{detail}</p>
      <p class="soft">
        {say.reference} <span class="mono unbroken">{requestId}</span>
      </p>
    </OutcomeFrame>
  )

  function sentences(): [lead: ComponentChild, detail: string] {
    switch (signature.kind) {
      case 'nothing_signed':
        return [
          <strong>
            {signature.asRole === undefined ? say.nothingSigned : setNames(say.youHaveNotSignedAs, signature.asRole)}
          </strong>,
          say.tryAgainSoon,
        ]
      case 'recorded':
        return [
          <strong>
            {say.recorded(formatInstant(signature.at, page.locale, { seconds: true, timeZone: signature.timeZone }))}
          </strong>,
          say.recordedDetail,
        ]
      case 'unknown':
        return [<strong>{say.unknown}</strong>, say.unknownDetail]
      case 'untouched':
        return [say.untouched, say.tryAgainSoon]
      default:
        return signature satisfies never
    }
  }
}
