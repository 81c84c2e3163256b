// Caller tokens: who calls, whom, for which account; Ed25519, 60 s. [D45]
// Owns: signing, verifying and the cache of verified tokens. Does not own: which caller may call what (EDGES in protocol), what
// time it is: services give the clock of their store, for those of their machines may be wrong by minutes (F12).
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { CALLER_TOKEN_TTL_SECONDS, principalSchema, type Caller, type Principal } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { Clock } from './store-clock.js'

/** Who called, proven by a token. */
export interface VerifiedCaller {
  issuer: Caller
  principal: Principal | undefined
}

/** A token is used until 20 s before it lapses, so that it does not lapse on the way. */
const RENEW_AFTER_MS = (CALLER_TOKEN_TTL_SECONDS - 20) * 1_000
const VERIFIED_TOKENS_MAX = 5_000
/** Well below what a callee keeps of verified ones, so that those of many owners do not push each other out there. */
const KEPT_TOKENS_MAX = 1_000

/** For programs without a store: the operator's, and tests. */
const ownClock: Clock = () => new Date()

/**
 * Signs tokens as `issuer`. Without a principal the token says only who calls.
 * @param privateKey base64 of PKCS#8 DER
 */
export function createTokenSigner(issuer: Caller, privateKey: string, clock = ownClock) {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  const keyId = keyIdOf(createPublicKey(key))
  const kept = new Map<string, { token: string; madeAtMs: number }>()

  /** A token for one audience that lapses in 60 s. */
  async function sign(audience: string, principal?: Principal): Promise<string> {
    const now = await clock()
    return signAt(now, audience, principal)
  }

  function signAt(at: Date, audience: string, principal?: Principal): Promise<string> {
    const now = Math.floor(at.getTime() / 1_000)
    return new SignJWT(principal ? { principal } : {})
      .setProtectedHeader({ alg: 'EdDSA', kid: keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + CALLER_TOKEN_TTL_SECONDS)
      .sign(key)
  }

  /**
   * The same token for the same audience and principal until it nears its end: the callee verifies it once, not at each call.
   * What is said of an account may change; a principal that says something else gets a token of its own.
   */
  async function signKept(audience: string, principal?: Principal): Promise<string> {
    const now = await clock()
    const name = JSON.stringify([audience, principal])
    const found = kept.get(name)
    const ageMs = found && now.getTime() - found.madeAtMs
    // One from the future was made by a wrong clock, before the store was heard.
    if (found && ageMs !== undefined && ageMs >= 0 && ageMs < RENEW_AFTER_MS) return found.token
    const token = await signAt(now, audience, principal)
    kept.delete(name)
    // Oldest first: a Map keeps insertion order.
    if (kept.size >= KEPT_TOKENS_MAX) kept.delete(kept.keys().next().value ?? '')
    kept.set(name, { token, madeAtMs: now.getTime() })
    return token
  }

  /** A token without a principal, made again when it nears its end. */
  const signAnonymous = (audience: string): Promise<string> => signKept(audience)

  return { sign, signKept, signAnonymous }
}

export type TokenSigner = ReturnType<typeof createTokenSigner>

/**
 * Verifies tokens that were made for `audience`. Verified tokens are kept until they lapse: a signature costs more than
 * the rest of a small request.
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
  const verified = new Map<string, { caller: VerifiedCaller; expiresAt: number }>()

  /** @throws DomainError `invalid_key` for anything but a live token of a known caller for this audience */
  return async function verify(authorization: string | undefined): Promise<VerifiedCaller> {
    const token = /^Bearer ([A-Za-z0-9._-]{20,8192})$/.exec(authorization ?? '')?.[1]
    if (!token) throw refused()
    const read = clock()
    const now = read instanceof Date ? read : await read
    const kept = verified.get(token)
    if (kept) {
      if (kept.expiresAt > now.getTime()) return kept.caller
      verified.delete(token)
    }
    try {
      const holder = keys.get(decodeProtectedHeader(token).kid ?? '')
      if (!holder) throw refused()
      const { payload } = await jwtVerify(token, holder.key, {
        audience,
        issuer: holder.issuer,
        algorithms: ['EdDSA'],
        requiredClaims: ['exp'],
        clockTolerance: 5,
        currentDate: now,
      })
      const principal = payload['principal'] === undefined ? undefined : principalSchema.parse(payload['principal'])
      const caller = { issuer: holder.issuer, principal }
      // Oldest first: a Map keeps insertion order, and tokens all live equally long.
      if (verified.size >= VERIFIED_TOKENS_MAX) verified.delete(verified.keys().next().value ?? '')
      verified.set(token, { caller, expiresAt: (payload.exp ?? 0) * 1_000 })
      return caller
    } catch (error) {
      if (error instanceof DomainError) throw error
      throw refused()
    }
  }
}

export type TokenVerifier = ReturnType<typeof createTokenVerifier>

const refused = () =>
  new DomainError('invalid_key', 'This address takes calls only from the services of this installation.')

/** Key id: the start of the SHA-256 of the public key, so that two keys of one caller can be told apart. */
function keyIdOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url')
    .slice(0, 16)
}
