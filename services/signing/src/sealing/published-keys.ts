// Keys and certificates out of the files that the service publishes below `/.well-known/`, or that somebody kept. PURE. [D30]
// A line above each says what it is, `# <name> production`; other PEM files do without.
import { createPublicKey, X509Certificate } from 'node:crypto'
import { thumbprintOf } from './evidence-keys.js'

/** `note` is `production`, `sandbox`, `retired` or empty. */
export interface KnownKey {
  keyId: string
  pem: string
  note: string
}

/** The public keys in `text`; what cannot be read is passed over. */
export const keysIn = (text: string): KnownKey[] =>
  readBlocks(text, 'PUBLIC KEY', (pem) => ({ keyId: thumbprintOf(createPublicKey(pem)), pem }))

/** The certificates in `text`, by the SHA-256 of each; likewise. */
export const certificatesIn = (text: string): { fingerprint: string; note: string }[] =>
  readBlocks(text, 'CERTIFICATE', (pem) => ({ fingerprint: new X509Certificate(pem).fingerprint256 }))

function readBlocks<Read>(text: string, what: string, read: (pem: string) => Read): (Read & { note: string })[] {
  // Bounded: a file of beginnings without an end would be looked through again from each of them.
  const block = `-----BEGIN ${what}-----[\\w+/=\\s]{1,8000}-----END ${what}-----`
  const blocks = text.matchAll(new RegExp(`(?:^# \\S+ (production|sandbox|retired)\\s+)?(${block})`, 'gm'))
  return [...blocks].flatMap(([, note = '', pem = '']) => {
    try {
      return [{ ...read(pem), note }]
    } catch {
      return []
    }
  })
}
