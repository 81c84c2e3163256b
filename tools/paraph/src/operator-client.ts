// The operator's side of the services' internal ports: a caller token of the operator's key, typed procedures. [D45]
import type { OperatorRouter as ContractOperatorRouter } from '@paraph/contract/operator-router'
import type { OperatorRouter as GatewayOperatorRouter } from '@paraph/gateway/operator-router'
import type { OperatorRouter as NotificationOperatorRouter } from '@paraph/notification/operator-router'
import type { OperatorRouter as SigningOperatorRouter } from '@paraph/signing/operator-router'
import { createTokenSigner } from '@paraph/service/caller-token'
import { createRpcClient } from '@paraph/service/rpc-link'

/** `mail check` waits for a mail server: a connection's and a mail's whole time. */
const NOTIFICATION_MS_MAX = 120_000

export interface OperatorAccess {
  gatewayUrl: string
  contractUrl: string
  signingUrl: string
  notificationUrl: string
  /** Base64 of PKCS#8 DER, Ed25519. */
  operatorKey: string
}

/** Clients of the operator's procedures. Nothing is opened before the first call; `close` ends what was. */
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
