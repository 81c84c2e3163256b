// Secrets of one data folder: created once, stored with mode 0600, never shown. [D45, D46, D16, D42]
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ENVIRONMENTS } from '@paraph/protocol/environment'
import { CALLERS, SERVICES } from '@paraph/protocol/services'
import { readPrivateFile, writePrivateFile } from '@paraph/config/private-file'
import { makeSealCertificate } from './seal-certificate.js'

export const DATABASES = [...SERVICES, 'bus'] as const
export type DatabaseName = (typeof DATABASES)[number]

const evidenceKeysSchema = z.object({ evidenceKey: z.string(), sealKey: z.string(), sealCertificate: z.string() })
export const secretsSchema = z.object({
  superuserPassword: z.string(),
  rolePasswords: z.record(z.enum(DATABASES), z.object({ owner: z.string(), runtime: z.string() })),
  /** Base64 of PKCS#8 DER and of SPKI DER, Ed25519. */
  callerKeys: z.record(z.enum(CALLERS), z.object({ private: z.string(), public: z.string() })),
  shareTokenKeys: z.string(),
  codePeppers: z.string(),
  signingCodeKeys: z.string(),
  notificationCodeKeys: z.string(),
  pageSecret: z.string(),
  consoleCodePeppers: z.string(),
  consoleCodeKeys: z.string(),
  consolePageSecret: z.string(),
  /** PEM: the Ed25519 key that signs evidence; the key and certificate that seal PDFs. */
  evidenceKeys: z.record(z.enum(ENVIRONMENTS), evidenceKeysSchema),
})

export type Secrets = z.infer<typeof secretsSchema>

/**
 * Reads the secrets of a data folder, or creates them on its first start.
 * @throws UserError when the file is broken: new secrets cannot decrypt the data
 */
export async function openSecrets(path: string): Promise<Secrets> {
  const kept = await readPrivateFile(
    path,
    secretsSchema,
    'Restore it from a copy: no other secrets can decrypt this data. Without a copy, set PARAPH_DATA_DIR to another folder and start again.',
  )
  if (kept) return kept
  const secrets = await makeSecrets()
  await writePrivateFile(path, `${JSON.stringify(secrets, undefined, 2)}\n`)
  return secrets
}

/** Creates a complete set of secrets. @param sealName the name of the sealer in PDF readers; for the sandbox it gets a suffix */
export async function makeSecrets(sealName = 'Paraph on this machine'): Promise<Secrets> {
  return {
    superuserPassword: makePassword(),
    rolePasswords: eachOf(DATABASES, () => ({ owner: makePassword(), runtime: makePassword() })),
    callerKeys: eachOf(CALLERS, keyPair),
    shareTokenKeys: keyringText(),
    codePeppers: keyringText(),
    signingCodeKeys: keyringText(),
    notificationCodeKeys: keyringText(),
    pageSecret: randomBytes(32).toString('base64'),
    consoleCodePeppers: keyringText(),
    consoleCodeKeys: keyringText(),
    consolePageSecret: randomBytes(32).toString('base64'),
    evidenceKeys: { production: await evidenceKeys(sealName), sandbox: await evidenceKeys(`${sealName}, sandbox`) },
  }
}

async function evidenceKeys(name: string): Promise<z.infer<typeof evidenceKeysSchema>> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { key, certificate } = await makeSealCertificate(name, new Date())
  const evidenceKey = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  return { evidenceKey, sealKey: key, sealCertificate: certificate }
}

const eachOf = <Name extends string, Secret>(names: readonly Name[], make: () => Secret) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Secret>

/** A keyring with one new key, in the format of the services: `k1:<base64 of 32 bytes>`. */
const keyringText = (): string => `k1:${randomBytes(32).toString('base64')}`

/** Letters and digits only, for use in URLs. */
export const makePassword = (): string => randomBytes(24).toString('hex')

function keyPair(): { private: string; public: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    private: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    public: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}
