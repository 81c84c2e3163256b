// The cookie of a browser that began to sign in at a provider. Sealed, so that nobody else can finish, and nobody can write one. [D73]
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { clearCookie, cookieName, parseCookies, serializeCookie } from '@paraph/web/cookies'
import type { Flow } from './provider.js'
import type { IssuerKind } from './settings.js'

/** Time to sign in at the provider, with a second factor. */
const BEGUN_SECONDS = 600
const NAME = 'console-issuer'

export interface Begun {
  flow: Flow
  /** The page after the sign-in. */
  next: string
  /** The session whose person proves who they are again; undefined for a sign-in. */
  session: string | undefined
  /** In milliseconds, by the database's clock. */
  at: number
}

/** @param https whether the site is on https */
export function createBegunCookie(keys: Keyring, https: boolean) {
  // Bound to the cookie of the browser, so that the one of an attacker's browser cannot be planted.
  const contextOf = (kind: IssuerKind, browser: string): string => `issuer begun ${kind} ${browser}`
  return {
    /** The `Set-Cookie` value. */
    set(kind: IssuerKind, browser: string, begun: Begun): string {
      const { keyId, bytes } = seal(keys, JSON.stringify(begun), contextOf(kind, browser))
      const value = `${keyId}.${bytes.toString('base64url')}`
      return serializeCookie({ name: NAME, value, maxAgeSeconds: BEGUN_SECONDS }, { https })
    },

    /** What this browser began with this provider at most ten minutes ago. */
    read(header: string | undefined, kind: IssuerKind, browser: string, now: Date): Begun | undefined {
      const [keyId = '', sealed = ''] = (parseCookies(header).get(cookieName(NAME, https)) ?? '').split('.')
      try {
        const text = unseal(keys, { keyId, bytes: Buffer.from(sealed, 'base64url') }, contextOf(kind, browser))
        const begun = JSON.parse(text) as Begun
        return now.getTime() - begun.at <= BEGUN_SECONDS * 1_000 ? begun : undefined
      } catch {
        return undefined
      }
    },

    clear: (): string => clearCookie(NAME, { https }),
  }
}
