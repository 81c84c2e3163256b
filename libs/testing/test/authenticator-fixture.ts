// An authenticator in software: answers WebAuthn as a browser with a device does, with real keys and signatures. For tests over HTTP.
// Its CBOR is written by hand, so that a defect of the library under test does not repeat here. [WebAuthn level 3, 6.1 and 6.5]
import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'

interface Key {
  id: Buffer
  rpId: string
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The members of the options that an authenticator reads. */
interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  allowCredentials?: { id: string }[]
  excludeCredentials?: { id: string }[]
}

interface Behaviour {
  /** The origin of the page; by default the one of `createAuthenticator`. */
  origin?: string
  /** The person was verified by fingerprint, face or PIN. */
  isVerified?: boolean
  /** The number of signatures; many devices always send 0. */
  counter?: number
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** @param origin of the pages that ask */
export function createAuthenticator(origin: string) {
  const keys: Key[] = []

  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))

  function authenticatorData(rpId: string, flags: number, counter: number, credential = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential])
  }

  const answer = (key: Key, response: Record<string, unknown>) =>
    JSON.stringify({
      id: key.id.toString('base64url'),
      rawId: key.id.toString('base64url'),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    })

  return {
    /** The answer to options for a new credential, as `PublicKeyCredential.toJSON` gives it. */
    create(options: Options, { origin: from = origin, isVerified = true, counter = 0 }: Behaviour = {}): string {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const key: Key = { id: randomBytes(32), rpId: options.rp?.id ?? '', ...pair }
      if (options.excludeCredentials?.some(({ id }) => keys.some((own) => own.id.toString('base64url') === id)))
        throw new Error('this authenticator has a credential for the mailbox')
      keys.push(key)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(key.id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, key.id, coseKey(key.publicKey)])
      const flags = USER_PRESENT | HAS_CREDENTIAL | (isVerified ? USER_VERIFIED : 0)
      const data = authenticatorData(key.rpId, flags, counter, credential)
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ])
      return answer(key, {
        clientDataJSON: clientData('webauthn.create', options.challenge, from).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },

    /** The answer to options for an assertion. @throws Error if the page asks for none of the authenticator's credentials */
    get(options: Options, { origin: from = origin, isVerified = true, counter = 0 }: Behaviour = {}): string {
      const key = keys.find(({ id }) => options.allowCredentials?.some((each) => each.id === id.toString('base64url')))
      if (!key) throw new Error('the page asks for no credential of this authenticator')
      const data = authenticatorData(options.rpId ?? '', USER_PRESENT | (isVerified ? USER_VERIFIED : 0), counter)
      const client = clientData('webauthn.get', options.challenge, from)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(key.privateKey)
      return answer(key, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },

    /** The options that a page of the console embeds; undefined if it asks for no passkey. */
    optionsOn(html: string): { kind: 'create' | 'get'; options: Options } | undefined {
      const [, kind, json] = /data-passkey="(create|get)" data-options="([^"]*)"/.exec(html) ?? []
      if (json === undefined) return undefined
      const options = JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Options
      return { kind: kind === 'create' ? 'create' : 'get', options }
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** A public key of ES256 in COSE. [RFC 9053, 7.1] */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}

const cborInteger = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
