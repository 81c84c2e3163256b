// The paths of the ceremony; ceremony-router.tsx serves them. [ceremony: URLs]

/** The paths of one share link. Token and challenge id are percent-encoded. */
export function links(token: string) {
  const base = `/contract/${encodeURIComponent(token)}`
  const party = (index: number | undefined) => (index === undefined ? '' : `?party=${index}`)
  return {
    open: base,
    requestCode: `${base}/code`,
    challenge: (challenge: string) => `${base}/code/${encodeURIComponent(challenge)}`,
    resend: `${base}/resend`,
    review: (partyIndex?: number) => `${base}/review${party(partyIndex)}`,
    sign: `${base}/sign`,
    done: (partyIndex?: number) => `${base}/done${party(partyIndex)}`,
    signedText: (partyIndex?: number) => `${base}/signed${party(partyIndex)}`,
    text: `${base}/contract.txt`,
    copy: `${base}/copy.pdf`,
    evidence: `${base}/evidence.jws`,
    disclosures: `${base}/openings.txt`,
    decline: (partyIndex?: number) => `${base}/decline${party(partyIndex)}`,
    leave: `${base}/leave`,
    report: `${base}/report`,
  }
}

/** Returns `path`, or for a path that only receives a form, the path of the page with that form. */
export function pageOf(path: string): string {
  return path
    .replace(/^(\/contract\/[^/]+)\/(?:code|resend|leave)$/, '$1')
    .replace(/^(\/contract\/[^/]+\/)sign$/, '$1review')
}

export const HELP = '/help'
/** The help section on the sender and the approved account. */
export const SENDER_HELP = '/help#sender'
/** Checks a signed PDF or evidence.jws for anybody. [D68] */
export const VERIFY = '/verify'
/** The gateway's guide to checking the evidence, command by command. */
export const EVIDENCE_GUIDE = '/docs/evidence'
/** The file of all public keys of the evidence. */
export const PUBLIC_KEYS = '/.well-known/paraph-evidence.pem'
/** The file of one public key, which openssl can read. */
export const publicKeyPath = (keyId: string): string => `/.well-known/paraph-evidence/${encodeURIComponent(keyId)}.pem`
export const PRIVACY = '/privacy'
/** The help section on reports, for pages that belong to no contract. */
export const REPORT = '/help#report'
