// The files that a party can download on page 8: name, size and button of each. [ceremony 8]
import type { ComponentChild } from 'preact'
import { LinkButton } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { Copies } from '../../../sealing/queue.js'
import { ceremonyMessages } from '../frame/messages.js'
import { CHECK, links, publicKeyPath } from '../frame/links.js'
import { CHECK_COMMANDS } from '@paraph/web/check-commands'

interface CopyFilesProps {
  copies: Copies
  contentBytes: number
  contractNumber: string
  token: string
  locale: Locale
}

/** Sealed PDF, text and evidence, as far as they are ready. */
export function CopyFiles({ copies, contentBytes, contractNumber, token, locale }: CopyFilesProps) {
  const messages = ceremonyMessages(locale)
  const to = links(token)
  const isReady = copies.state === 'ready'
  return (
    <>
      {isReady && (
        <FileRow
          name={messages.sealedPdf}
          detail={<Sized text={messages.sealedPdfDetail} bytes={copies.pdfBytes} locale={locale} />}
        >
          <LinkButton look="primary" href={to.copy} download={`${contractNumber}.pdf`}>
            {messages.downloadPdf}
          </LinkButton>
        </FileRow>
      )}
      {!isReady && copies.state !== 'erased' && (
        // The page never waits for it.
        <FileRow
          name={messages.sealedPdf}
          detail={copies.state === 'troubled' ? messages.preparingTroubled : messages.preparing}
        >
          <LinkButton look="quiet" href={to.done()}>
            {messages.checkAgain}
          </LinkButton>
        </FileRow>
      )}
      <FileRow name="contract.txt" detail={<Sized text={messages.textDetail} bytes={contentBytes} locale={locale} />}>
        <LinkButton look="quiet" href={to.text} download="contract.txt">
          {messages.downloadShort}
        </LinkButton>
      </FileRow>
      {isReady && (
        <FileRow
          name="evidence.jws"
          detail={<Sized text={messages.evidenceDetail} bytes={copies.jwsBytes} locale={locale} />}
        >
          <LinkButton look="quiet" href={to.evidence} download="evidence.jws">
            {messages.downloadEvidence}
          </LinkButton>
        </FileRow>
      )}
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

function Sized({ text, bytes, locale }: { text: string; bytes: number; locale: Locale }) {
  const kilobytes = Math.max(1, Math.round(bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale])
  return (
    <>
      {text} <span class="unbroken">{ceremonyMessages(locale).kilobytes(kilobytes)}</span>
    </>
  )
}

interface CheckStepsProps {
  contentSha256: string
  copies: Copies
  /** The path of the reader's own disclosures. */
  disclosures: string
  locale: Locale
}

export function CheckSteps({ contentSha256, copies, disclosures, locale }: CheckStepsProps) {
  const messages = ceremonyMessages(locale)
  const [fingerprint, ...signature] = CHECK_COMMANDS
  return (
    <ol class="check">
      <li>
        <p>{messages.checkText(`${contentSha256.slice(0, 8)} … ${contentSha256.slice(-8)}`)}</p>
        <pre class="mono command" tabindex={0}>
          {fingerprint}
        </pre>
        <p class="mono hash">{contentSha256}</p>
      </li>
      {copies.state === 'ready' && (
        <>
          <li>
            <p>
              {messages.checkEvidence}{' '}
              <a href={publicKeyPath(copies.keyId)} download="paraph.pem">
                {messages.publicKey}
              </a>
            </p>
            <pre class="mono command" tabindex={0}>
              {signature.join('\n')}
            </pre>
          </li>
          <li>
            <p>{messages.checkBoth}</p>
            <a class="plain-link" href={CHECK}>
              {messages.fullCheck}
            </a>
            <br />
            <a class="plain-link" href={disclosures} download="openings.txt">
              {messages.ownDisclosures}
            </a>
          </li>
        </>
      )}
    </ol>
  )
}
