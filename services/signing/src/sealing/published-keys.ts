// Parses the key and certificate files that the service publishes below `/.well-known/`, and other PEM files. PURE. [D30]
// A published block has a comment line above it, `# <name> production`.
import { createPublicKey, X509Certificate } from 'node:crypto'
import { thumbprintOf } from './keys.js'

/** `note` is `production`, `sandbox`, `retired` or empty. */
export interface KnownKey {
  keyId: string
  pem: string
  note: string
}

/** The public keys in `text`; skips unreadable blocks. */
export const keysIn = (text: string): KnownKey[] =>
  readBlocks(text, 'PUBLIC KEY', (pem) => ({ keyId: thumbprintOf(createPublicKey(pem)), pem }))

/** The SHA-256 fingerprints of the certificates in `text`; skips unreadable blocks. */
export const certificatesIn = (text: string): { fingerprint: string; note: string }[] =>
  readBlocks(text, 'CERTIFICATE', (pem) => ({ fingerprint: new X509Certificate(pem).fingerprint256 }))

function readBlocks<Read>(text: string, what: string, read: (pem: string) => Read): (Read & { note: string })[] {
  // Bounded: otherwise a file of headers without footers takes quadratic time.
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
