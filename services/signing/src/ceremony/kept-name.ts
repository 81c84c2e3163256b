// Keeps the name that a person typed after the session had ended, until the mailbox is verified again. [ceremony 14, P9, WCAG 3.3.7]
// It is sealed in a cookie: it is personal, the browser may be shared, and the person is not verified when it is stored.
import { hkdfSync } from 'node:crypto'
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { clearCookie, cookieName, parseCookies, serializeCookie } from '@paraph/web/cookies'
import { z } from 'zod'

const COOKIE = 'kept-name'
const TTL_SECONDS = 900
/** Bytes of UTF-8: holds a legal name of 200 characters in any script, and keeps the cookie far below 4 KiB. */
const NAME_BYTES_MAX = 1_000

const keptSchema = z.object({ partyIndex: z.int().min(0), typedName: z.string(), keptAtSeconds: z.int() })

type KeptName = Pick<z.infer<typeof keptSchema>, 'partyIndex' | 'typedName'>

interface KeptNamesDeps {
  /** At least 32 characters each, with ids without a dot: the first seals, all of them open. */
  secrets: readonly { id: string; secret: string }[]
  https: boolean
}

/** One name per browser, bound to its contract, readable for 15 minutes. */
export function createKeptNames({ secrets, https }: KeptNamesDeps) {
  const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'kept name', 32))
  const keys = new Map(secrets.map(({ id, secret }) => [id, keyOf(secret)]))
  const keyring: Keyring = { currentId: secrets[0]?.id ?? '', keys }
  const contextOf = (contractId: string) => `kept name ${contractId}`

  return {
    /** The `Set-Cookie` value that keeps the name; undefined for an empty or too long name, or without a party. */
    keep(contractId: string, { partyIndex, typedName }: KeptName, now: Date): string | undefined {
      if (typedName === '' || Buffer.byteLength(typedName) > NAME_BYTES_MAX || !(partyIndex >= 0)) return undefined
      const kept = { partyIndex, typedName, keptAtSeconds: Math.floor(now.getTime() / 1_000) }
      const { keyId, bytes } = seal(keyring, JSON.stringify(kept), contextOf(contractId))
      const value = `${keyId}.${bytes.toString('base64url')}`
      return serializeCookie({ name: COOKIE, value, maxAgeSeconds: TTL_SECONDS }, { https })
    },

    /** The name kept for this contract; undefined for none, or one that is too old, forged or another contract's. */
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

    /** The `Set-Cookie` value that deletes the name. */
    forget: (): string => clearCookie(COOKIE, { https }),
  }
}

export type KeptNames = ReturnType<typeof createKeptNames>
