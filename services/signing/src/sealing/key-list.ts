// The lists of public keys and certificates: in PEM, each below a line `# <name> <note>`. The note says for which environment the key
// signs, and until when a retired one did. The service publishes the lists, `EVIDENCE_RETIRED_KEYS` and `SEAL_RETIRED_CERTIFICATES` have the
// same form, and the check of evidence reads them. PURE. [P38, RFC 7638]
import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Environment } from '@paraph/protocol/environment'
import { z } from 'zod'

/** What a list says of a key. Days are `YYYY-MM-DD` in UTC. */
export interface KeyNote {
  environment: Environment
  /** The last day on which a retired key signed; undefined for a current key. */
  lastDay?: string | undefined
  /** What a retired key signed on this day or later counts for nothing: somebody else may have had it. */
  compromisedSince?: string | undefined
}

/** A block of a list. */
interface Listed {
  /** RFC 7638 thumbprint of a key, or SHA-256 fingerprint of a certificate. */
  name: string
  pem: string
  /** From the line above; undefined where there is no line of this form that names the block. */
  note: KeyNote | undefined
}

const NOTE = /^(production|sandbox)$|^retired-(production|sandbox):(\S+?)(?: compromised-since:(\S+))?$/
const isDay = (day: string | undefined): boolean => day === undefined || z.iso.date().safeParse(day).success

/** The reverse of `noteText`; undefined for any other text. */
export function parseNote(text: string): KeyNote | undefined {
  const [, current, retired, lastDay, compromisedSince] = NOTE.exec(text) ?? []
  const environment = (current ?? retired) as Environment | undefined
  if (environment === undefined || !isDay(lastDay) || !isDay(compromisedSince)) return undefined
  return { environment, lastDay, compromisedSince }
}

/** The note as lists have it, such as `production` or `retired-sandbox:2026-03-31 compromised-since:2026-03-15`. */
export function noteText({ environment, lastDay, compromisedSince }: KeyNote): string {
  const retired = lastDay === undefined ? environment : `retired-${environment}:${lastDay}`
  return compromisedSince === undefined ? retired : `${retired} compromised-since:${compromisedSince}`
}

/** A sentence that says why evidence that ends on `day` does not count; undefined where it does. */
export function faultOfDay({ lastDay, compromisedSince }: KeyNote, day: string): string | undefined {
  if (lastDay !== undefined && day > lastDay)
    return `The evidence ends on ${day}, and ${lastDay} was the last day of its key or certificate.`
  if (compromisedSince !== undefined && day >= compromisedSince)
    return `The evidence ends on ${day}. Its key or certificate counts for nothing from ${compromisedSince} on.`
  return undefined
}

/** One block with its line, as lists have it. */
export const writeListed = (name: string, note: KeyNote, pem: string): string => `# ${name} ${noteText(note)}\n${pem}`

/** The public keys in `text`; skips unreadable blocks. */
export const keysIn = (text: string): Listed[] =>
  readBlocks(text, 'PUBLIC KEY', (pem) => thumbprintOf(createPublicKey(pem)))

/** The certificates in `text`; skips unreadable blocks. */
export const certificatesIn = (text: string): Listed[] =>
  readBlocks(text, 'CERTIFICATE', (pem) => new X509Certificate(pem).fingerprint256)

function readBlocks(text: string, what: string, nameOf: (pem: string) => string): Listed[] {
  // The lengths are bounded: otherwise a file of headers without footers takes quadratic time.
  const block = `-----BEGIN ${what}-----[\\w+/=\\s]{1,8000}-----END ${what}-----`
  const blocks = text.matchAll(new RegExp(`(?:^# (\\S{1,200}) (.{1,200})\\n)?(${block})`, 'gm'))
  return [...blocks].flatMap(([, named, note = '', pem = '']) => {
    try {
      const name = nameOf(pem)
      return [{ name, pem, note: named === name ? parseNote(note.trim()) : undefined }]
    } catch {
      return []
    }
  })
}

/** A list of retired keys that cannot be published; the message contains no part of a private key. */
export class ListError extends Error {}

/**
 * The blocks of a setting that lists retired keys or certificates.
 * @param read `keysIn` or `certificatesIn`
 * @throws ListError when the text holds something else, a block lacks its line, or stands twice
 */
export function retiredIn(text: string, read: typeof keysIn): (Listed & { note: KeyNote })[] {
  const found = read(text)
  if (found.length !== (text.match(/BEGIN/g)?.length ?? 0) || (found.length === 0 && text.trim() !== ''))
    throw new ListError('holds something else than public keys and certificates in PEM')
  return found.map(({ name, pem, note }, index) => {
    if (note?.lastDay === undefined)
      throw new ListError(
        `needs the line "# ${name} retired-production:YYYY-MM-DD" or "# ${name} retired-sandbox:YYYY-MM-DD" directly above that key or certificate, with the last day (UTC) on which it signed; see docs/how-to/operators/secrets.md`,
      )
    if (found.findIndex((each) => each.name === name) < index) throw new ListError(`lists ${name} twice`)
    return { name, pem, note }
  })
}

/** The RFC 7638 thumbprint of an Ed25519 key: the hash of its required members in lexical order. */
export function thumbprintOf(key: KeyObject): string {
  const { kty, crv, x } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
}
