import { expect, it } from '@jest/globals'
import { createGuardedLookup, ForbiddenAddress, isLoopback, isPublicAddress } from './public-address.js'

it.each([
  '127.0.0.1',
  '169.254.169.254',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2001:db8::1',
  'not an address',
])('a webhook may not reach %s [D65]', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each(['8.8.8.8', '172.32.0.1', '2606:4700:4700::1111'])('a webhook may reach %s [D65]', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it('loopback addresses are known in both families [D65]', () => {
  expect(['127.9.9.9', '::1', '8.8.8.8', '::2'].map(isLoopback)).toEqual([true, true, false, false])
})

it('a name with one address that is not public does not resolve, whatever its other addresses [D65]', async () => {
  const lookUp = (...addresses: string[]) =>
    new Promise((resolve, reject) => {
      const look = (_name: string, _options: object, done: (error: null, found: object[]) => void) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      createGuardedLookup(isPublicAddress, look as never)('hook.example', {}, (error, address) =>
        error ? reject(error) : resolve(address),
      )
    })
  expect(await lookUp('8.8.8.8')).toBe('8.8.8.8')
  await expect(lookUp('8.8.8.8', '10.0.0.1')).rejects.toThrow(ForbiddenAddress)
})
