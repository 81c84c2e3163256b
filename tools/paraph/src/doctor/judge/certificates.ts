// Judges keys and certificates by their age and end. Pure.
import type { CertificateFacts, Facts } from '../facts.js'
import { broken, look, ok, type Finding } from '../finding.js'

const DAY_MS = 86_400_000
/** As the alerts: a ticket 30 days before the end, a page 3 days before it. */
const LOOK_DAYS = 30
const BROKEN_DAYS = 3
/** The age at which docs/how-to/operators/secrets.md asks for new keys of the seal. */
const SEAL_AGE_DAYS_MAX = 3 * 365

export const judgeCertificates = ({ certificates, isTrial }: Pick<Facts, 'certificates' | 'isTrial'>, now: Date) =>
  certificates.map((each) => judgeOne(each, isTrial, now))

function judgeOne(
  { what, beganAt, endsAt, isSelfSigned, isSeal }: CertificateFacts,
  isTrial: boolean,
  now: Date,
): Finding {
  const daysLeft = Math.floor((endsAt.getTime() - now.getTime()) / DAY_MS)
  const ageDays = Math.floor((now.getTime() - beganAt.getTime()) / DAY_MS)
  const replace = {
    remedy: isSeal
      ? 'Get a new certificate and install it: PDFs that are sealed after the end do not verify.'
      : 'Renew the certificate: no client trusts it after its end.',
    page: isSeal ? 'certificates' : 'transport',
  } as const
  if (daysLeft < 0) return broken(what, `ended on ${dayOf(endsAt)}`, replace)
  if (beganAt > now) return broken(what, `is valid only from ${dayOf(beganAt)}`, replace)
  if (daysLeft < LOOK_DAYS) {
    const found = `ends on ${dayOf(endsAt)}, in ${daysLeft === 1 ? '1 day' : `${daysLeft} days`}`
    return daysLeft < BROKEN_DAYS ? broken(what, found, replace) : look(what, found, replace)
  }
  if (isSeal && ageDays > SEAL_AGE_DAYS_MAX)
    return look(what, `was made ${ageDays} days ago`, {
      remedy: 'Make new keys of evidence and seal; change them every three years.',
      page: 'certificates',
    })
  if (isSeal && isSelfSigned && !isTrial)
    return look(what, 'is self-signed, so no PDF reader trusts the seal', {
      remedy: 'Install a certificate of an authority that PDF readers trust.',
      page: 'certificates',
    })
  return ok(what, `valid until ${dayOf(endsAt)}`)
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)
