// The OpenID Connect providers of the installation: begin at one, finish, ask again, leave. [D73]
import type { Kysely } from 'kysely'
import type { Keyring } from '@paraph/config/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../../database.js'
import { to } from '../frame/links.js'
import type { ConsoleSession, ConsoleSessions } from '../session.js'
import type { SignInRecord, Visitor } from '../sign-in-record.js'
import { createBegunCookie, type Begun } from './begun-cookie.js'
import { createIssuerSessions, type Issuer, type OperatorState } from './issuer-sessions.js'
import { personOf, type ClaimsProblem } from './person.js'
import {
  CLOCK_SECONDS,
  createProvider,
  IssuerCancelled,
  IssuerRefused,
  IssuerUnavailable,
  newFlow,
} from './provider.js'
import type { IssuerKind, IssuerSettings, IssuersSettings } from './settings.js'

/** Why nobody signed in. `expired`: the browser did not begin, or more than ten minutes ago. `old_proof`: the provider did not ask again. */
export type IssuerProblem =
  ClaimsProblem | 'expired' | 'refused' | 'cancelled' | 'unavailable' | 'other_person' | 'old_proof'

interface IssuersDeps {
  settings: IssuersSettings
  /** Mailboxes that are operators by a code; none with an operators' issuer. */
  operatorEmails: readonly string[]
  database: Kysely<GatewayDatabase>
  keys: Keyring
  baseUrl: string
  record: SignInRecord
  sessions: Pick<ConsoleSessions, 'end'>
  /** Called when a sign-in may have queued a mail. */
  triggerMails: () => void
  logger: Logger
}

export function createIssuers(deps: IssuersDeps) {
  const { settings, operatorEmails, database, keys, baseUrl, record, sessions, logger } = deps
  const issuerOf = (its: IssuerSettings | undefined): Issuer | undefined =>
    its && { settings: its, ...createProvider(its, logger) }
  const issuers: Record<IssuerKind, Issuer | undefined> = {
    owners: issuerOf(settings.owners),
    operators: issuerOf(settings.operators),
  }
  const rows = createIssuerSessions({ database, keys, record, sessions })
  const begunCookie = createBegunCookie(keys, new URL(baseUrl).protocol === 'https:')
  const redirectUriOf = (kind: IssuerKind): string => `${baseUrl}${to.issuerCallback(kind)}`

  return {
    offers: {
      owners: issuers.owners !== undefined,
      operators: issuers.operators !== undefined,
      codes: settings.allowsCodes,
    },
    begunCookie,

    /** Whether the session is an operator's: by the provider if there is one, else by a code to a mailbox of OPERATOR_EMAILS. */
    async operatorStateOf(session: ConsoleSession): Promise<OperatorState> {
      if (session.issuer === 'operators' && issuers.operators) return rows.operatorStateOf(session, issuers.operators)
      // An owners' issuer makes no operator: it would pass by the operators' second factor.
      return session.issuer === null && operatorEmails.includes(session.mailbox) ? 'yes' : 'no'
    },

    /**
     * Begins at a provider. @param begin `session`: of the person who must prove who they are again; undefined for a sign-in
     * @returns where the browser goes, with a cookie; undefined if the provider is unavailable
     */
    async begin(kind: IssuerKind, browser: string, begin: Pick<Begun, 'next' | 'session'>, now: Date) {
      const flow = newFlow()
      try {
        const url = await issuers[kind]?.authorizationUrl(flow, redirectUriOf(kind), begin.session !== undefined)
        const begun = { flow, ...begin, at: now.getTime() }
        return url === undefined ? undefined : { url, cookie: begunCookie.set(kind, browser, begun) }
      } catch (error) {
        if (error instanceof IssuerUnavailable) return undefined
        throw error
      }
    },

    /**
     * Finishes what the browser began, by the query of the provider's redirect: opens a session, or proves the one that began.
     * @returns the token of a new session, `proven`, or a problem
     */
    async finish(
      kind: IssuerKind,
      search: string,
      begun: Begun,
      { session, visitor }: { session: ConsoleSession | undefined; visitor: Visitor },
    ): Promise<{ token: string } | 'proven' | IssuerProblem> {
      const issuer = issuers[kind]
      if (!issuer) return 'unavailable'
      const proof = await issuer.finish(new URL(redirectUriOf(kind) + search), begun.flow).catch(problemOf)
      if (typeof proof === 'string') return proof
      const person = personOf(proof.claims, issuer.settings)
      if (typeof person === 'string') return person
      if (begun.session === undefined) {
        const { token } = await rows.open(issuer, person, proof.tokens, visitor)
        deps.triggerMails()
        return { token }
      }
      if (session?.id !== begun.session || session.issuer !== kind) return 'expired'
      if (person.mailbox !== session.mailbox) return 'other_person'
      const { authenticatedAt } = person
      if (!authenticatedAt || authenticatedAt.getTime() < begun.at - CLOCK_SECONDS * 1_000) return 'old_proof'
      await rows.prove(issuer, session.id, person, proof.tokens)
      return 'proven'
    },

    /** Where the browser ends the provider's own session; undefined for a session by a code, and without such a page. */
    async endSessionUrl({ id, issuer: kind }: ConsoleSession): Promise<string | undefined> {
      const issuer = kind === null ? undefined : issuers[kind]
      const tokens = issuer && (await rows.tokensOf(id, issuer.settings))
      return tokens && issuer.endSessionUrl(tokens, `${baseUrl}${to.signIn}`)
    },
  }
}

export type Issuers = ReturnType<typeof createIssuers>

function problemOf(error: unknown): IssuerProblem {
  if (error instanceof IssuerUnavailable) return 'unavailable'
  if (error instanceof IssuerRefused) return 'refused'
  if (error instanceof IssuerCancelled) return 'cancelled'
  throw error
}
