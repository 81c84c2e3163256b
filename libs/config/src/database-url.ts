// Checks the parameters of a database URL that control encryption. [D48]
// Today pg treats sslmode=require as verify-full, but announces a change, and libpq differs: so a URL must name verify-full or disable.
// Messages never repeat the URL, which holds a password.
import { readFileSync } from 'node:fs'

const MODES = ['verify-full', 'disable']
/** Parameter → required content of its file. */
const FILES = {
  sslrootcert: /-----BEGIN CERTIFICATE-----/,
  sslcert: /-----BEGIN CERTIFICATE-----/,
  sslkey: /-----BEGIN (?:EC |RSA )?PRIVATE KEY-----/,
} as const

/**
 * The error in a database URL, as the end of a sentence that begins with the name of the setting; undefined for a valid URL.
 * Reads the files that the URL names.
 */
export function databaseUrlError(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return 'must be postgres://user:password@host:port/database'
  // As pg does: the last of several counts.
  const parameter = (name: string) => url.searchParams.getAll(name).at(-1)
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
