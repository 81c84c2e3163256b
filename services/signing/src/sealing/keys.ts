// The evidence keys: for each environment, an Ed25519 key that signs chains, and a key with its certificate that seals PDFs. Also the
// public keys and certificates, current and retired. [D30, RFC 7517, RFC 7638]
// Owns reading the keys from settings and choosing what to publish. Does not own the form of the lists (key-list.ts), signing (jws.ts) or
// sealing (pdf/seal-pdf.ts).
import { elementAt } from '@paraph/protocol/element-at'
import { P12Signer } from '@libpdf/core'
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Environment } from '@paraph/protocol/environment'
import { refuseToStart } from '@paraph/config/config'
import type { SigningConfig } from '../config.js'
import { certificatesIn, keysIn, ListError, retiredIn, type KeyNote, thumbprintOf, writeListed } from './key-list.js'

/** Signs the chains of one environment. */
export interface EvidenceKey {
  privateKey: KeyObject
  publicPem: string
  /** RFC 7638 thumbprint. */
  keyId: string
}

/** Seals the PDFs of one environment. Structured-cloneable: it is posted to the worker thread. */
export type SealKey =
  | { kind: 'pem'; privatePem: string; certificates: readonly Uint8Array[] }
  | { kind: 'p12'; bytes: Uint8Array; password: string; certificates: readonly Uint8Array[] }

/** The keys of one environment. */
export interface EvidenceKeys {
  evidence: EvidenceKey
  seal: SealKey
}

/** The public keys below `/.well-known/`. */
export interface PublishedKeys {
  jwks: { keys: object[] }
  /** RFC 7638 thumbprint → public key in PEM. */
  pemOf: ReadonlyMap<string, string>
  /** Public keys in PEM, each after a comment line that names it. */
  evidencePem: string
  /** Certificates in PEM, each after a comment line that names it. */
  sealPem: string
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** The settings that hold keys. */
export type KeySettings = Pick<
  SigningConfig,
  Extract<keyof SigningConfig, `${'' | 'SANDBOX_'}${'EVIDENCE' | 'SEAL'}_${string}`>
>

/** The keys that the service signs with, and the published keys. */
export interface OpenedKeys {
  keys: Readonly<Record<Environment, EvidenceKeys>>
  published: PublishedKeys
}

/** Reads all keys; if one is unusable, prints every error, without a setting's value, and ends the process. */
export async function openEvidenceKeys(config: KeySettings): Promise<OpenedKeys> {
  const opened = await checkEvidenceKeys(config)
  return 'faults' in opened ? refuseToStart(opened.faults) : opened
}

/** All keys, or one line per error, which names the setting and never its value. */
export async function checkEvidenceKeys(config: KeySettings): Promise<OpenedKeys | { faults: string[] }> {
  const faults: string[] = []
  const tryRead = async <T>(name: string, read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read()
    } catch (error) {
      faults.push(
        `  ${name}: ${error instanceof KeyError || error instanceof ListError ? error.message : 'cannot be read'}`,
      )
      return undefined
    }
  }
  const readBoth = async (prefix: '' | 'SANDBOX_'): Promise<EvidenceKeys | undefined> => {
    const evidence = await tryRead(`${prefix}EVIDENCE_KEY`, () => readEvidenceKey(config[`${prefix}EVIDENCE_KEY`]))
    const seal = await tryRead(`${prefix}SEAL_KEY or ${prefix}SEAL_P12`, () => readSealKey(config, prefix))
    return evidence && seal && { evidence, seal }
  }
  const [production, sandbox] = [await readBoth(''), await readBoth('SANDBOX_')]
  if (production && sandbox && production.evidence.keyId === sandbox.evidence.keyId)
    faults.push('  SANDBOX_EVIDENCE_KEY: must not be the key of production')
  if (production && sandbox && publicKeyOf(production.seal).equals(publicKeyOf(sandbox.seal)))
    faults.push('  SANDBOX_SEAL_KEY or SANDBOX_SEAL_P12: must not be the key of production')
  const keys = production && sandbox && { production, sandbox }
  const retired = {
    keys: (await tryRead('EVIDENCE_RETIRED_KEYS', () => retiredIn(config.EVIDENCE_RETIRED_KEYS, keysIn))) ?? [],
    seals:
      (await tryRead('SEAL_RETIRED_CERTIFICATES', () => retiredIn(config.SEAL_RETIRED_CERTIFICATES, certificatesIn))) ??
      [],
  }
  if (!keys || faults.length > 0) return { faults }
  return { keys, published: publish(keys, retired) }
}

/** When each current seal certificate expires: PDF readers reject seals made after the expiry. */
export const sealExpiries = (keys: OpenedKeys['keys']): { environment: Environment; expiresAt: Date }[] =>
  (['production', 'sandbox'] as const).map((environment) => ({
    environment,
    expiresAt: new Date(certificateOf(keys[environment].seal).validTo),
  }))

/** The current seal certificates that expire within `days` or have expired. */
export const expiringSeals = ({ keys }: Pick<OpenedKeys, 'keys'>, now: Date, days: number) =>
  sealExpiries(keys).filter(({ expiresAt }) => expiresAt.getTime() - now.getTime() < days * 86_400_000)

const certificateOf = ({ certificates }: SealKey): X509Certificate => new X509Certificate(elementAt(certificates, 0))
const publicKeyOf = (seal: SealKey): KeyObject => certificateOf(seal).publicKey

/** An unusable key; the message contains no part of the key. */
class KeyError extends Error {}

/** @throws KeyError, or the crypto module's error for a text that is not a key */
export function readEvidenceKey(pem: string): EvidenceKey {
  const privateKey = createPrivateKey(pem)
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new KeyError('is not an Ed25519 key')
  const publicKey = createPublicKey(privateKey)
  return { privateKey, publicPem: pemOf(publicKey), keyId: thumbprintOf(publicKey) }
}

async function readSealKey(config: KeySettings, prefix: '' | 'SANDBOX_'): Promise<SealKey> {
  const p12 = config[`${prefix}SEAL_P12`]
  const pem = config[`${prefix}SEAL_KEY`]
  const certificate = config[`${prefix}SEAL_CERTIFICATE`]
  if (p12 !== undefined && pem === undefined && certificate === undefined) {
    const password = config[`${prefix}SEAL_P12_PASSWORD`]
    const bytes = Buffer.from(p12, 'base64')
    const signer = await P12Signer.create(bytes, password)
    const certificates = [signer.certificate, ...signer.certificateChain]
    assertUsable(new X509Certificate(signer.certificate).publicKey)
    return { kind: 'p12', bytes, password, certificates }
  }
  if (p12 !== undefined || pem === undefined || certificate === undefined)
    throw new KeyError('either a PKCS#12 file, or a key and its certificate, is needed')
  return readPemSealKey(pem, certificate)
}

/** @throws KeyError when key and certificate do not match, or PDF readers do not support the type of the key */
export function readPemSealKey(pem: string, certificatesPem: string): SealKey {
  const key = createPrivateKey(pem)
  const certificates = (certificatesPem.match(CERTIFICATES) ?? []).map((each) => new X509Certificate(each))
  if (!certificates[0]?.checkPrivateKey(key)) throw new KeyError('the first certificate is not that of the key')
  assertUsable(key)
  const privatePem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { kind: 'pem', privatePem, certificates: certificates.map(({ raw }) => raw) }
}

function assertUsable({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): void {
  const isRsa = type === 'rsa' && (details?.modulusLength ?? 0) >= 2_048
  if (!isRsa && !(type === 'ec' && details?.namedCurve === 'prime256v1'))
    throw new KeyError('is neither RSA of 2048 bits or more nor P-256')
}

/** A key or certificate that the service publishes. */
interface Published {
  name: string
  note: KeyNote
  pem: string
}

/** The current keys first, then the retired ones. */
function publish(
  { production, sandbox }: OpenedKeys['keys'],
  retired: Record<'keys' | 'seals', readonly Published[]>,
): PublishedKeys {
  const current = [
    { note: { environment: 'production' as const }, ...production },
    { note: { environment: 'sandbox' as const }, ...sandbox },
  ]
  const keys = [
    ...current.map(({ note, evidence }) => ({ name: evidence.keyId, note, pem: evidence.publicPem })),
    ...retired.keys,
  ]
    .filter(isFirst)
    .map(({ name, note, pem }) => ({ name, note, key: createPublicKey(pem) }))
  const certificates = [
    ...current.map(({ note, seal }) => {
      const certificate = certificateOf(seal)
      return { name: certificate.fingerprint256, note, pem: certificate.toString() }
    }),
    ...retired.seals,
  ].filter(isFirst)
  return {
    jwks: {
      keys: keys.map(({ name, note, key }) => {
        const { kty, crv, x } = key.export({ format: 'jwk' })
        return { kty, crv, x, kid: name, alg: 'EdDSA', use: 'sig', ...note }
      }),
    },
    pemOf: new Map(keys.map(({ name, key }) => [name, pemOf(key)])),
    evidencePem: keys.map(({ name, note, key }) => writeListed(name, note, pemOf(key))).join(''),
    sealPem: certificates
      .map(({ name, note, pem }) => writeListed(name, note, new X509Certificate(pem).toString()))
      .join(''),
  }
}

/** Keeps the first of each name: a current key that is also listed as retired is current. */
const isFirst = ({ name }: { name: string }, index: number, all: readonly { name: string }[]): boolean =>
  all.findIndex((each) => each.name === name) === index

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()
