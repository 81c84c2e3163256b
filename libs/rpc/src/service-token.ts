// Service tokens: issuer, audience and account of a call; Ed25519, 60 s. [D45]
// Owns: signing, verifying and the cache of verified tokens. Does not own: which caller may call which service (EDGES in protocol), and
// the time: services pass the clock of their store, because a machine's clock may be wrong by minutes (F12).
import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { BoundedMap } from '@paraph/protocol/bounded-map'
import {
  operatorNameSchema,
  principalSchema,
  SERVICE_TOKEN_TTL_SECONDS,
  type Principal,
} from '@paraph/protocol/principal'
import type { Caller } from '@paraph/protocol/services'
import { DomainError } from '@paraph/protocol/errors'
import type { Clock } from '@paraph/background/store-clock'

/** A caller proven by a token. */
export interface VerifiedCaller {
  issuer: Caller
  principal: Principal | undefined
  /** The name that the person behind the operator's token states. [P36] */
  operatorName?: string | undefined
}

/** A token is used until 40 s before it expires, because a page waits for a frozen service for up to 35 s and may then be served. [P27] */
const RENEW_AFTER_MS = (SERVICE_TOKEN_TTL_SECONDS - 40) * 1_000
const VERIFIED_TOKENS_MAX = 5_000
/** Well below VERIFIED_TOKENS_MAX, so that tokens of many accounts do not evict each other at the callee. */
const SIGNED_TOKENS_MAX = 1_000

/** The clock of programs without a store: the command line, and tests. */
const ownClock: Clock = () => new Date()

/**
 * Signs tokens as `issuer`. Without a principal the token names only the caller.
 * @param privateKey base64 of PKCS#8 DER
 * @param operatorName the person who uses the operator's key
 */
export function createTokenSigner(issuer: Caller, privateKey: string, clock = ownClock, operatorName?: string) {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  const keyId = keyIdOf(createPublicKey(key))
  const cached = new BoundedMap<string, { token: string; createdAtMs: number }>(SIGNED_TOKENS_MAX)

  /** A new token for one audience; expires in 60 s. @param at the current time, if the caller has already read the clock */
  async function sign(audience: string, principal?: Principal, at?: Date): Promise<string> {
    const now = Math.floor((at ?? (await clock())).getTime() / 1_000)
    return new SignJWT({ ...(principal && { principal }), ...(operatorName !== undefined && { operatorName }) })
      .setProtectedHeader({ alg: 'EdDSA', kid: keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + SERVICE_TOKEN_TTL_SECONDS)
      .sign(key)
  }

  /**
   * The same token for the same audience and principal until it nears its expiry, so that the callee verifies it once, not at each
   * call. A principal with changed data gets a new token.
   */
  async function signCached(audience: string, principal?: Principal): Promise<string> {
    const now = await clock()
    const cacheKey = JSON.stringify([audience, principal])
    const found = cached.get(cacheKey)
    const ageMs = found && now.getTime() - found.createdAtMs
    // A token from the future was signed by this machine's wrong clock, before the store's clock was known.
    if (found && ageMs !== undefined && ageMs >= 0 && ageMs < RENEW_AFTER_MS) return found.token
    const token = await sign(audience, principal, now)
    cached.set(cacheKey, { token, createdAtMs: now.getTime() })
    return token
  }

  return { sign, signCached }
}

export type TokenSigner = ReturnType<typeof createTokenSigner>

/**
 * Verifies tokens for `audience`. Caches verified tokens until they expire: verifying a signature costs more than the rest of a
 * small request.
 * @param publicKeys caller → base64 of SPKI DER keys, two at a time while one is rotated
 */
export function createTokenVerifier(audience: string, publicKeys: Partial<Record<Caller, string[]>>, clock = ownClock) {
  const keys = new Map<string, { issuer: Caller; key: KeyObject }>()
  for (const [issuer, encoded] of Object.entries(publicKeys) as [Caller, string[]][]) {
    for (const spki of encoded) {
      const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
      keys.set(keyIdOf(key), { issuer, key })
    }
  }
  const verified = new BoundedMap<string, { caller: VerifiedCaller; expiresAt: number }>(VERIFIED_TOKENS_MAX)

  /** @throws DomainError `invalid_key` for anything but a valid token of a known caller for this audience */
  return async function verify(authorization: string | undefined): Promise<VerifiedCaller> {
    const token = /^Bearer ([A-Za-z0-9._-]{20,8192})$/.exec(authorization ?? '')?.[1]
    if (!token) throw refused()
    const read = clock()
    const now = read instanceof Date ? read : await read
    const cached = verified.get(token)
    if (cached) {
      if (cached.expiresAt > now.getTime()) return cached.caller
      verified.delete(token)
    }
    try {
      const holder = keys.get(decodeProtectedHeader(token).kid ?? '')
      if (!holder) throw new Error('no known caller has this key')
      const { payload } = await jwtVerify(token, holder.key, {
        audience,
        issuer: holder.issuer,
        algorithms: ['EdDSA'],
        requiredClaims: ['exp'],
        clockTolerance: 5,
        currentDate: now,
      })
      const principal = payload['principal'] === undefined ? undefined : principalSchema.parse(payload['principal'])
      const name = holder.issuer === 'operator' ? payload['operatorName'] : undefined
      const operatorName = name === undefined ? undefined : operatorNameSchema.parse(name)
      const caller = { issuer: holder.issuer, principal, operatorName }
      verified.set(token, { caller, expiresAt: (payload.exp ?? 0) * 1_000 })
      return caller
    } catch {
      throw refused()
    }
  }
}

export type TokenVerifier = ReturnType<typeof createTokenVerifier>

const refused = () =>
  new DomainError('invalid_key', 'This address takes calls only from the services of this installation.')

/** Key id: the start of the SHA-256 of the public key, to distinguish two keys of one caller. */
const keyIdOf = (publicKey: KeyObject): string =>
  hash('sha256', publicKey.export({ format: 'der', type: 'spki' }), 'base64url').slice(0, 16)
