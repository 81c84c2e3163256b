// Simulates a network that enforces the policies by Kubernetes' rules: a selected pod may use only the connections that one of its policies
// allows, and a connection needs the consent of both ends. Covers pods of the release, pods of other namespaces and external addresses.
import { BlockList } from 'node:net'
import type { Labels, Manifest, Pod } from './rendered.js'

interface Selector {
  matchLabels?: Labels
}
interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: { cidr: string }
}
interface Rule {
  from?: Peer[]
  to?: Peer[]
  ports?: { port: number; protocol: string }[]
}
interface PolicySpec {
  podSelector: Selector
  policyTypes: ('Ingress' | 'Egress')[]
  ingress?: Rule[]
  egress?: Rule[]
}

/** A pod of the release, a pod of another namespace, or an address. */
export type Party = Pod | { namespace: Labels; labels: Labels } | { address: string }

const isOurs = (party: Party): party is Pod => 'spec' in party
const selects = ({ matchLabels = {} }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value)

function isIn(cidr: string, address: string): boolean {
  const [net, prefix] = cidr.split('/') as [string, string]
  const block = new BlockList()
  block.addSubnet(net, Number(prefix))
  return block.check(address)
}

function fits({ podSelector, namespaceSelector, ipBlock }: Peer, party: Party): boolean {
  if (ipBlock) return 'address' in party && isIn(ipBlock.cidr, party.address)
  if ('address' in party) return false
  if (!selects(podSelector ?? {}, party.labels)) return false
  if (isOurs(party)) return namespaceSelector === undefined
  return namespaceSelector !== undefined && selects(namespaceSelector, party.namespace)
}

/** A network that enforces the policies among `manifests`. */
export function createNetwork(manifests: readonly Manifest[]) {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as PolicySpec)

  function allows(pod: Pod, way: 'Ingress' | 'Egress', other: Party, port: number, protocol: string): boolean {
    const own = policies.filter(
      ({ podSelector, policyTypes }) => policyTypes.includes(way) && selects(podSelector, pod.labels),
    )
    if (own.length === 0) return true
    const rules = own.flatMap(({ ingress = [], egress = [] }) => (way === 'Ingress' ? ingress : egress))
    return rules.some(({ ports, from, to }) => {
      const peers = way === 'Ingress' ? from : to
      const portFits = ports?.some((each) => each.port === port && each.protocol === protocol) ?? true
      return portFits && (peers?.some((peer) => fits(peer, other)) ?? true)
    })
  }

  /** Whether the egress policies of `from` allow the connection. */
  const leaves = (from: Party, to: Party, port: number, protocol = 'TCP'): boolean =>
    !isOurs(from) || allows(from, 'Egress', to, port, protocol)
  /** Whether the ingress policies of `to` allow the connection. */
  const enters = (from: Party, to: Party, port: number, protocol = 'TCP'): boolean =>
    !isOurs(to) || allows(to, 'Ingress', from, port, protocol)

  return {
    leaves,
    enters,
    /** Whether the policies of both ends allow the connection. */
    reaches: (...way: Parameters<typeof leaves>): boolean => leaves(...way) && enters(...way),
  }
}
