// WebAuthn as this installation uses it: what it asks an authenticator for, and which answers it accepts. [D73]
// Owns the protocol. Does not own: rows, challenges, sessions (passkeys.ts).
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  type WebAuthnCredential,
} from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { z } from 'zod'

/** ES256, EdDSA and RS256: at least one of them is in every authenticator. */
const ALGORITHMS = [-7, -8, -257]
/** For how long the browser waits for the person. */
const TIMEOUT_MS = 300_000
/** More are no credential: an RSA key of 2,048 bits needs 2,000 characters. */
const ANSWER_LENGTH_MAX = 16_384
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const base64url = z
  .string()
  .max(ANSWER_LENGTH_MAX)
  .regex(/^[\w-]+$/)
/** The rule of the specification: 1,023 bytes at most. */
const credentialId = z
  .string()
  .max(1_364)
  .regex(/^[\w-]+$/)
const common = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }
const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(40)).max(20).optional(),
  }),
})
const authentication = z.object({
  ...common,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})

export type Credential = WebAuthnCredential

/** @param baseUrl the public address: its host is the id of the relying party, and only its origin may ask for an answer */
export function createRelyingParty(baseUrl: string) {
  const { hostname: rpID, origin } = new URL(baseUrl)
  const common = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true }

  return {
    /** What the browser passes to `navigator.credentials.create`. @param known the passkeys of the mailbox: a device with one of them makes no other */
    creationOptions: (user: { mailbox: string; handle: Buffer; challenge: string }, known: readonly Credential[]) =>
      generateRegistrationOptions({
        rpName: 'Paraph',
        rpID,
        userName: user.mailbox,
        userDisplayName: user.mailbox,
        userID: Uint8Array.from(user.handle),
        challenge: bytesOf(user.challenge),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: known.map(asDescriptor),
        // `preferred`: a phone keeps a key that it does not discover on the device alone, and it is lost with the device.
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      }),

    /** What the browser passes to `navigator.credentials.get`. */
    requestOptions: (challenge: string, known: readonly Credential[]) =>
      generateAuthenticationOptions({
        rpID,
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        allowCredentials: known.map(asDescriptor),
      }),

    /** The new passkey of an answer to `creationOptions`; undefined for every other text. */
    async verifyNew(text: string, challenge: string): Promise<Credential | undefined> {
      const answer = registration.safeParse(jsonOf(text)).data
      if (!answer || carriesCertificates(answer.response.attestationObject)) return undefined
      const verified = await verifyRegistrationResponse({
        ...common,
        response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
        expectedChallenge: challenge,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => undefined)
      const credential = verified?.registrationInfo?.credential
      if (credential?.id !== answer.id) return undefined
      const transports = TRANSPORTS.filter((each) => answer.response.transports?.includes(each))
      return { ...credential, transports }
    },

    /** The passkey that an answer to `requestOptions` names, unchecked; undefined for a text that is no answer. */
    namedIn: (text: string): string | undefined => authentication.safeParse(jsonOf(text)).data?.id,

    /** The new counter if the passkey signed the challenge; else undefined. A counter that does not grow is a copied key. */
    async verifyKnown(text: string, challenge: string, known: Credential): Promise<number | undefined> {
      const answer = authentication.safeParse(jsonOf(text)).data
      if (!answer) return undefined
      const verified = await verifyAuthenticationResponse({
        ...common,
        response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        credential: known,
      }).catch(() => undefined)
      return verified?.verified ? verified.authenticationInfo.newCounter : undefined
    },
  }
}

export type RelyingParty = ReturnType<typeof createRelyingParty>

const bytesOf = (base64url: string) => Uint8Array.from(Buffer.from(base64url, 'base64url'))

const asDescriptor = ({ id, transports = [] }: Credential) => ({ id, transports })

function jsonOf(text: string): unknown {
  if (text.length > ANSWER_LENGTH_MAX) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * True for an attestation with certificates, or for no attestation. We ask for none, so a browser sends none or a self-signed one; a
 * certificate is a stranger's text, whose check would follow addresses that stand in it.
 */
function carriesCertificates(attestationObject: string): boolean {
  try {
    const attestation = decodeAttestationObject(bytesOf(attestationObject))
    return attestation.get('attStmt').get('x5c') !== undefined || !['none', 'packed'].includes(attestation.get('fmt'))
  } catch {
    return true
  }
}
