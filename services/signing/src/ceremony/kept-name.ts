// The name that somebody typed when their session had ended, kept over the new confirmation. [ceremony 14, P9, WCAG 3.3.7]
// Sealed in a cookie: it is personal, the browser may be shared, and nobody has proven anything yet when it is kept.
import { hkdfSync } from 'node:crypto'
import { seal, unseal, type Keyring } from '@paraph/service/keyring'
import { clearCookie, cookieName, parseCookies, serializeCookie } from '@paraph/web/cookies'
import { z } from 'zod'

const COOKIE = 'kept-name'
const TTL_SECONDS = 900
/** Of UTF-8: a legal name of 200 characters in any script, and the cookie stays far below 4 KiB. */
const NAME_BYTES_MAX = 1_000

const keptSchema = z.object({ partyIndex: z.int().min(0), typedName: z.string(), keptAtSeconds: z.int() })

type KeptName = Pick<z.infer<typeof keptSchema>, 'partyIndex' | 'typedName'>

/**
 * One name per browser, bound to its contract, readable for 15 minutes.
 * @param secrets of at least 32 characters, with ids that hold no dot: the first seals, all of them open
 */
export function createKeptNames({
  secrets,
  https,
}: {
  secrets: readonly { id: string; secret: string }[]
  https: boolean
}) {
  const keys = secrets.map(
    ({ id, secret }) => [id, Buffer.from(hkdfSync('sha256', secret, '', 'kept name', 32))] as const,
  )
  const keyring: Keyring = { currentId: keys[0]?.[0] ?? '', keys: new Map(keys) }
  const contextOf = (contractId: string) => `kept name ${contractId}`

  return {
    /** The `Set-Cookie` value that keeps it; undefined when there is nothing worth keeping. */
    keep(contractId: string, { partyIndex, typedName }: KeptName, now: Date): string | undefined {
      if (typedName === '' || Buffer.byteLength(typedName) > NAME_BYTES_MAX || !(partyIndex >= 0)) return undefined
      const kept = { partyIndex, typedName, keptAtSeconds: Math.floor(now.getTime() / 1_000) }
      const { keyId, bytes } = seal(keyring, JSON.stringify(kept), contextOf(contractId))
      const value = `${keyId}.${bytes.toString('base64url')}`
      return serializeCookie({ name: COOKIE, value, maxAgeSeconds: TTL_SECONDS }, { https })
    },

    /** What is kept for this contract; undefined for nothing, too old, another contract's, or forged. */
    read(header: string | undefined, contractId: string, now: Date): KeptName | undefined {
      const [keyId, value] = parseCookies(header).get(cookieName(COOKIE, https))?.split('.') ?? []
      if (!keyId || !value) return undefined
      try {
        const sealed = { keyId, bytes: Buffer.from(value, 'base64url') }
        const kept = keptSchema.parse(JSON.parse(unseal(keyring, sealed, contextOf(contractId))))
        return now.getTime() / 1_000 - kept.keptAtSeconds < TTL_SECONDS ? kept : undefined
      } catch {
        return undefined
      }
    },

    /** The `Set-Cookie` value that forgets it. */
    forget: (): string => clearCookie(COOKIE, { https }),
  }
}

export type KeptNames = ReturnType<typeof createKeptNames>
