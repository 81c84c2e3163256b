// Identifies the reader of the API reference, whose samples show the hint (`hintOf`) of the reader's sandbox key. [D28]
import type { Context } from 'koa'
import { cookieName, parseCookies } from '@paraph/web/cookies'
import type { DocsReader } from '../reference/samples.js'
import { isActive, type Console } from './console-context.js'
import { hintOf } from './keys/keys-page.js'
import { SESSION_COOKIE } from './handlers/sign-in.js'
import { isAllowed } from './permissions.js'
import { shownAccount } from './session.js'

type ReaderDeps = Pick<Console, 'sessions' | 'owners' | 'keys' | 'now' | 'https'>

/** Returns a function that identifies the reader: undefined if nobody is signed in, no account is selected, or the role has no keys. */
export function createReferenceReader({ sessions, owners, keys, now, https }: ReaderDeps) {
  const name = cookieName(SESSION_COOKIE, https)

  return async (ctx: Context): Promise<DocsReader | undefined> => {
    const { session } = await sessions.find(parseCookies(ctx.get('cookie')).get(name))
    if (!session) return undefined
    const account = shownAccount(session, await owners.accountsOf(session.mailbox))
    if (!account || !isAllowed(account.role, 'develop', 'sandbox')) return undefined
    const [rows, at] = await Promise.all([keys.list(account.accountId), now()])
    const newest = rows.findLast((key) => key.environment === 'sandbox' && isActive(key, at))
    return { testKey: newest && hintOf(newest) }
  }
}
