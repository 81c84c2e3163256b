// Which settings of OpenID Connect providers the gateway refuses to start with. [D73]
import { expect, it } from '@jest/globals'
import { issuerErrors, issuerSetting } from './settings.js'

const OWNERS = { OIDC_OWNERS_ISSUER: 'x', OIDC_OWNERS_CLIENT_ID: 'x', OIDC_OWNERS_CLIENT_SECRET: 'x' }
const OPERATORS = {
  OIDC_OPERATORS_ISSUER: 'x',
  OIDC_OPERATORS_CLIENT_ID: 'x',
  OIDC_OPERATORS_CLIENT_SECRET: 'x',
  OIDC_OPERATORS_GROUP: 'x',
}
const namesOf = (errors: readonly string[]): string[] => errors.map((line) => line.trim().split(':')[0]!)

it.each([
  ['no provider', {}],
  ['owners', OWNERS],
  ['operators', OPERATORS],
  ['both, without codes', { ...OWNERS, ...OPERATORS, OIDC_OWNERS_CODES: 'off' }],
  [
    'a secret in a file',
    { OIDC_OWNERS_ISSUER: 'x', OIDC_OWNERS_CLIENT_ID: 'x', OIDC_OWNERS_CLIENT_SECRET_FILE: '/run/secret' },
  ],
])('accepts %s', (_, environment) => {
  expect(issuerErrors(environment)).toEqual([])
})

it.each(Object.entries({ ...OWNERS, ...OPERATORS }).map(([name]) => [name]))('says that %s is missing', (name) => {
  expect(namesOf(issuerErrors({ ...OWNERS, ...OPERATORS, [name]: undefined }))).toEqual([name])
})

it('refuses to turn codes off where owners or operators could not sign in', () => {
  for (const environment of [{}, OWNERS, OPERATORS])
    expect(namesOf(issuerErrors({ ...environment, OIDC_OWNERS_CODES: 'off' }))).toContain('OIDC_OWNERS_CODES')
})

it.each([
  ['https://sso.example.com/realms/a', true],
  ['http://127.0.0.1:9000', true],
  ['http://localhost', true],
  ['http://[::1]:9000', true],
  ['http://sso.example.com', false],
  ['http://localhost.example.com', false],
  ['ldap://sso.example.com', false],
  ['sso.example.com', false],
  ['https://login.microsoftonline.com/4f1c2a9e/v2.0', true],
  ['https://login.microsoftonline.com/common/v2.0', false],
  ['https://LOGIN.microsoftonline.com/organizations/v2.0', false],
])('the issuer %s: %s', (issuer, isAllowed) => {
  expect(issuerSetting.safeParse(issuer).success).toBe(isAllowed)
})
