// Typed clients of the services' operator procedures, with a service token of the operator's key. [D45]
import type { OperatorRouter as ContractOperatorRouter } from '@paraph/contract/api/operator-router'
import type { OperatorRouter as GatewayOperatorRouter } from '@paraph/gateway/operator-router'
import type { OperatorRouter as NotificationOperatorRouter } from '@paraph/notification/operator-router'
import type { OperatorRouter as SigningOperatorRouter } from '@paraph/signing/operator-router'
import { z } from 'zod'
import type { ServiceName } from '@paraph/protocol/services'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { createRpcClient } from '@paraph/rpc/link'

/** `mail check` may take as long as the time limits of a connection and of a mail together. */
const NOTIFICATION_MS_MAX = 120_000
/** `documents move` waits for the object store, each time for a read and a write. */
const SIGNING_MS_MAX = 30_000

export const operatorAccessSchema = z.object({
  gatewayUrl: z.url(),
  contractUrl: z.url(),
  signingUrl: z.url(),
  notificationUrl: z.url(),
  /** Base64 of PKCS#8 DER, Ed25519. */
  operatorKey: z.string(),
  /** The person who runs the command. */
  operatorName: z.string().optional(),
})

export type OperatorAccess = z.infer<typeof operatorAccessSchema>

/** Clients of the operator's procedures. They connect on the first call; `close` ends the connections. */
export function createOperatorClient(access: OperatorAccess) {
  const signer = createTokenSigner('operator', access.operatorKey, undefined, access.operatorName)
  const to = (service: ServiceName) => ({
    url: access[`${service}Url`],
    token: () => signer.signCached(service),
    connections: 1,
  })
  const gateway = createRpcClient<GatewayOperatorRouter>(to('gateway'))
  const contract = createRpcClient<ContractOperatorRouter>(to('contract'))
  const signing = createRpcClient<SigningOperatorRouter>({ ...to('signing'), timeoutMs: SIGNING_MS_MAX })
  const notification = createRpcClient<NotificationOperatorRouter>({
    ...to('notification'),
    timeoutMs: NOTIFICATION_MS_MAX,
  })
  const clients = [gateway, contract, signing, notification]
  return {
    gateway: gateway.rpc,
    contract: contract.rpc,
    signing: signing.rpc,
    notification: notification.rpc,
    close: async () => void (await Promise.all(clients.map((client) => client.close()))),
  }
}

export type OperatorClient = ReturnType<typeof createOperatorClient>

/** Reads all rows of a paged call. `read` returns the page after an id; an empty page is the last. */
export async function readPages<Row extends { id: number }>(read: (after: number) => Promise<Row[]>): Promise<Row[]> {
  const all: Row[] = []
  for (;;) {
    const page = await read(all.at(-1)?.id ?? 0)
    if (page.length === 0) return all
    all.push(...page)
  }
}
