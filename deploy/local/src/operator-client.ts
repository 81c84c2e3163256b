// The operator's side of the services' internal ports: a caller token of the operator's key, typed procedures. [D45]
import type { OperatorRouter as ContractOperatorRouter } from '@paraph/contract/operator-router'
import type { OperatorRouter as GatewayOperatorRouter } from '@paraph/gateway/operator-router'
import type { OperatorRouter as SigningOperatorRouter } from '@paraph/signing/operator-router'
import { createTokenSigner } from '@paraph/service/caller-token'
import { createRpcClient } from '@paraph/service/rpc-link'

export interface OperatorAccess {
  gatewayUrl: string
  contractUrl: string
  signingUrl: string
  /** Base64 of PKCS#8 DER, Ed25519. */
  operatorKey: string
}

/** Clients of the operator's procedures. Nothing is opened before the first call; `close` ends what was. */
export function createOperatorClient({ gatewayUrl, contractUrl, signingUrl, operatorKey }: OperatorAccess) {
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
  return {
    gateway: gateway.rpc,
    contract: contract.rpc,
    signing: signing.rpc,
    close: async () => void (await Promise.all([gateway.close(), contract.close(), signing.close()])),
  }
}

export type OperatorClient = ReturnType<typeof createOperatorClient>
