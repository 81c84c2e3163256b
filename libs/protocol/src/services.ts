// The services and the calls they accept. [D44]
export const SERVICES = ['gateway', 'contract', 'signing', 'notification'] as const
export type ServiceName = (typeof SERVICES)[number]

/** Every holder of a key for service tokens: the four services, and the operator (`paraph`, internal ports only). */
export const CALLERS = [...SERVICES, 'operator'] as const
export type Caller = (typeof CALLERS)[number]

/** Service → the callers that it accepts on its public port; it refuses all others. The network policies match this table. [D44] */
export const EDGES: Readonly<Record<ServiceName, readonly Caller[]>> = {
  gateway: [],
  contract: ['gateway', 'signing', 'notification'],
  signing: ['gateway', 'notification'],
  notification: ['gateway', 'signing'],
}
