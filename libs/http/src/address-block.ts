// The block of addresses that counts as one client in every limit per client. Pure. [D9, D16]

/** An IPv4 address itself, or the /64 of an IPv6 address, which is one subscriber. */
export function addressBlockOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = '', right = ''] = address.split('::', 2)
  const head = left.split(':').filter(Boolean)
  const tail = address.includes('::') ? right.split(':').filter(Boolean) : []
  // An embedded IPv4 tail counts as two groups.
  const tailLength = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0)
  const groups = address.includes('::')
    ? [...head, ...Array<string>(8 - head.length - tailLength).fill('0'), ...tail]
    : head
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
