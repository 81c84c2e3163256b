// Typed clients of the services' operator procedures, with a service token of the operator's key. [D45]
import type { OperatorRouter as ContractOperatorRouter } from '@paraph/contract/api/operator-router'
import type { OperatorRouter as GatewayOperatorRouter } from '@paraph/gateway/operator-router'
import type { OperatorRouter as NotificationOperatorRouter } from '@paraph/notification/operator-router'
import type { OperatorRouter as SigningOperatorRouter } from '@paraph/signing/operator-router'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { createRpcClient } from '@paraph/rpc/link'

/** `mail check` waits for the time limits of a connection and of a mail together. */
const NOTIFICATION_MS_MAX = 120_000

export interface OperatorAccess {
  gatewayUrl: string
  contractUrl: string
  signingUrl: string
  notificationUrl: string
  /** Base64 of PKCS#8 DER, Ed25519. */
  operatorKey: string
}

/** Clients of the operator's procedures. They connect on the first call; `close` ends the connections. */
export function createOperatorClient({
  gatewayUrl,
  contractUrl,
  signingUrl,
  notificationUrl,
  operatorKey,
}: OperatorAccess) {
  const signer = createTokenSigner('operator', operatorKey)
  const gateway = createRpcClient<GatewayOperatorRouter>({
    url: gatewayUrl,
    token: () => signer.signAnonymous('gateway'),
    connections: 1,
  })
  const contract = createRpcClient<ContractOperatorRouter>({
    url: contractUrl,
    token: () => signer.signAnonymous('contract'),
    connections: 1,
  })
  const signing = createRpcClient<SigningOperatorRouter>({
    url: signingUrl,
    token: () => signer.signAnonymous('signing'),
    connections: 1,
  })
  const notification = createRpcClient<NotificationOperatorRouter>({
    url: notificationUrl,
    token: () => signer.signAnonymous('notification'),
    timeoutMs: NOTIFICATION_MS_MAX,
    connections: 1,
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
