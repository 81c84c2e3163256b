/** An error that the user can fix: the message states in one or two sentences what happened and what to do. */
export class UserError extends Error {
  override readonly name = 'UserError'
}
