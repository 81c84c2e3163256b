// A client of one OpenID Connect provider: discovery, the code flow with PKCE and nonce, renewal, sign-out. [D73]
// Owns every request to the provider. Does not own: whom claims prove (person.ts), the sessions (issuer-sessions.ts).
import * as oidc from 'openid-client'
import type { Logger } from '@paraph/telemetry/logger'
import type { Claims } from './person.js'
import { isLoopback, type IssuerSettings } from './settings.js'

/** Clocks may differ by this much; a token that is older or newer is refused. */
export const CLOCK_SECONDS = 60
/** Time limit of each request; a person waits for it. */
const REQUEST_SECONDS = 5
/** The provider's document is read again after this time. */
const DISCOVERY_MS = 600_000
/** A longer ID token is not repeated in the URL of the sign-out, which servers limit. */
const HINT_LENGTH_MAX = 4_096

/** Binds the answer of the provider to the browser that began. */
export interface Flow {
  state: string
  nonce: string
  verifier: string
}

/** What the provider gave for one session. */
export interface IssuerTokens {
  subject: string
  accessToken: string
  refreshToken: string | undefined
  idToken: string | undefined
}

export interface Proof {
  claims: Claims
  tokens: IssuerTokens
}

/** The provider did not answer, or answered with an error of its own. Says nothing about the person. */
export class IssuerUnavailable extends Error {}
/** The provider withdrew what it gave, or its answer does not belong to the request, the client or the time. */
export class IssuerRefused extends Error {}
/** The person did not sign in at the provider. */
export class IssuerCancelled extends Error {}

export const newFlow = (): Flow => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
})

export function createProvider(settings: IssuerSettings, logger: Logger) {
  const { kind, clientId, clientSecret } = settings
  const server = new URL(settings.issuer)
  let known: { configuration: Promise<oidc.Configuration>; until: number } | undefined

  function discover(): Promise<oidc.Configuration> {
    return oidc.discovery(
      server,
      clientId,
      { [oidc.clockTolerance]: CLOCK_SECONDS },
      clientAuthentication(clientSecret),
      {
        timeout: REQUEST_SECONDS,
        // Signatures are checked too, although the token comes from the provider itself.
        execute: [oidc.enableNonRepudiationChecks, ...(isLoopback(server) ? [oidc.allowInsecureRequests] : [])],
      },
    )
  }

  /** The configuration, from memory for ten minutes. Requests at the same time share one discovery. */
  async function connect(): Promise<oidc.Configuration> {
    if (!known || known.until < performance.now()) {
      const mine = { configuration: discover(), until: performance.now() + DISCOVERY_MS }
      mine.configuration.catch(() => {
        if (known === mine) known = undefined
      })
      known = mine
    }
    return known.configuration.catch((error: unknown) => {
      throw unavailable(error)
    })
  }

  /** Logs an error without its message or cause, which may hold claims. */
  function logged<Thrown extends Error>(thrown: Thrown, error: unknown, text: string): Thrown {
    logger.warn({ issuer: kind, reason: reasonOf(error) }, text)
    return thrown
  }

  const unavailable = (error: unknown): IssuerUnavailable =>
    logged(new IssuerUnavailable(), error, 'the OpenID Connect provider is unavailable; nobody signs in with it')

  function classified(error: unknown): Error {
    if (error instanceof oidc.AuthorizationResponseError) return new IssuerCancelled()
    if (isUnavailable(error)) return unavailable(error)
    return logged(new IssuerRefused(), error, 'refused an answer of the OpenID Connect provider')
  }

  /** The claims of the ID token, with those that the provider adds at its userinfo endpoint. */
  async function proofOf(
    configuration: oidc.Configuration,
    answer: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
    previous?: IssuerTokens,
  ): Promise<Proof> {
    const own = answer.claims()
    const subject = previous?.subject ?? own?.sub
    if (subject === undefined || (own && own.sub !== subject)) throw new IssuerRefused()
    if (own && own.iat > Date.now() / 1_000 + CLOCK_SECONDS) throw new IssuerRefused()
    const more = configuration.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(configuration, answer.access_token, subject)
      : {}
    return {
      // The time of the sign-in is the ID token's alone.
      claims: { ...own, ...more, auth_time: own?.auth_time },
      tokens: {
        subject,
        accessToken: answer.access_token,
        refreshToken: answer.refresh_token ?? previous?.refreshToken,
        idToken: answer.id_token ?? previous?.idToken,
      },
    }
  }

  return {
    /**
     * The URL that the browser opens to sign in. @param isFresh the provider must ask the person, whatever session it has
     * @throws IssuerUnavailable
     */
    async authorizationUrl(flow: Flow, redirectUri: string, isFresh: boolean): Promise<string> {
      const configuration = await connect()
      return oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        ...(isFresh && { prompt: 'login', max_age: '0' }),
      }).href
    },

    /** Checks the answer to a flow, and gets its claims. @throws IssuerCancelled, IssuerRefused or IssuerUnavailable */
    async finish(answer: URL, flow: Flow): Promise<Proof> {
      const configuration = await connect()
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, answer, {
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          pkceCodeVerifier: flow.verifier,
        })
        return await proofOf(configuration, tokens)
      } catch (error) {
        throw classified(error)
      }
    },

    /** Asks again for the claims of a session. @throws IssuerRefused if the provider has ended it; IssuerUnavailable */
    async renew(tokens: IssuerTokens): Promise<Proof> {
      const configuration = await connect()
      try {
        if (tokens.refreshToken !== undefined)
          return await proofOf(configuration, await oidc.refreshTokenGrant(configuration, tokens.refreshToken), tokens)
        if (!configuration.serverMetadata().userinfo_endpoint) throw new IssuerRefused()
        return { claims: await oidc.fetchUserInfo(configuration, tokens.accessToken, tokens.subject), tokens }
      } catch (error) {
        throw classified(error)
      }
    },

    /** The URL that ends the session at the provider; undefined if it has none, or is unavailable. */
    async endSessionUrl({ idToken }: IssuerTokens, returnTo: string): Promise<string | undefined> {
      const configuration = await connect().catch(() => undefined)
      if (!configuration?.serverMetadata().end_session_endpoint) return undefined
      return oidc.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(idToken !== undefined && idToken.length <= HINT_LENGTH_MAX && { id_token_hint: idToken }),
      }).href
    },
  }
}

export type Provider = ReturnType<typeof createProvider>

/** `client_secret_basic`, the default of OpenID Connect, unless the provider lists its methods without it. */
function clientAuthentication(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** Codes of errors of the network and of a server that does not speak the protocol. */
const UNAVAILABLE = /^OAUTH_(TIMEOUT|ABORT|RESPONSE_IS_NOT_(CONFORM|JSON)|PARSE_ERROR)$/

/** A wrong client secret is an error of the installation: it must not end the sessions of operators. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error !== 'invalid_grant'
  return error instanceof TypeError || UNAVAILABLE.test(reasonOf(error))
}

function reasonOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return error.error
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(typeof code === 'string' ? code : name)
}
