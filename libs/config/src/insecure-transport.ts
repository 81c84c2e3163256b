// Which settings would send data unencrypted to another machine: a service refuses to start with them. PURE. [P39, docs/reference/ports-and-transport.md]
// SMTP_URL has a rule of its own (services/notification/src/smtp/smtp-url.ts): without TLS it needs `?tls=off`.

/** The one setting that allows all of them. */
const ALLOW = 'ALLOW_INSECURE_TRANSPORT'
const UNLESS = `or set ${ALLOW}=yes where nobody else can listen`

const HTTP_URL = /^((SHARE_)?BASE_URL|(PARAPH_VERIFY_)?OBJECT_STORE_URL|STRIPE_API_URL)$/
const DATABASE_URL = /^((PARAPH_VERIFY_\w+_|BUS_|WINDOW_)?DATABASE(_DIRECT|_OWNER)?|BUS_OWNER)_URL$/

type Environment = Readonly<Record<string, string | undefined>>

/** One line per setting, in the form of `refuseToStart`. Never repeats a value, which may contain a password. */
export function insecureSettings(environment: Environment): string[] {
  if (environment[ALLOW] === 'yes') return []
  const isKafka = environment['EVENT_BUS'] === 'kafka'
  return Object.keys(environment).flatMap((name) => {
    // The other bus ignores these settings.
    if (name === 'BUS_DATABASE_URL' && isKafka) return []
    if (HTTP_URL.test(name) && isPlainHttp(environment[name]))
      return [`  ${name}: must be https:// outside this machine, ${UNLESS}`]
    if (DATABASE_URL.test(name) && isPlainDatabase(environment[name]))
      return [`  ${name}: must have sslmode=verify-full outside this machine, ${UNLESS}`]
    if (name === 'KAFKA_SASL_MECHANISM' && isKafka && isPlainKafka(environment))
      return [`  KAFKA_TLS: must be on with ${name} outside this machine, ${UNLESS}`]
    return []
  })
}

function isPlainHttp(text: string | undefined): boolean {
  const url = URL.parse(text ?? '')
  return url?.protocol === 'http:' && !isLocal(url.hostname)
}

function isPlainDatabase(text: string | undefined): boolean {
  const url = URL.parse(text ?? '')
  if (!url) return false
  // As pg does: the last of several parameters wins, and a parameter `host` wins over the host of the URL.
  const last = (name: string): string | undefined => url.searchParams.getAll(name).at(-1)
  return last('sslmode') !== 'verify-full' && !isLocal(last('host') || url.hostname)
}

function isPlainKafka({ KAFKA_SASL_MECHANISM: mechanism, KAFKA_TLS: tls, KAFKA_BROKERS: brokers = '' }: Environment) {
  const hosts = brokers.split(',').map((broker) => broker.trim().replace(/:\d+$/, ''))
  return Boolean(mechanism) && tls !== 'on' && !hosts.every(isLocal)
}

/** This machine, a socket, or a name that no public DNS resolves (RFC 6761), as tests use. */
const isLocal = (host: string): boolean =>
  /^(\/.*|%2f.*|localhost|127(\.\d{1,3}){3}|\[::1\]|::1|([a-z0-9-]+\.)+(localhost|test))$/i.test(host)
