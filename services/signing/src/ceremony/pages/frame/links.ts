// The paths of the ceremony below one share link. Owns their shape; the routes that answer them are the share link's. [ceremony: URLs]

/** The paths for one share token. The token, the challenge id and the rest are put into the path percent-encoded. */
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
    text: `${base}/contract.txt`,
    copy: `${base}/copy.pdf`,
    evidence: `${base}/evidence.jws`,
    openings: `${base}/openings.txt`,
    leave: `${base}/leave`,
    report: `${base}/report`,
  }
}

/** The page of a path: a form's own path only takes what is sent, and stands for the page with that form. */
export function pageOf(path: string): string {
  return path
    .replace(/^(\/contract\/[^/]+)\/(?:code|resend|leave)$/, '$1')
    .replace(/^(\/contract\/[^/]+\/)sign$/, '$1review')
}

export const HELP = '/help'
/** How evidence is checked. */
export const CHECK = '/help#check'
/** All public keys of the evidence. */
export const PUBLIC_KEYS = '/.well-known/paraph-evidence.pem'
/** One public key alone, as openssl reads it. */
export const publicKeyPath = (keyId: string): string => `/.well-known/paraph-evidence/${encodeURIComponent(keyId)}.pem`
export const PRIVACY = '/privacy'
/** For pages that belong to no contract. */
export const REPORT = '/help#report'
