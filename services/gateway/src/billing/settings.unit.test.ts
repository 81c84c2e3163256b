import { expect, it } from '@jest/globals'
import { checkGatewayConfig } from '../config.js'

const DATABASE = 'postgres://paraph@localhost/paraph?sslmode=disable'
const KEYRING = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const SERVICES = ['CONTRACT', 'SIGNING', 'NOTIFICATION']
const BASE = {
  PORT: '8080',
  INTERNAL_PORT: '8081',
  DATABASE_URL: DATABASE,
  DATABASE_DIRECT_URL: DATABASE,
  BUS_DATABASE_URL: DATABASE,
  CALLER_PRIVATE_KEY: 'key',
  CALLER_PUBLIC_KEYS: '{}',
  CODE_PEPPERS: KEYRING,
  CODE_KEYS: KEYRING,
  PAGE_SECRET: 'a secret of the console for tests alone',
  BASE_URL: 'https://sign.example.com',
  ...Object.fromEntries(
    SERVICES.flatMap((name) => [`${name}_URL`, `${name}_INTERNAL_URL`].map((each) => [each, 'http://localhost:1'])),
  ),
}
const STRIPE = {
  BILLING: 'stripe',
  STRIPE_SECRET_KEY: 'rk_live_0123',
  STRIPE_WEBHOOK_SECRET: 'whsec_new,whsec_old',
  STRIPE_PRICES: 'price_1=startup',
}
const errorsOf = (more: Record<string, string>) => {
  const checked = checkGatewayConfig({ ...BASE, ...more })
  return 'errors' in checked ? checked.errors.map((line) => line.trim()) : []
}

it('manual is the default and needs nothing of Stripe [D74]', () => {
  const checked = checkGatewayConfig(BASE)
  expect('config' in checked && checked.config.BILLING).toBe('manual')
})

it('with stripe each missing setting is refused at the start with a sentence [D74]', () => {
  expect(errorsOf(STRIPE)).toEqual([])
  expect(errorsOf({ BILLING: 'stripe' })).toEqual([
    'STRIPE_SECRET_KEY: is required with BILLING=stripe',
    'STRIPE_WEBHOOK_SECRET: is required with BILLING=stripe',
    'STRIPE_PRICES: is required with BILLING=stripe',
  ])
})

it.each([
  ['STRIPE_SECRET_KEY', 'pk_live_0123'],
  ['STRIPE_WEBHOOK_SECRET', 'whsec_a,whsec_b,whsec_c'],
  ['STRIPE_WEBHOOK_SECRET', 'whsec_a, whsec_b'],
  ['STRIPE_PRICES', 'startup=price_1'],
  ['STRIPE_API_URL', 'http://stripe-proxy.example.com'],
  ['BILLING', 'paddle'],
])('%s=%s is refused, and the sentence does not repeat the value [D74]', (name, value) => {
  const errors = errorsOf({ ...STRIPE, [name]: value })
  expect(errors).toEqual([expect.stringMatching(new RegExp(`^${name}: `))])
  if (name !== 'BILLING') expect(errors.join('\n')).not.toContain(value)
})
