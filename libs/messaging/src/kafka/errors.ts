// Says in a sentence what the brokers hold against us and what to do about it. Pure; quotes no value of a setting.
// kafkajs wraps its errors in one another, and its names say little: what decides is found anywhere in the chain.

interface Fault {
  name?: unknown
  type?: unknown
  code?: unknown
  cause?: unknown
  originalError?: unknown
  errors?: unknown
  message?: unknown
}

/** The first rule that fits any link of the chain. */
const RULES: readonly [fits: (fault: Fault) => boolean, sentence: (fault: Fault) => string][] = [
  [
    ({ name }) => name === 'KafkaJSSASLAuthenticationError',
    () => 'The brokers refused the user. See KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD.',
  ],
  [
    ({ type, message }) =>
      type === 'UNSUPPORTED_SASL_MECHANISM' || /mechanism.*not (supported|enabled)/i.test(String(message)),
    () => 'The brokers do not offer this SASL mechanism. See KAFKA_SASL_MECHANISM.',
  ],
  [
    ({ type }) => typeof type === 'string' && type.endsWith('_AUTHORIZATION_FAILED'),
    ({ type }) => `The brokers do not allow this user to do that (${String(type)}). docs/kafka.md lists the rights.`,
  ],
  [
    ({ type, message }) => type === 'UNKNOWN_TOPIC_OR_PARTITION' || /without metadata/.test(String(message)),
    () => 'A topic is missing. Run paraph topics apply.',
  ],
  [
    ({ code, message }) => /^(?:ENOTFOUND|EAI_AGAIN)$/.test(String(code)) || /\bgetaddrinfo\b/.test(String(message)),
    () =>
      'The name of a broker does not resolve. See KAFKA_BROKERS, what the brokers advertise, and whether the name server answers.',
  ],
  [
    // An alert is what the other side says: it is about ours.
    ({ message }) => /alert (?:bad certificate|certificate|unknown ca)/i.test(String(message)),
    () =>
      'The brokers ask who we are, and do not know our certificate or were shown none. See KAFKA_TLS_CERT and KAFKA_TLS_KEY.',
  ],
  [
    ({ code, message }) =>
      /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)|certificate/i.test(`${String(code)} ${String(message)}`),
    () => "The brokers' certificate is not trusted, or is for another name. See KAFKA_TLS_CA.",
  ],
  [
    ({ type }) => type === 'NOT_ENOUGH_REPLICAS' || type === 'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
    () =>
      'Too few copies of a topic are in sync to take events. See whether all brokers run (KAFKA_TOPIC_IN_SYNC_REPLICAS).',
  ],
  [
    ({ type, name }) => typeof type === 'string' && typeof name === 'string' && name.startsWith('KafkaJS'),
    ({ type }) => `The brokers refused this: ${String(type)}.`,
  ],
]

/** A broker that meets a client it does not understand just closes the connection. */
const AWAY =
  'No broker of KAFKA_BROKERS answers. See whether they run, and whether they want TLS (KAFKA_TLS) and a user (KAFKA_SASL_MECHANISM) on this port.'

/** @param error what kafkajs threw */
export function describeKafkaFault(error: unknown): string {
  const chain = chainOf(error)
  for (const [fits, sentence] of RULES) {
    const fault = chain.find(fits)
    if (fault) return sentence(fault)
  }
  return AWAY
}

/** The same as an error for the log, with what kafkajs threw as its cause. */
export function explainKafkaFault(error: unknown): Error {
  return new Error(describeKafkaFault(error), { cause: error })
}

const LOST_COUNT = [
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'DUPLICATE_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
]

/** kafkajs says so at once and for good when a broker was too slow over the first question on a connection. */
const CLIENT_BROKEN = 'Broker not connected'

/** True when a producer's numbering of its messages is not the broker's any more, or its client does not connect: only a new one can go on. */
export function mustReplaceProducer(error: unknown): boolean {
  return chainOf(error).some(({ type, message }) => LOST_COUNT.includes(String(type)) || message === CLIENT_BROKEN)
}

/** True when the brokers answered, if only to refuse: the client and its connections work. */
export function isRefusal(error: unknown): boolean {
  return chainOf(error).some(({ name, type }) => name === 'KafkaJSProtocolError' && typeof type === 'string')
}

function chainOf(error: unknown, depth = 0): Fault[] {
  if (typeof error !== 'object' || error === null || depth > 8) return []
  const fault: Fault = error
  const inner = [fault.cause, fault.originalError, ...(Array.isArray(fault.errors) ? (fault.errors as unknown[]) : [])]
  return [fault, ...inner.flatMap((each) => chainOf(each, depth + 1))]
}
