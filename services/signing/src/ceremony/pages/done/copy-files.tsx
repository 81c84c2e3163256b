// The files that a party may keep, on page 8: what each is, how large, its button. [ceremony 8]
import { LinkButton } from '@paraph/web/fields'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { Copies } from '../seal-queue.js'
import { words } from './dictionary.js'
import { links } from './links.js'

/** Sealed PDF, text and evidence, as far as they are there. */
export function CopyFiles({
  copies,
  contentBytes,
  contractNumber,
  token,
  locale,
}: {
  copies: Copies
  contentBytes: number
  contractNumber: string
  token: string
  locale: Locale
}) {
  const say = words(locale)
  const to = links(token)
  return (
    <>
      <SealedPdf {...{ copies, locale }} href={to.copy} again={to.done()} fileName={`${contractNumber}.pdf`} />
      <FileRow
        name="contract.txt"
        detail={say.textDetail}
        bytes={contentBytes}
        button={{ label: say.downloadShort, href: to.text, fileName: 'contract.txt' }}
        locale={locale}
      />
      {copies.state === 'ready' && (
        <FileRow
          name="evidence.jws"
          detail={say.evidenceDetail}
          bytes={copies.jwsBytes}
          button={{ label: say.downloadEvidence, href: to.evidence, fileName: 'evidence.jws' }}
          locale={locale}
        />
      )}
    </>
  )
}

/** The file to keep, or where it stands: the page never waits for it. */
function SealedPdf({
  copies,
  href,
  again,
  fileName,
  locale,
}: {
  copies: Copies
  href: string
  again: string
  fileName: string
  locale: Locale
}) {
  const say = words(locale)
  if (copies.state === 'erased') return null
  if (copies.state === 'ready') {
    const button = { label: say.downloadPdf, href, fileName, isPrimary: true }
    return (
      <FileRow
        name={say.sealedPdf}
        detail={say.sealedPdfDetail}
        bytes={copies.pdfBytes}
        button={button}
        locale={locale}
      />
    )
  }
  return (
    <div class="file">
      <div>
        <strong>{say.sealedPdf}</strong>
        <p>{copies.state === 'troubled' ? say.preparingTroubled : say.preparing}</p>
      </div>
      <LinkButton look="quiet" href={again}>
        {say.checkAgain}
      </LinkButton>
    </div>
  )
}

function FileRow({
  name,
  detail,
  bytes,
  button: { label, href, fileName, isPrimary = false },
  locale,
}: {
  name: string
  detail: string
  bytes: number
  button: { label: string; href: string; fileName: string; isPrimary?: boolean }
  locale: Locale
}) {
  const kilobytes = Math.max(1, Math.round(bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale])
  return (
    <div class="file">
      <div>
        <strong>{name}</strong>
        <p>
          {detail} <span class="unbroken">{words(locale).kilobytes(kilobytes)}</span>
        </p>
      </div>
      <LinkButton look={isPrimary ? 'primary' : 'quiet'} href={href} download={fileName}>
        {label}
      </LinkButton>
    </div>
  )
}
