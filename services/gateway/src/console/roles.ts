// Who may do what in the console. Pure. The whole table is routes.ts; docs/console.md shows it.
export const ROLES = ['anybody', 'signed_in', 'owner', 'operator'] as const

/**
 * What a page asks of whoever asks for it. `signed_in`: a proven mailbox. `owner`: of the account that the session shows.
 * `operator`: a mailbox that OPERATOR_EMAILS names.
 */
export type Role = (typeof ROLES)[number]

/** What is known of whoever asks. */
export interface Visitor {
  isSignedIn: boolean
  ownsAccount: boolean
  isOperator: boolean
}

/** Whether `visitor` may have a page that asks for `role`. */
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
