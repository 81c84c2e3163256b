// The certificates among the settings: those of the seals, and the client certificates for Kafka.
import { X509Certificate } from 'node:crypto'
import { brokerSettings } from '@paraph/messaging/bus-settings'
import type { ServiceName } from '@paraph/protocol/services'
import { checkSigningConfig } from '@paraph/signing/config'
import { checkEvidenceKeys } from '@paraph/signing/sealing/keys'
import type { CertificateFacts } from '../facts.js'
import type { ServiceSettings, Settings } from '../source/installation.js'

/** Nothing of settings that are wrong, which collect/settings.ts reports. */
export async function collectCertificates(
  known: readonly (ServiceSettings & { service: ServiceName })[],
): Promise<CertificateFacts[]> {
  const clients = known.flatMap(({ service, settings }) => {
    const parsed = brokerSettings.safeParse(settings)
    const pem = parsed.success && parsed.data.EVENT_BUS === 'kafka' ? parsed.data.KAFKA_TLS_CERT : undefined
    return pem === undefined ? [] : [describe(`kafka certificate of ${service}`, new X509Certificate(pem), false)]
  })
  const signing = known.find(({ service }) => service === 'signing')?.given
  return [...(signing === undefined ? [] : await readSeals(signing)), ...clients]
}

async function readSeals(given: Settings): Promise<CertificateFacts[]> {
  const checked = checkSigningConfig(given)
  const opened = 'config' in checked ? await checkEvidenceKeys(checked.config) : { faults: [] }
  if ('faults' in opened) return []
  return (['production', 'sandbox'] as const).flatMap((environment) => {
    const [bytes] = opened.keys[environment].seal.certificates
    const what = environment === 'production' ? 'seal certificate' : 'seal certificate of the sandbox'
    return bytes === undefined ? [] : [describe(what, new X509Certificate(bytes), environment === 'production')]
  })
}

const describe = (what: string, certificate: X509Certificate, isSeal: boolean): CertificateFacts => ({
  what,
  beganAt: new Date(certificate.validFrom),
  endsAt: new Date(certificate.validTo),
  isSelfSigned: certificate.checkIssued(certificate),
  isSeal,
})
