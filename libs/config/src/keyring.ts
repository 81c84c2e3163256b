// Named symmetric keys: the first is current, older ones still decrypt. AES-256-GCM for data that is read again, HMAC-SHA-256 for data
// that is only compared. [D16, D42, D46]
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

export interface Keyring {
  currentId: string
  /** Key objects, because Node would make one of the bytes at each use, which costs more than the encryption of a code. */
  keys: ReadonlyMap<string, KeyObject>
}

/** Ciphertext and the id of its key, stored together. */
export interface Sealed {
  keyId: string
  /** 12 bytes nonce, ciphertext, 16 bytes tag. */
  bytes: Buffer
}

/**
 * Parses `id:base64,id:base64`: the first key is current, each has 32 bytes.
 * @throws Error with the end of a sentence that contains no key
 */
export function parseKeyring(text: string): Keyring {
  const entries = text.split(',').map((entry) => {
    const [id, encoded] = [entry.slice(0, entry.indexOf(':')), entry.slice(entry.indexOf(':') + 1)]
    const key = Buffer.from(encoded, 'base64')
    if (!/^[a-z0-9-]{1,20}$/.test(id) || key.length !== 32)
      throw new Error('must be a list of id:key, where a key is base64 of 32 bytes')
    return [id, createSecretKey(key)] as const
  })
  const [first] = entries
  if (!first) throw new Error('must hold at least one key')
  return { currentId: first[0], keys: new Map(entries) }
}

/** Encrypts under the current key. @param context binds the ciphertext to its row: `unseal` needs the same string */
export function seal(keyring: Keyring, plaintext: string, context: string): Sealed {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(keyring, keyring.currentId), nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return { keyId: keyring.currentId, bytes: Buffer.concat([nonce, body, cipher.getAuthTag()]) }
}

/** Decrypts the result of `seal`. @throws Error if the key is not in the keyring, or if bytes or context differ */
export function unseal(keyring: Keyring, sealed: Sealed, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keyring, sealed.keyId), sealed.bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.bytes.subarray(-16))
  return Buffer.concat([decipher.update(sealed.bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
}

/** HMAC-SHA-256 of `message` under the key `keyId` (the current one by default). */
export function authenticate(keyring: Keyring, message: string, keyId = keyring.currentId): Buffer {
  return createHmac('sha256', keyOf(keyring, keyId)).update(message).digest()
}

/** The HMACs of `message` under every key, the current key first. They find values that were stored before a rotation. */
export function authenticateUnderEach(keyring: Keyring, message: string): [Buffer, ...Buffer[]] {
  const older = [...keyring.keys.keys()].filter((id) => id !== keyring.currentId)
  return [authenticate(keyring, message), ...older.map((id) => authenticate(keyring, message, id))]
}

function keyOf(keyring: Keyring, id: string): KeyObject {
  const key = keyring.keys.get(id)
  if (!key) throw new Error(`key ${id} is not in the keyring`)
  return key
}
