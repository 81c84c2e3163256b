// The secret settings of each service. Pure. [D45, D46]
// Owns: giving each secret to its reader alone. Does not own: creating them (secrets.ts), their meaning (each config.ts).
import { CALLERS, type ServiceName } from '@paraph/protocol/services'
import type { Secrets } from './secrets.js'

/** The secret settings of one service, without addresses. */
export function serviceSecrets(service: ServiceName, secrets: Secrets): Record<string, string> {
  return {
    CALLER_PRIVATE_KEY: secrets.callerKeys[service].private,
    CALLER_PUBLIC_KEYS: JSON.stringify(
      Object.fromEntries(CALLERS.map((caller) => [caller, [secrets.callerKeys[caller].public]])),
    ),
    ...ownSecrets(service, secrets),
  }
}

// What one service alone may know: no other process gets these keys.
const ownSecrets = (service: ServiceName, secrets: Secrets): Record<string, string> =>
  ({
    gateway: {
      CODE_PEPPERS: secrets.consoleCodePeppers,
      CODE_KEYS: secrets.consoleCodeKeys,
      PAGE_SECRET: secrets.consolePageSecret,
    },
    contract: { SHARE_TOKEN_KEYS: secrets.shareTokenKeys },
    signing: {
      CODE_PEPPERS: secrets.codePeppers,
      CODE_KEYS: secrets.signingCodeKeys,
      PAGE_SECRET: secrets.pageSecret,
      ...keysOf(secrets.evidenceKeys.production, ''),
      ...keysOf(secrets.evidenceKeys.sandbox, 'SANDBOX_'),
    },
    notification: { CODE_KEYS: secrets.notificationCodeKeys },
  })[service]

const keysOf = (
  { evidenceKey, sealKey, sealCertificate }: Secrets['evidenceKeys']['production'],
  prefix: '' | 'SANDBOX_',
): Record<string, string> => ({
  [`${prefix}EVIDENCE_KEY`]: evidenceKey,
  [`${prefix}SEAL_KEY`]: sealKey,
  [`${prefix}SEAL_CERTIFICATE`]: sealCertificate,
})
