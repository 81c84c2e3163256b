import { expect, it } from '@jest/globals'
import { describeKafkaError, mustReplaceProducer } from './errors.js'

/** Errors in the shape that kafkajs throws. */
const refusal = (type: string) => Object.assign(new Error('Refused'), { name: 'KafkaJSProtocolError', type })
const several = (error: Error) => Object.assign(new Error('Topic errors'), { errors: [error] })

it.each([
  ['TOPIC_AUTHORIZATION_FAILED', 'do not allow this user'],
  ['UNKNOWN_TOPIC_OR_PARTITION', 'paraph topics apply'],
  ['POLICY_VIOLATION', 'The brokers refused this: POLICY_VIOLATION.'],
])('the error message reports %s at any depth of kafkajs errors', (type, sentence) => {
  for (const error of [refusal(type), several(refusal(type)), new Error('Gave up', { cause: refusal(type) })])
    expect(describeKafkaError(error)).toContain(sentence)
})

it.each(['ENOTFOUND', 'EAI_AGAIN'])('the message for %s reports an unresolved name, not a missing answer', (code) => {
  const lost = Object.assign(new Error(`Connection error: getaddrinfo ${code} b`), {
    name: 'KafkaJSConnectionError',
    code,
  })
  for (const error of [lost, new Error('Gave up', { cause: lost })])
    expect(describeKafkaError(error)).toContain('does not resolve')
  expect(describeKafkaError(Object.assign(new Error('Connection error'), { code: 'ECONNREFUSED' }))).toContain(
    'No broker',
  )
})

it('fatal errors of a producer are distinguished from others at any depth of wrapping [F2]', () => {
  const lost = refusal('OUT_OF_ORDER_SEQUENCE_NUMBER')
  for (const error of [lost, several(lost), new Error('Gave up', { cause: new Error('Sent', { cause: lost }) })])
    expect(mustReplaceProducer(error)).toBe(true)
  expect(mustReplaceProducer(refusal('NOT_ENOUGH_REPLICAS'))).toBe(false)
  expect(mustReplaceProducer(new Error('No answer'))).toBe(false)
})
