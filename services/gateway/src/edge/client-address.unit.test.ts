import { describe, expect, it } from '@jest/globals'
import { createAddressWindow } from '../rate-limit/address-limit.js'
import { resolveClientAddress } from './client-address.js'

describe('the client address [D9]', () => {
  it.each([
    ['a connection without trusted proxies', '9.9.9.9', '1.1.1.1', 0, '9.9.9.9'],
    ['one trusted proxy, which appended the last entry', '9.9.9.9', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
    ['two trusted proxies, counted from the right', '9.9.9.9', '6.6.6.6, 1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
    ['fewer entries than trusted proxies', '9.9.9.9', '1.1.1.1', 3, '1.1.1.1'],
    ['a missing header', '9.9.9.9', undefined, 1, '9.9.9.9'],
    ['an entry that is not an address', '9.9.9.9', 'unknown', 1, '9.9.9.9'],
    ['an address with a port', '9.9.9.9', '1.1.1.1:443', 1, '1.1.1.1'],
    ['an address with brackets and a port', '9.9.9.9', '[2001:db8::1]:443', 1, '2001:db8::1'],
    ['an IPv4 address in IPv6 form', '::ffff:9.9.9.9', undefined, 0, '9.9.9.9'],
    ['an address with a zone', 'fe80::1%eth0', undefined, 0, 'fe80::1'],
  ])('is read correctly for %s', (_, peer, forwardedFor, hops, expected) => {
    expect(resolveClientAddress(peer, forwardedFor, hops)).toBe(expected)
  })
})

describe('the window of an address [D9]', () => {
  it('admits 60 calls a minute, then none until the oldest has expired', () => {
    let nowMs = 0
    const addresses = createAddressWindow({ nowMs: () => nowMs })
    for (let at = 0; at < 60; at += 1) expect(addresses.admit('1.1.1.1').admitted).toBe(true)
    expect(addresses.admit('1.1.1.1').admitted).toBe(false)
    expect(addresses.admit('2.2.2.2').admitted).toBe(true)
    nowMs = 60_000
    expect(addresses.admit('1.1.1.1').admitted).toBe(true)
  })

  it('is shared by the IPv6 addresses of a /64', () => {
    const addresses = createAddressWindow()
    for (let at = 0; at < 60; at += 1) addresses.admit(`2001:db8:1:2::${at.toString(16)}`)
    expect(addresses.admit('2001:db8:1:2:ffff::1').admitted).toBe(false)
    expect(addresses.admit('2001:db8:1:3::1').admitted).toBe(true)
  })

  it('has the same number of slots after a read', () => {
    const addresses = createAddressWindow()
    for (let at = 0; at < 100; at += 1) addresses.peek('1.1.1.1')
    expect(addresses.peek('1.1.1.1').remaining).toBe(60)
  })

  it('is evicted under a flood of addresses, so that memory stays bounded', () => {
    const addresses = createAddressWindow()
    addresses.admit('1.1.1.1')
    for (let at = 0; at < 50_000; at += 1) addresses.admit(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
    expect(addresses.peek('1.1.1.1').remaining).toBe(60)
    expect(addresses.peek('10.0.195.79').remaining).toBe(59)
  })
})
