// Caller tokens: who calls, whom, for which account; Ed25519, 60 s. [D45]
// Owns: signing, verifying and the cache of verified tokens. Does not own: which caller may call what (EDGES in protocol).
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { createHash } from 'node:crypto'
import { CALLER_TOKEN_TTL_SECONDS, principalSchema, type Caller, type Principal } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'

/** Who called, proven by a token. */
export interface VerifiedCaller {
  issuer: Caller
  principal: Principal | undefined
}

/** A token is used until this many seconds before it lapses, so that it does not lapse on the way. */
const RENEW_BEFORE_SECONDS = 20
const VERIFIED_TOKENS_MAX = 5_000

/**
 * Signs tokens as `issuer`. Without a principal the token says only who calls; that one is kept and used again.
 * @param privateKey base64 of PKCS#8 DER
 */
export function createTokenSigner(issuer: Caller, privateKey: string) {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  const keyId = keyIdOf(createPublicKey(key))
  const anonymous = new Map<string, { token: string; renewAt: number }>()

  /** A token for one audience that lapses in 60 s. */
  async function sign(audience: string, principal?: Principal): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    return new SignJWT(principal ? { principal } : {})
      .setProtectedHeader({ alg: 'EdDSA', kid: keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + CALLER_TOKEN_TTL_SECONDS)
      .sign(key)
  }

  /** A token without a principal, made again when it nears its end. */
  async function signAnonymous(audience: string): Promise<string> {
    const kept = anonymous.get(audience)
    if (kept && kept.renewAt > Date.now()) return kept.token
    const token = await sign(audience)
    anonymous.set(audience, { token, renewAt: Date.now() + (CALLER_TOKEN_TTL_SECONDS - RENEW_BEFORE_SECONDS) * 1_000 })
    return token
  }

  return { sign, signAnonymous, renewAfterMs: (CALLER_TOKEN_TTL_SECONDS - RENEW_BEFORE_SECONDS) * 1_000 }
}

export type TokenSigner = ReturnType<typeof createTokenSigner>

/**
 * Verifies tokens that were made for `audience`. Verified tokens are kept until they lapse: a signature costs more than
 * the rest of a small request.
 * @param publicKeys caller → base64 of SPKI DER keys, two at a time while one is rotated
 */
export function createTokenVerifier(audience: string, publicKeys: Partial<Record<Caller, string[]>>) {
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
    const kept = verified.get(token)
    if (kept) {
      if (kept.expiresAt > Date.now()) return kept.caller
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
