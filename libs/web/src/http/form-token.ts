// The token in every form that prevents cross-site request forgery. Owns issuing, verifying and the lifetime. [ceremony: headers]
// Without a session, the token is bound to a string (such as the share token) and the hour; with a session, only to the session.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** A secret, and the short id that names the secret in a token; the id contains no dot. */
interface FormTokenKey {
  id: string
  secret: string | Uint8Array
}

const HOUR_MS = 3_600_000
const LIFE_HOURS = 24
const TOKEN_LENGTH_MAX = 200

/**
 * Issues and verifies form tokens; a token is valid for 24 to 25 hours. MACs are compared in constant time.
 * @param keys newest first: the newest signs, all verify, so that a rotation breaks no open page
 */
export function createFormTokens(keys: readonly FormTokenKey[]) {
  const [newest] = keys
  if (newest === undefined) throw new Error('Form tokens need at least one key.')

  return {
    /** A token for a form shown without a session. `binding`: the string to which the token is bound. */
    issue(binding: string, now: Date): string {
      const hour = Math.floor(now.getTime() / HOUR_MS).toString(36)
      return `${newest.id}.${hour}.${sign(newest, `open\n${hour}\n${binding}`)}`
    },

    /** True for a token issued for `binding` at most 24 hours ago; false, never an error, for any other string. */
    verify(token: string | undefined, binding: string, now: Date): boolean {
      const parts = split(token)
      if (!parts || !/^[0-9a-z]{1,8}$/.test(parts.subject)) return false
      const ageHours = Math.floor(now.getTime() / HOUR_MS) - Number.parseInt(parts.subject, 36)
      // The hour is signed, so a token with the next hour is not a forgery: another replica's clock is ahead.
      if (ageHours < -1 || ageHours > LIFE_HOURS) return false
      return isSigned(parts.keyId, parts.mac, `open\n${parts.subject}\n${binding}`)
    },

    /** A token for a form inside a session; valid as long as the session. */
    issueForSession(sessionId: string): string {
      return `${newest.id}.~.${sign(newest, `session\n${sessionId}`)}`
    },

    /** True for a token issued for this session. */
    verifyForSession(token: string | undefined, sessionId: string): boolean {
      const parts = split(token)
      return parts?.subject === '~' && isSigned(parts.keyId, parts.mac, `session\n${sessionId}`)
    },
  }

  function isSigned(keyId: string, mac: string, message: string): boolean {
    const key = keys.find(({ id }) => id === keyId)
    if (key === undefined) return false
    const expected = Buffer.from(sign(key, message))
    const given = Buffer.from(mac)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}

export type FormTokens = ReturnType<typeof createFormTokens>

function sign(key: FormTokenKey, message: string): string {
  return createHmac('sha256', key.secret).update(`form-token\n${message}`).digest('base64url')
}

function split(token: string | undefined): { keyId: string; subject: string; mac: string } | undefined {
  if (token === undefined || token.length > TOKEN_LENGTH_MAX) return undefined
  const [keyId, subject, mac, ...rest] = token.split('.')
  if (keyId === undefined || subject === undefined || mac === undefined || rest.length > 0) return undefined
  return { keyId, subject, mac }
}
