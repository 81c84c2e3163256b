// Whom claims prove. [D73]
import { expect, it } from '@jest/globals'
import { personOf } from './person.js'
import type { IssuerSettings } from './settings.js'

const OWNERS: IssuerSettings = {
  kind: 'owners',
  issuer: 'https://sso.example.com',
  clientId: 'x',
  clientSecret: 'x',
  scopes: 'openid email',
  group: undefined,
}
const OPERATORS: IssuerSettings = { ...OWNERS, kind: 'operators', group: { claim: 'roles', name: 'paraph' } }
const ENTRA: IssuerSettings = { ...OWNERS, issuer: 'https://login.microsoftonline.com/4f1c2a9e/v2.0' }
const ANNA = { email: 'Anna@Example.com', email_verified: true }

it('the mailbox of a verified address, and when the person signed in', () => {
  expect(personOf({ ...ANNA, auth_time: 1_700_000_000 }, OWNERS)).toEqual({
    mailbox: 'anna@example.com',
    authenticatedAt: new Date(1_700_000_000_000),
  })
})

it.each([
  ['the text true', { email_verified: 'true' }],
  ['one', { email_verified: 1 }],
  ['nothing', { email_verified: undefined }],
  ['the claim of Entra, from another provider', { email_verified: undefined, xms_edov: true }],
])('an address is not verified by %s', (_, claims) => {
  expect(personOf({ ...ANNA, ...claims }, OWNERS)).toBe('unverified')
})

it.each([[true], [1], ['1']])('Entra verifies an address by xms_edov %s', (isVerified) => {
  expect(personOf({ email: ANNA.email, xms_edov: isVerified }, ENTRA)).toMatchObject({ mailbox: 'anna@example.com' })
  expect(personOf({ email: ANNA.email, xms_edov: false }, ENTRA)).toBe('unverified')
})

it.each([
  [['paraph'], true],
  [['others', 'paraph'], true],
  ['paraph', true],
  [['paraph-of-others'], false],
  ['a paraph', false],
  [undefined, false],
  [{ paraph: true }, false],
  [[['paraph']], false],
])('the groups %j', (roles, isMember) => {
  expect(typeof personOf({ ...ANNA, roles, groups: ['paraph'] }, OPERATORS) === 'object').toBe(isMember)
})
