import { userInfo } from 'node:os'
import { expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { readConfig } from './config.js'

it('the command line uses the embedded bus unless another is configured [D50]', () => {
  expect(readConfig({}).broker).toEqual(expect.objectContaining({ EVENT_BUS: 'postgres' }))
  const { broker, inherited } = readConfig({ EVENT_BUS: 'kafka', KAFKA_BROKERS: 'k.test:9092', PARAPH_PORT: '1' })
  expect(broker).toMatchObject({ EVENT_BUS: 'kafka', KAFKA_BROKERS: ['k.test:9092'] })
  expectWithMessage(inherited, 'the environment that the services inherit').toEqual({
    EVENT_BUS: 'kafka',
    KAFKA_BROKERS: 'k.test:9092',
  })
})

it('one error lists every invalid setting [local-stack: environment]', () => {
  const environment = {
    EVENT_BUS: 'kafka',
    PARAPH_PORT: '-1',
    KAFKA_SASL_MECHANISM: 'PLAIN',
    KAFKA_TOPIC_REPLICAS: '0',
  }
  expect(() => readConfig(environment)).toThrow(
    /^Invalid setting: PARAPH_PORT\.[^\n]*\n[^]*KAFKA_BROKERS: is required with EVENT_BUS=kafka\.\n[^]*KAFKA_SASL_USERNAME: [^]*KAFKA_TOPIC_REPLICAS: /,
  )
})

it('the operator’s name is the setting, else the user of the operating system, and has 1 to 64 visible characters [P36]', () => {
  expect(readConfig({ PARAPH_OPERATOR_NAME: ' Jane Roe ' }).operatorName).toBe('Jane Roe')
  expect(readConfig({}).operatorName).toBe(userInfo().username)
  for (const name of ['', 'x'.repeat(65), 'Jane\nRoe'])
    expect(() => readConfig({ PARAPH_OPERATOR_NAME: name })).toThrow('Invalid setting: PARAPH_OPERATOR_NAME')
})
