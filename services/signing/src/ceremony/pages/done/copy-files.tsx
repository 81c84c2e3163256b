// The files of a contract that everyone has signed, and the way to verify them. [ceremony 8]
import type { ComponentChild } from 'preact'
import { LinkButton } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { Copies } from '../../../sealing/queue.js'
import { EVIDENCE_GUIDE, links } from '../frame/links.js'
import { doneMessages } from './messages.js'

interface CopyFilesProps {
  locale: Locale
  token: string
  contract: { contractNumber: string }
  contentSha256: string
  contentBytes: number
  copies: Copies
}

/** The download that a person needs, or that it is not ready: the page does not wait for it. */
export function SignedPdf({ copies, contract, token, locale }: CopyFilesProps) {
  const messages = doneMessages(locale)
  const to = links(token)
  if (copies.state === 'erased') return null
  if (copies.state === 'ready') {
    return (
      <FileRow name={messages.signedPdf} detail={sized(messages.signedPdfDetail, copies.pdfBytes, locale)}>
        <LinkButton look="primary" href={to.copy} download={`${contract.contractNumber}.pdf`}>
          {messages.downloadPdf}
        </LinkButton>
      </FileRow>
    )
  }
  const isTroubled = copies.state === 'troubled'
  return (
    <FileRow name={messages.signedPdf} detail={isTroubled ? messages.preparingTroubled : messages.preparing}>
      <LinkButton look="quiet" href={to.done()}>
        {messages.checkAgain}
      </LinkButton>
    </FileRow>
  )
}

/** The text and, once ready, the evidence and what proves the visitor's own entries. */
export function OtherFiles({ copies, contentBytes, token, locale }: CopyFilesProps) {
  const messages = doneMessages(locale)
  const to = links(token)
  return (
    <>
      <FileRow name="contract.txt" detail={sized(messages.textDetail, contentBytes, locale)}>
        <LinkButton look="quiet" href={to.text} download="contract.txt">
          {messages.downloadShort}
        </LinkButton>
      </FileRow>
      {copies.state === 'ready' && (
        <>
          <FileRow name="evidence.jws" detail={sized(messages.evidenceDetail, copies.jwsBytes, locale)}>
            <LinkButton look="quiet" href={to.evidence} download="evidence.jws">
              {messages.downloadEvidence}
            </LinkButton>
          </FileRow>
          <FileRow name="openings.txt" detail={messages.disclosuresDetail}>
            <LinkButton look="quiet" href={to.disclosures} download="openings.txt">
              {messages.downloadDisclosures}
            </LinkButton>
          </FileRow>
        </>
      )}
    </>
  )
}

function sized(text: string, bytes: number, locale: Locale) {
  const kilobytes = Math.max(1, Math.round(bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale])
  return (
    <>
      {text} <span class="unbroken">{doneMessages(locale).kilobytes(kilobytes)}</span>
    </>
  )
}

const FileRow = ({ name, detail, children }: { name: string; detail: ComponentChild; children: ComponentChild }) => (
  <div class="file">
    <div>
      <strong>{name}</strong>
      <p>{detail}</p>
    </div>
    {children}
  </div>
)

/** The way to check the PDF here, and without this site. */
export function CheckSteps({ contentSha256, locale }: Pick<CopyFilesProps, 'contentSha256' | 'locale'>) {
  const messages = doneMessages(locale)
  return (
    <>
      <p class="soft">{messages.howToVerifyDetail}</p>
      <p>
        <a class="plain-link" href={EVIDENCE_GUIDE}>
          {messages.fullCheck}
        </a>
      </p>
      <p>{messages.fingerprint}</p>
      <p class="mono hash">{contentSha256}</p>
    </>
  )
}
