// Which of a mailbox's accounts a session shows.
import type { OwnedAccount } from '../account-owners.js'
import type { ConsoleSession } from './console-session.js'

/** The account that was chosen, while the mailbox owns it; else the only one. An account that only asked for an owner is not owned yet. */
export function shownAccountId({ accountId }: ConsoleSession, owned: readonly OwnedAccount[]): string | undefined {
  const confirmed = owned.filter(({ isConfirmed }) => isConfirmed)
  const chosen = confirmed.find((each) => each.accountId === accountId)
  return (chosen ?? (owned.length === 1 ? confirmed[0] : undefined))?.accountId
}
