// A caller and a callee for tests, with new keys and real HTTP between them. [D45]
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa, { type Middleware } from 'koa'
import type { AnyTRPCRouter } from '@trpc/server'
import type { Caller } from '@paraph/protocol/services'
import { createLogger } from '@paraph/telemetry/logger'
import { createTokenSigner, createTokenVerifier } from '../src/service-token.js'
import { renderErrors } from '@paraph/http/render-errors'
import { createRpcClient } from '../src/link.js'
import { mountRpc } from '../src/mount.js'

/** A new key pair in the format of a service's settings: base64 of PKCS#8 and of SPKI. */
export function createCallerKeys(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
    publicKeyEncoding: { format: 'der', type: 'spki' },
  })
  return { privateKey: privateKey.toString('base64'), publicKey: publicKey.toString('base64') }
}

/** The token signer of `caller`, and a verifier of `callee` that knows the signer's key. */
export function introduce(caller: Caller, callee: Caller) {
  const { privateKey, publicKey } = createCallerKeys()
  return {
    signer: createTokenSigner(caller, privateKey),
    verify: createTokenVerifier(callee, { [caller]: [publicKey] }),
  }
}

/** Serves `middleware` on a free port. */
export async function serve(...middleware: Middleware[]): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Koa()
  for (const each of middleware) app.use(each)
  const server = createServer(app.callback())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * A client of `caller` for the procedures of `callee`, with the client, mount and tokens of the running services.
 * @param line a middleware that receives each request before the procedures, and may delay or refuse it
 */
export async function openRpcFixture<Router extends AnyTRPCRouter>({
  caller,
  callee,
  router,
  line = (_, next) => next(),
}: {
  caller: Caller
  callee: Caller
  router: Router
  line?: Middleware
}) {
  const { signer, verify } = introduce(caller, callee)
  const errors = renderErrors(createLogger(callee, 'silent'))
  const server = await serve(line, errors, mountRpc({ router, verify, callers: [caller] }))
  const client = createRpcClient<Router>({
    url: server.url,
    token: (principal) => signer.signCached(callee, principal),
  })
  return {
    rpc: client.rpc,
    rpcFor: client.rpcFor,
    async close(): Promise<void> {
      await server.close()
      await client.close()
    },
  }
}
