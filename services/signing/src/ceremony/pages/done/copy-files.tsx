// The files that a party can download on page 8: name, size and button of each. [ceremony 8]
import { LinkButton } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { Copies } from '../../../sealing/queue.js'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'

interface CopyFilesProps {
  copies: Copies
  contentBytes: number
  contractNumber: string
  token: string
  locale: Locale
}

/** Sealed PDF, text and evidence, as far as they are ready. */
export function CopyFiles(props: CopyFilesProps) {
  const { copies, contentBytes, token, locale } = props
  const messages = ceremonyMessages(locale)
  const to = links(token)
  return (
    <>
      <SealedPdf {...props} />
      <FileRow
        name="contract.txt"
        detail={messages.textDetail}
        bytes={contentBytes}
        button={{ label: messages.downloadShort, href: to.text, fileName: 'contract.txt' }}
        locale={locale}
      />
      {copies.state === 'ready' && (
        <FileRow
          name="evidence.jws"
          detail={messages.evidenceDetail}
          bytes={copies.jwsBytes}
          button={{ label: messages.downloadEvidence, href: to.evidence, fileName: 'evidence.jws' }}
          locale={locale}
        />
      )}
    </>
  )
}

/** The sealed PDF, or its state while it is not ready; the page never waits for it. */
function SealedPdf({ copies, contractNumber, token, locale }: CopyFilesProps) {
  const messages = ceremonyMessages(locale)
  const to = links(token)
  if (copies.state === 'erased') return null
  if (copies.state === 'ready') {
    const fileName = `${contractNumber}.pdf`
    return (
      <FileRow
        name={messages.sealedPdf}
        detail={messages.sealedPdfDetail}
        bytes={copies.pdfBytes}
        button={{ label: messages.downloadPdf, href: to.copy, fileName, isPrimary: true }}
        locale={locale}
      />
    )
  }
  return (
    <div class="file">
      <div>
        <strong>{messages.sealedPdf}</strong>
        <p>{copies.state === 'troubled' ? messages.preparingTroubled : messages.preparing}</p>
      </div>
      <LinkButton look="quiet" href={to.done()}>
        {messages.checkAgain}
      </LinkButton>
    </div>
  )
}

interface FileRowProps {
  name: string
  detail: string
  bytes: number
  button: { label: string; href: string; fileName: string; isPrimary?: boolean }
  locale: Locale
}

function FileRow({ name, detail, bytes, button, locale }: FileRowProps) {
  const kilobytes = Math.max(1, Math.round(bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale])
  return (
    <div class="file">
      <div>
        <strong>{name}</strong>
        <p>
          {detail} <span class="unbroken">{ceremonyMessages(locale).kilobytes(kilobytes)}</span>
        </p>
      </div>
      <LinkButton look={button.isPrimary ? 'primary' : 'quiet'} href={button.href} download={button.fileName}>
        {button.label}
      </LinkButton>
    </div>
  )
}
