// Which of a mailbox's accounts a session shows.
import type { OwnedAccount } from '../account-owners.js'
import type { ConsoleSession } from './console-session.js'

/** The account that was chosen, while the mailbox owns it; else the only one, whoever asks it to own another. */
export function shownAccountId({ accountId }: ConsoleSession, owned: readonly OwnedAccount[]): string | undefined {
  const confirmed = owned.filter(({ isConfirmed }) => isConfirmed)
  const chosen = confirmed.find((each) => each.accountId === accountId)
  return (chosen ?? (confirmed.length === 1 ? confirmed[0] : undefined))?.accountId
}
