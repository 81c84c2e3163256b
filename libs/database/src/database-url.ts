// What of a database's URL decides whether its connections are encrypted, checked before the first of them. [D48]
// pg takes sslmode=require for verify-full today and says that it will not for ever; libpq never did. So a URL says which it means.
// Owns: the words of the faults, which never repeat the URL: it holds a password. Does not own: the connection (pool.ts).
import { readFileSync } from 'node:fs'

const MODES = ['verify-full', 'disable']
/** Parameter → what its file holds. */
const FILES = {
  sslrootcert: /-----BEGIN CERTIFICATE-----/,
  sslcert: /-----BEGIN CERTIFICATE-----/,
  sslkey: /-----BEGIN (?:EC |RSA )?PRIVATE KEY-----/,
} as const

/**
 * What is wrong with the URL of a database, as the end of a sentence that begins with the setting's name; undefined for nothing.
 * Reads the files that it names.
 */
export function databaseUrlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return 'must be postgres://user:password@host:port/database'
  const parameter = (name: string) => url.searchParams.get(name) ?? undefined
  const mode = parameter('sslmode')
  if (mode !== undefined && !MODES.includes(mode))
    return 'sslmode must be verify-full, or disable where nobody else can listen'
  if (url.searchParams.has('ssl') || url.searchParams.has('uselibpqcompat'))
    return 'ssl and uselibpqcompat have no place there: sslmode=verify-full says it'
  for (const [name, content] of Object.entries(FILES)) {
    const file = parameter(name)
    if (file === undefined) continue
    if (mode !== 'verify-full') return `needs sslmode=verify-full beside ${name}`
    if (!content.test(contentOf(file))) return `${name} names no file with PEM of that kind that can be read`
  }
  return undefined
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
