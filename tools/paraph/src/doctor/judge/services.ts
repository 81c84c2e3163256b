// Judges whether the services answer. Pure.
import type { ServiceFacts } from '../facts.js'
import { broken, look, ok, type Finding } from '../finding.js'

export function judgeServices(services: readonly ServiceFacts[]): Finding[] {
  const findings = services.flatMap(({ service, result }) => {
    if (!('failure' in result)) return []
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(result.failure))
      return broken(`service ${service}`, `has a certificate that is not trusted here (${result.failure})`, {
        remedy: 'Renew the certificate of the public address, or trust its authority with NODE_EXTRA_CA_CERTS.',
        page: 'transport',
      })
    const found = `does not answer (${result.failure})`
    const remedy = `Check that ${service} runs and is ready, and read its log; a network policy allows only some callers.`
    // Nothing answered in time: a firewall or a network policy of the cluster looks the same.
    const isUnclear = /^(timeout|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(result.failure)
    return (isUnclear ? look : broken)(`service ${service}`, found, { remedy, page: 'silent' })
  })
  if (services.length === 0 || findings.length > 0) return findings
  return [ok('services', `${services.map(({ service }) => service).join(', ')} answer`)]
}
