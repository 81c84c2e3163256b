// Whom the claims of a provider prove. PURE. [D73]
import { isMailAddress, mailboxOf } from '@paraph/protocol/text-rules'
import type { IssuerSettings } from './settings.js'

export interface IssuerPerson {
  mailbox: string
  /** When the provider asked the person to sign in; undefined if it does not say. */
  authenticatedAt: Date | undefined
}

/** Why claims do not sign anybody in: no verified address, or not a member of the group. */
export type ClaimsProblem = 'unverified' | 'not_a_member'

export type Claims = Readonly<Record<string, unknown>>

/** Microsoft Entra ID says by this claim, not by `email_verified`, that the tenant owns the domain of the address. */
const ENTRA = 'https://login.microsoftonline.com'
const ENTRA_VERIFIED: readonly unknown[] = [true, 1, '1']

/** The person with these claims, whose address the provider has verified and who is in the group that the settings name. */
export function personOf(claims: Claims, { issuer, group }: IssuerSettings): IssuerPerson | ClaimsProblem {
  const { email, email_verified: isVerified, auth_time: authTime } = claims
  const isEntraVerified = new URL(issuer).origin === ENTRA && ENTRA_VERIFIED.includes(claims['xms_edov'])
  // Strictly true: a provider that sends the text "true" has not said what the claim means.
  if (typeof email !== 'string' || !isMailAddress(email) || !(isVerified === true || isEntraVerified))
    return 'unverified'
  if (group && ![claims[group.claim]].flat().includes(group.name)) return 'not_a_member'
  return {
    mailbox: mailboxOf(email),
    authenticatedAt: typeof authTime === 'number' ? new Date(authTime * 1_000) : undefined,
  }
}
