import { expect, it } from '@jest/globals'
import { createCallerKeys } from '../test/caller-fixture.js'
import { createTokenSigner, createTokenVerifier } from './service-token.js'

const SECOND = 1_000
const NOON = Date.parse('2026-11-22T12:00:00.000Z')

/** A signer and a verifier, each with a clock that the test sets. */
function meet() {
  const { privateKey, publicKey } = createCallerKeys()
  const at = { signer: NOON, verifier: NOON }
  return {
    at,
    signer: createTokenSigner('gateway', privateKey, () => new Date(at.signer)),
    verify: createTokenVerifier('contract', { gateway: [publicKey] }, async () => new Date(at.verifier)),
  }
}

it('a token is valid for 60 seconds by the given clocks, whatever the clock of this machine shows [D45, F12]', async () => {
  const { at, signer, verify } = meet()
  const token = `Bearer ${await signer.signCached('contract')}`
  for (const seconds of [0, 59]) {
    at.verifier = NOON + seconds * SECOND
    expect(await verify(token)).toMatchObject({ issuer: 'gateway' })
  }
  at.verifier = NOON + 66 * SECOND
  await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_key' })
})

it('an expired token is refused, even if it was accepted before [D45]', async () => {
  const { at, signer, verify } = meet()
  const token = `Bearer ${await signer.sign('contract')}`
  await verify(token)
  at.verifier = NOON + 600 * SECOND
  await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_key' })
})

it.each([
  ['20 seconds later', 20],
  ['when its clock turns out to have been ten minutes fast', -600],
  ['when its clock turns out to have been ten minutes slow', 600],
])('the signer issues a new token %s [D45, F12]', async (_, seconds) => {
  const { at, signer, verify } = meet()
  const first = await signer.signCached('contract')
  at.signer = NOON + 19 * SECOND
  expect(await signer.signCached('contract')).toBe(first)
  at.signer = at.verifier = NOON + seconds * SECOND
  const second = await signer.signCached('contract')
  expect(second).not.toBe(first)
  await verify(`Bearer ${second}`)
})

it('the signer reuses one token per account, environment and account claims, so that the callee verifies it once [D10, D45, D47]', async () => {
  const { at, signer, verify } = meet()
  const account = {
    name: 'Nordic',
    senderName: 'Nordic',
    language: 'en',
    timeZone: 'UTC',
    replyAddress: null,
    cancelsOnDecline: false,
    remindsParties: true,
  } as const
  const principal = { accountId: 'acc_1', environment: 'production', scopes: [], account } as const
  const others = [
    undefined,
    { ...principal, accountId: 'acc_2' },
    { ...principal, environment: 'sandbox' as const },
    { ...principal, account: { ...account, name: 'Nordic Foods' } },
  ].map((other) => other && { ...other, scopes: [] })
  const mine = { ...principal, scopes: [] }
  const first = await signer.signCached('contract', mine)
  expect(await verify(`Bearer ${first}`)).toMatchObject({ principal: mine })
  for (const other of others) expect(await signer.signCached('contract', other)).not.toBe(first)
  expect(await signer.signCached('signing', mine)).not.toBe(first)
  at.signer = NOON + 19 * SECOND
  expect(await signer.signCached('contract', mine)).toBe(first)
  at.signer = NOON + 20 * SECOND
  expect(await signer.signCached('contract', mine)).not.toBe(first)
})

it('the oldest token in use is valid after the longest wait of a page for a frozen service [D45, P27, F40]', async () => {
  const { at, signer, verify } = meet()
  const first = await signer.signCached('contract')
  do at.signer += SECOND
  while ((await signer.signCached('contract')) === first)
  at.verifier = at.signer - SECOND + 35 * SECOND
  expect(await verify(`Bearer ${first}`)).toMatchObject({ issuer: 'gateway' })
})

it('a token of the operator carries the name of a person, and a token of another caller none [P36]', async () => {
  const { privateKey, publicKey } = createCallerKeys()
  const nameIn = async (issuer: 'operator' | 'gateway', name: string | undefined) => {
    const verify = createTokenVerifier('contract', { [issuer]: [publicKey] })
    const { operatorName } = await verify(
      `Bearer ${await createTokenSigner(issuer, privateKey, undefined, name).sign('contract')}`,
    )
    return operatorName
  }
  expect(await nameIn('operator', 'Jane Roe')).toBe('Jane Roe')
  expect(await nameIn('operator', undefined)).toBeUndefined()
  expect(await nameIn('gateway', 'Jane Roe')).toBeUndefined()
  for (const wrong of ['', 'x'.repeat(65), 'Jane\nRoe', 'Jane\u202ERoe'])
    await expect(nameIn('operator', wrong)).rejects.toMatchObject({ code: 'invalid_key' })
})
