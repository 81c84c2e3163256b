// What a provider must not be believed: tokens for others, of others, of another time, and without a signature. [D73]
// A server in this process answers what the test wants; issuers.int.test.ts runs a real provider.
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { startTestGateway, type TestGateway } from '../../../test/gateway-fixture.js'
import { createConsoleVisitor } from '../../../test/console-fixture.js'

const BASE = 'http://sign.test'
const CALLBACK = '/console/sign-in/issuer/callback/owners'
const CLIENT = 'paraph-owners'

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [ours, others] = [newKeys(), newKeys()]
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
type Signed = (claims: object) => string
const signedBy =
  (key: KeyObject): Signed =>
  (claims) => {
    const text = `${part({ alg: 'RS256', kid: 'k1' })}.${part(claims)}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
  }
const signed = signedBy(ours.privateKey)
const withoutSignature: Signed = (claims) => signed(claims).replace(/[^.]+$/, '')
const withoutAlgorithm: Signed = (claims) => `${part({ alg: 'none' })}.${part(claims)}.`
const signedWithSecret: Signed = (claims) => {
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', 'a secret').update(text).digest('base64url')}`
}

let issuer: string
/** The document of the provider, and its answer for tokens. */
let document: Record<string, unknown>
let tokens: { status: number; body: string }
const server = createServer((request, response) => {
  const answers: Record<string, { status?: number; body: string }> = {
    '/.well-known/openid-configuration': { body: JSON.stringify(document) },
    '/jwks': {
      body: JSON.stringify({ keys: [{ ...ours.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' }] }),
    },
    '/token': tokens,
  }
  const { status = 200, body } = answers[request.url ?? ''] ?? { status: 404, body: '{}' }
  response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body)
})

const SETTINGS = () => ({
  OIDC_OWNERS_ISSUER: issuer,
  OIDC_OWNERS_CLIENT_ID: CLIENT,
  OIDC_OWNERS_CLIENT_SECRET: 'a secret',
})

let gateway: TestGateway
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  gateway = await startTestGateway(SETTINGS())
})
beforeEach(() => {
  document = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ['RS256'],
  }
})
afterAll(async () => {
  await gateway?.stop()
  server.closeAllConnections()
  server.close()
})

const seconds = (from: number): number => Math.floor(Date.now() / 1_000) + from

/** Begins, and comes back with a code for which the provider gives `idTokenFor(nonce)`. @returns the answer of the console */
async function comeBack(idTokenFor: (nonce: string) => string | undefined) {
  const visitor = createConsoleVisitor(gateway)
  const begun = new URL((await visitor.get('/console/sign-in/issuer/owners')).location!)
  expect(begun.searchParams.get('redirect_uri')).toBe(BASE + CALLBACK)
  const body = { access_token: 'a', token_type: 'Bearer', id_token: idTokenFor(begun.searchParams.get('nonce')!) }
  tokens = { status: 200, body: JSON.stringify(body) }
  const search = new URLSearchParams({ code: 'a', state: begun.searchParams.get('state')! })
  const { status } = await visitor.get(`${CALLBACK}?${search.toString()}`)
  return { visitor, status, isSignedIn: (await visitor.get('/console/sessions')).status === 200 }
}

const claimsFor = (nonce: string, more: object = {}) => ({
  iss: issuer,
  aud: CLIENT,
  sub: 'anna',
  nonce,
  iat: seconds(0),
  exp: seconds(300),
  email: 'anna@nordicfoods.example',
  email_verified: true,
  ...more,
})

it.each([
  ['of now', {}],
  ['whose end is 50 s ago', { exp: seconds(-50) }],
  ['that begins in 50 s', { iat: seconds(50), nbf: seconds(50) }],
])('a token %s signs in: clocks may differ by a minute', async (_, more) => {
  expect(await comeBack((nonce) => signed(claimsFor(nonce, more)))).toMatchObject({ status: 303, isSignedIn: true })
})

it.each<[string, object, Signed?]>([
  ['of another issuer', { iss: 'https://another.example' }],
  ['of no issuer', { iss: undefined }],
  ['for another client', { aud: 'another' }],
  ['for several clients and by another', { aud: [CLIENT, 'another'], azp: 'another' }],
  ['with another nonce', { nonce: 'another' }],
  ['without a nonce', { nonce: undefined }],
  ['whose end is 70 s ago', { exp: seconds(-70) }],
  ['without an end', { exp: undefined }],
  ['of 70 s ahead', { iat: seconds(70) }],
  ['that begins in 70 s', { nbf: seconds(70) }],
  ['without a person', { sub: undefined }],
  ['that another key has signed', {}, signedBy(others.privateKey)],
  ['without a signature', {}, withoutSignature],
  ['with the algorithm none', {}, withoutAlgorithm],
  ['that the client secret has signed', {}, signedWithSecret],
  ['that is none', {}, () => 'a.b.c'],
])('a token %s signs nobody in', async (_, more, sign = signed) => {
  const { status, isSignedIn } = await comeBack((nonce) => sign(claimsFor(nonce, more)))
  expect([403, 503]).toContain(status)
  expect(isSignedIn).toBe(false)
})

it('an answer without a token of the person signs nobody in', async () => {
  expect(await comeBack(() => undefined)).toMatchObject({ status: 403, isSignedIn: false })
})

it('a provider whose document names another issuer is not asked', async () => {
  const fresh = await startTestGateway(SETTINGS())
  document = { ...document, issuer: 'https://another.example' }
  expect((await createConsoleVisitor(fresh).get('/console/sign-in/issuer/owners')).status).toBe(503)
  await fresh.stop()
})

it('without an operators’ issuer, a code makes a mailbox of OPERATOR_EMAILS an operator, and the owners’ issuer does not', async () => {
  const email = 'operator@example.test'
  const { visitor, isSignedIn } = await comeBack((nonce) => signed(claimsFor(nonce, { email })))
  expect(isSignedIn).toBe(true)
  expect((await visitor.get('/console/operator/accounts')).status).toBe(404)
  await visitor.submit('/console/sign-out')
  await visitor.signIn(email)
  expect((await visitor.get('/console/operator/accounts')).status).toBe(200)
})
