// Typed clients of the services behind the gateway.
import type { AnyTRPCRouter } from '@trpc/server'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import type { RpcRouter as SigningRouter } from '@paraph/signing/rpc-router'
import type { TokenSigner } from '@paraph/rpc/service-token'
import { createRpcClient } from '@paraph/rpc/link'
import type { Principal } from '@paraph/protocol/principal'
import type { GatewayConfig } from './config.js'

/** Time limit of calls to other services; a person waits for most of them. */
const CALL_MS_MAX = 5_000

export function connectServices(config: GatewayConfig, signer: TokenSigner) {
  const connect = <Router extends AnyTRPCRouter>(service: 'contract' | 'signing' | 'notification', url: string) => {
    const token = (principal?: Principal) => signer.signCached(service, principal)
    return createRpcClient<Router>({ url, timeoutMs: CALL_MS_MAX, token })
  }
  const contract = connect<ContractRouter>('contract', config.CONTRACT_URL)
  const signing = connect<SigningRouter>('signing', config.SIGNING_URL)
  const notification = connect<NotificationRouter>('notification', config.NOTIFICATION_URL)
  return {
    contract,
    signing,
    notification,
    close: () => Promise.all([contract.close(), signing.close(), notification.close()]),
  }
}

export type Services = ReturnType<typeof connectServices>
