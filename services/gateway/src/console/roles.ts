// The roles of the console. Pure. routes.ts says which role each page requires; docs/console.md shows that table.
export const ROLES = ['anybody', 'signed_in', 'owner', 'operator'] as const

/**
 * The role that a page requires. `signed_in`: a proven mailbox. `owner`: an owner of the account that the session shows.
 * `operator`: a mailbox of OPERATOR_EMAILS.
 */
export type Role = (typeof ROLES)[number]

/** The facts that roles are decided by. */
export interface Visitor {
  isSignedIn: boolean
  ownsAccount: boolean
  isOperator: boolean
}

/** Whether `visitor` has `role`. */
export function mayAs(role: Role, { isSignedIn, ownsAccount, isOperator }: Visitor): boolean {
  switch (role) {
    case 'anybody':
      return true
    case 'signed_in':
      return isSignedIn
    case 'owner':
      return isSignedIn && ownsAccount
    case 'operator':
      return isSignedIn && isOperator
  }
}
