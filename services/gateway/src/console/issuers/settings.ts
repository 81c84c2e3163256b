// The settings of the OpenID Connect providers: what one needs, and which sets are incomplete. PURE. [D73]
import { z } from 'zod'

/** Whose sign-in a provider proves. */
export const ISSUER_KINDS = ['owners', 'operators'] as const
export type IssuerKind = (typeof ISSUER_KINDS)[number]

/** What the gateway needs to be a client of one provider. */
export interface IssuerSettings {
  kind: IssuerKind
  issuer: string
  clientId: string
  clientSecret: string
  /** The scopes of the request, separated by spaces. */
  scopes: string
  /** Only members of this group sign in; undefined: everybody whom the provider knows. */
  group: { claim: string; name: string } | undefined
}

/** Both providers, where the installation has them. */
export interface IssuersSettings {
  owners: IssuerSettings | undefined
  operators: IssuerSettings | undefined
  /** Owners may also sign in by a one-time code. */
  allowsCodes: boolean
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopback = (url: URL): boolean => LOOPBACK.test(url.hostname)

/** Issuers of Entra ID behind which anybody's tenant can be. */
const ENTRA_OF_ALL = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i

/** The URL of a provider: https, or plain http on this machine. */
export const issuerSetting = z
  .url({ protocol: /^https?$/ })
  .refine(
    (text) => {
      const url = URL.parse(text)
      return url !== null && (url.protocol === 'https:' || isLoopback(url))
    },
    { error: 'must be https:// outside this machine' },
  )
  .refine((text) => !ENTRA_OF_ALL.test(text), { error: 'must name one tenant' })

export interface OidcConfig {
  OIDC_OWNERS_ISSUER?: string | undefined
  OIDC_OWNERS_CLIENT_ID?: string | undefined
  OIDC_OWNERS_CLIENT_SECRET?: string | undefined
  OIDC_OWNERS_CODES: 'allowed' | 'off'
  OIDC_OPERATORS_ISSUER?: string | undefined
  OIDC_OPERATORS_CLIENT_ID?: string | undefined
  OIDC_OPERATORS_CLIENT_SECRET?: string | undefined
  OIDC_OPERATORS_GROUP?: string | undefined
  OIDC_OPERATORS_GROUPS_CLAIM: string
  OIDC_OPERATORS_SCOPES: string
}

/** The providers of an installation. Call it only with settings in which `issuerErrors` finds nothing. */
export function issuersSettingsOf(config: OidcConfig): IssuersSettings {
  const settingsOf = (
    kind: IssuerKind,
    [issuer, clientId, clientSecret]: readonly (string | undefined)[],
    rest: Pick<IssuerSettings, 'scopes' | 'group'>,
  ): IssuerSettings | undefined =>
    issuer === undefined || clientId === undefined || clientSecret === undefined
      ? undefined
      : { kind, issuer, clientId, clientSecret, ...rest }
  const { OIDC_OPERATORS_GROUP: name, OIDC_OPERATORS_GROUPS_CLAIM: claim } = config
  return {
    owners: settingsOf(
      'owners',
      [config.OIDC_OWNERS_ISSUER, config.OIDC_OWNERS_CLIENT_ID, config.OIDC_OWNERS_CLIENT_SECRET],
      { scopes: 'openid email', group: undefined },
    ),
    // Without a group there would be no operators' issuer, never one for everybody.
    operators:
      name === undefined
        ? undefined
        : settingsOf(
            'operators',
            [config.OIDC_OPERATORS_ISSUER, config.OIDC_OPERATORS_CLIENT_ID, config.OIDC_OPERATORS_CLIENT_SECRET],
            { scopes: config.OIDC_OPERATORS_SCOPES, group: { claim, name } },
          ),
    allowsCodes: config.OIDC_OWNERS_CODES === 'allowed',
  }
}

/** The settings that one provider needs; one of them alone names it. */
const SETS: Record<IssuerKind, readonly string[]> = {
  owners: ['OIDC_OWNERS_ISSUER', 'OIDC_OWNERS_CLIENT_ID', 'OIDC_OWNERS_CLIENT_SECRET'],
  operators: [
    'OIDC_OPERATORS_ISSUER',
    'OIDC_OPERATORS_CLIENT_ID',
    'OIDC_OPERATORS_CLIENT_SECRET',
    'OIDC_OPERATORS_GROUP',
  ],
}

/** One line per error of a set, in the form of `refuseToStart`. Never repeats a value. */
export function issuerErrors(environment: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = (name: string): boolean => environment[name] !== undefined || environment[`${name}_FILE`] !== undefined
  const errors = ISSUER_KINDS.flatMap((kind) => {
    const missing = SETS[kind].filter((name) => !isSet(name))
    return missing.length === SETS[kind].length
      ? []
      : missing.map((name) => `  ${name}: is missing, the ${kind}' issuer needs all of ${SETS[kind].join(', ')}`)
  })
  if (environment['OIDC_OWNERS_CODES'] === 'off')
    for (const kind of ISSUER_KINDS)
      if (!SETS[kind].some(isSet))
        errors.push(`  OIDC_OWNERS_CODES: cannot be off without an ${kind}' issuer, because no ${kind} could sign in`)
  return errors
}
