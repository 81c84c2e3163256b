// The blocks of addresses that count as one client in the limits per client. Pure. [D9, D16]

/** An IPv4 address itself, or the /64 of an IPv6 address, which is one subscriber. */
export function addressBlockOf(address: string): string {
  return address.includes(':') ? ipv6Block(groupsOf(address), 64) : address
}

/**
 * The blocks in which an address counts, narrowest first: an IPv4 address alone, or the /64, /56 and /48 of an IPv6 address.
 * Providers give a subscriber anything from a /64 to a /48, so that the wider blocks need limits of their own.
 */
export function addressBlocksOf(address: string): string[] {
  if (!address.includes(':')) return [address]
  const groups = groupsOf(address)
  return [64, 56, 48].map((bits) => ipv6Block(groups, bits))
}

/** The first four groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  const [left = '', right = ''] = address.split('::', 2)
  const head = left.split(':').filter(Boolean)
  const tail = address.includes('::') ? right.split(':').filter(Boolean) : []
  // An embedded IPv4 tail counts as two groups.
  const tailLength = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0)
  const groups = address.includes('::')
    ? [...head, ...Array<string>(8 - head.length - tailLength).fill('0'), ...tail]
    : head
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16))
}

function ipv6Block([first = 0, second = 0, third = 0, fourth = 0]: number[], bits: number): string {
  const groups = bits === 48 ? [first, second, third] : [first, second, third, bits === 56 ? fourth & 0xff00 : fourth]
  return `${groups.map((group) => group.toString(16)).join(':')}::/${String(bits)}`
}
