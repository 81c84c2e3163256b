// Describes errors of the brokers in one sentence with a remedy. Pure; quotes no value of a setting.
// kafkajs nests its errors under uninformative names, so any error of the chain may decide.

type ErrorLink = Partial<Record<'name' | 'type' | 'code' | 'cause' | 'originalError' | 'errors' | 'message', unknown>>

/** The first rule that matches any error of the chain decides. */
const RULES: readonly [matches: (error: ErrorLink) => boolean, sentence: (error: ErrorLink) => string][] = [
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
    ({ type }) =>
      `The brokers do not allow this user to do that (${String(type)}). docs/how-to/operators/kafka.md lists the rights.`,
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
    // The broker sends an alert: the alert concerns our certificate.
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

/** A broker closes the connection of a client that it does not understand. */
const UNAVAILABLE =
  'No broker of KAFKA_BROKERS answers. See whether they run, and whether they want TLS (KAFKA_TLS) and a user (KAFKA_SASL_MECHANISM) on this port.'

/** One sentence for the operator. @param error from kafkajs */
export function describeKafkaError(error: unknown): string {
  const chain = chainOf(error)
  for (const [matches, sentence] of RULES) {
    const found = chain.find(matches)
    if (found) return sentence(found)
  }
  return UNAVAILABLE
}

/** The same sentence as an error for the log, with the original as its cause. */
export function explainKafkaError(error: unknown): Error {
  return new Error(describeKafkaError(error), { cause: error })
}

const SEQUENCE_LOST = [
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'DUPLICATE_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
]

/** A permanent error of a kafkajs client, after a broker was too slow to answer the first request on a connection. */
const CLIENT_BROKEN = 'Broker not connected'

/** True when the producer and the broker disagree on sequence numbers, or its client cannot reconnect: only a new producer can publish. */
export function mustReplaceProducer(error: unknown): boolean {
  return chainOf(error).some(({ type, message }) => SEQUENCE_LOST.includes(String(type)) || message === CLIENT_BROKEN)
}

/** True when the brokers answered with a refusal: the client and its connections work. */
export function isRefusal(error: unknown): boolean {
  return chainOf(error).some(({ name, type }) => name === 'KafkaJSProtocolError' && typeof type === 'string')
}

/** True when kafkajs gave up because the only broker ended while it looked for the coordinator of a group. Permanent for that client alone. */
export function isCoordinatorLost(error: unknown): boolean {
  return chainOf(error).some(({ name }) => name === 'KafkaJSGroupCoordinatorNotFound')
}

function chainOf(error: unknown, depth = 0): ErrorLink[] {
  if (typeof error !== 'object' || error === null || depth > 8) return []
  const link: ErrorLink = error
  const inner = [link.cause, link.originalError, ...(Array.isArray(link.errors) ? (link.errors as unknown[]) : [])]
  return [link, ...inner.flatMap((each) => chainOf(each, depth + 1))]
}
