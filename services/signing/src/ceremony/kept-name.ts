// Keeps the name typed in a signature form whose session has ended, until the mailbox is verified again. [ceremony 14, P9, WCAG 3.3.7]
// A cookie holds the name encrypted: the name is personal, and the person who typed it is not verified and may share the browser.
import { createSecretKey, hkdfSync } from 'node:crypto'
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { clearCookie, cookieName, parseCookies, serializeCookie } from '@paraph/web/cookies'
import { z } from 'zod'

const COOKIE = 'kept-name'
const TTL_SECONDS = 900
/** Bytes of UTF-8: enough for a legal name of 200 characters in any script, and far below a cookie's limit of 4 KiB. */
const NAME_BYTES_MAX = 1_000

const keptSchema = z.object({ partyIndex: z.int().min(0), typedName: z.string(), keptAtSeconds: z.int() })

type KeptName = Pick<z.infer<typeof keptSchema>, 'partyIndex' | 'typedName'>

interface KeptNamesDeps {
  /** Each secret has at least 32 characters, and its id has no dot. The first secret encrypts; every secret decrypts. */
  secrets: readonly { id: string; secret: string }[]
  https: boolean
}

/** One name per browser, bound to its contract, readable for 15 minutes. */
export function createKeptNames({ secrets, https }: KeptNamesDeps) {
  const keyOf = (secret: string) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'kept name', 32)))
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

    /** The name kept for this contract; undefined without a valid cookie for this contract that is less than 15 minutes old. */
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
