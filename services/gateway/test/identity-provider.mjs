// A real OpenID Connect provider for tests, as a process of its own: oidc-provider with the people of a test.
// Arguments: the base URL of the console. Prints its issuer. POST /control with JSON changes `people` (login → claims), `isAway` and
// `loginSecondsAgo`, and answers how often a client asked for tokens.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import Provider from 'oidc-provider'

const [baseUrl] = process.argv.slice(2)
const state = { people: {}, isAway: false, loginSecondsAgo: null }
let asked = 0

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${server.address().port}`

const clientOf = (kind) => ({
  client_id: `paraph-${kind}`,
  client_secret: `secret of ${kind}: +&%`,
  grant_types: ['authorization_code', 'refresh_token'],
  require_auth_time: true,
  redirect_uris: [`${baseUrl}/console/sign-in/issuer/callback/${kind}`],
  post_logout_redirect_uris: [`${baseUrl}/console/sign-in`],
})

const provider = new Provider(issuer, {
  clients: [
    clientOf('owners'),
    clientOf('operators'),
    { ...clientOf('operators'), client_id: 'paraph-without-refresh', grant_types: ['authorization_code'] },
  ],
  claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'] },
  findAccount: (_, login) =>
    state.people[login] && { accountId: login, claims: () => ({ sub: login, ...state.people[login] }) },
  // As Keycloak: a refresh token with every sign-in.
  issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: () => true,
  // No question for consent. A person may have signed in at the provider earlier than this test began.
  async loadExistingGrant({ oidc }) {
    if (state.loginSecondsAgo !== null) oidc.session.loginTs = Math.floor(Date.now() / 1000) - state.loginSecondsAgo
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
    grant.addOIDCScope(oidc.params.scope)
    await grant.save()
    return grant
  },
  pkce: { required: () => true },
  cookies: { keys: ['a key of the provider for tests alone'] },
})
const respond = provider.callback()

server.on('request', (request, response) => {
  if (request.url === '/control')
    return void json(request).then((change) => {
      Object.assign(state, change)
      response.end(JSON.stringify({ asked }))
    })
  // As a provider that is down: nothing is answered.
  if (state.isAway) return void request.socket.destroy()
  if (request.url === '/token') asked += 1
  respond(request, response)
})
process.stdout.write(`${issuer}\n`)
