// Checks the settings of a service with the service's own rules, and its secrets for placeholders.
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { parseKeyring } from '@paraph/config/keyring'
import { checkContractConfig } from '@paraph/contract/config'
import { checkGatewayConfig } from '@paraph/gateway/config'
import { checkNotificationConfig } from '@paraph/notification/config'
import { EDGES, type ServiceName } from '@paraph/protocol/services'
import { checkSigningConfig } from '@paraph/signing/config'
import { checkEvidenceKeys } from '@paraph/signing/sealing/keys'
import type { SettingsFacts } from '../facts.js'
import type { Installation, ServiceSettings, Settings } from '../source/installation.js'

const CHECKS = {
  gateway: checkGatewayConfig,
  contract: checkContractConfig,
  signing: checkSigningConfig,
  notification: checkNotificationConfig,
}

/** A random secret of 32 bytes has at least twice as many different ones; a repeated word has not. */
const DISTINCT_BYTES_MIN = 12
const PASSWORD_LENGTH_MIN = 12
const WELL_KNOWN = /^(password|postgres|paraph|secret|change-?me|example|admin|test)\d*$/i
/** The rules of settings report a file that cannot be read in these words. */
const FILE_ERROR = /names no file|nor a file that can be read|names a file/

export async function collectSettings(
  { service, given, settings }: ServiceSettings & { service: ServiceName },
  { services, isElsewhere }: Installation,
): Promise<SettingsFacts> {
  // The files of another machine are not here: the rules do not read them.
  const files = isElsewhere ? Object.keys(given).filter((name) => name.endsWith('_FILE')) : []
  const environment = Object.fromEntries(Object.entries(given).filter(([name]) => !files.includes(name)))
  const lines = await errorsOf(service, environment)
  const unread = isElsewhere
    ? lines.filter((line) => files.includes(`${nameIn(line)}_FILE`) || FILE_ERROR.test(line))
    : []
  return {
    service,
    errors: lines.filter((line) => !unread.includes(line)),
    unread: unread.map(nameIn),
    samples: Object.keys(settings).filter((name) => isSample(name, settings[name] ?? '')),
    weakPasswords: Object.keys(settings).filter((name) => hasWeakPassword(settings[name] ?? '')),
    strangers: strangersOf(service, settings, services),
  }
}

const nameIn = (line: string): string => line.slice(0, line.indexOf(':'))

async function errorsOf(service: ServiceName, environment: Settings): Promise<string[]> {
  const checked = CHECKS[service](environment)
  if ('errors' in checked) return checked.errors.map((line) => line.trim())
  if (service !== 'signing') return []
  const signing = checkSigningConfig(environment)
  const keys = 'config' in signing ? await checkEvidenceKeys(signing.config) : { faults: [] }
  return 'faults' in keys ? keys.faults.map((line) => line.trim()) : []
}

function isSample(name: string, value: string): boolean {
  if (name === 'PAGE_SECRET') return value.split(',').some((secret) => new Set(secret).size < DISTINCT_BYTES_MIN)
  if (!/^(CODE_PEPPERS|CODE_KEYS|SHARE_TOKEN_KEYS)$/.test(name)) return false
  try {
    return [...parseKeyring(value).keys.values()].some((key) => new Set(key.export()).size < DISTINCT_BYTES_MIN)
  } catch {
    // The rules of settings report it.
    return false
  }
}

function hasWeakPassword(value: string): boolean {
  const url = /^(postgres(ql)?|smtps?):/.test(value) ? URL.parse(value) : null
  if (!url?.username) return false
  return url.password.length < PASSWORD_LENGTH_MIN || WELL_KNOWN.test(url.password) || url.password === url.username
}

/** The callers of `service` whose private key is known here and fits none of the public keys that `service` accepts. */
function strangersOf(service: ServiceName, settings: Settings, services: Installation['services']): string[] {
  const accepted = acceptedBy(settings['CALLER_PUBLIC_KEYS'])
  if (accepted === undefined) return []
  return EDGES[service].filter((caller) => {
    const spki = caller === 'operator' ? undefined : publicHalf(services[caller]?.settings['CALLER_PRIVATE_KEY'])
    return spki !== undefined && !(accepted[caller] ?? []).includes(spki)
  })
}

function acceptedBy(text: string | undefined): Partial<Record<string, readonly string[]>> | undefined {
  try {
    return JSON.parse(text ?? '') as Partial<Record<string, readonly string[]>>
  } catch {
    return undefined
  }
}

/** Base64 SPKI DER of a base64 PKCS#8 DER key; undefined unless it is one. */
function publicHalf(key: string | undefined): string | undefined {
  try {
    const privateKey = createPrivateKey({ key: Buffer.from(key ?? '', 'base64'), format: 'der', type: 'pkcs8' })
    return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64')
  } catch {
    return undefined
  }
}
