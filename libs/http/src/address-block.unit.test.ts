import { expect, it } from '@jest/globals'
import { addressBlockOf, addressBlocksOf } from './address-block.js'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('the address %s is counted as %s [D9, D16]', (address, block) => expect(addressBlockOf(address)).toBe(block))

it.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['2001:db8:1:ab02::9', ['2001:db8:1:ab02::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['2001:db8:1:abff::9', ['2001:db8:1:abff::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['2001:db8:1:ac00::9', ['2001:db8:1:ac00::/64', '2001:db8:1:ac00::/56', '2001:db8:1::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
])('the address %s counts in the blocks %j [D9, D16]', (address, blocks) =>
  expect(addressBlocksOf(address)).toEqual(blocks),
)
