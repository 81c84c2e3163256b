// Who reads the reference: somebody signed in to the console is shown what tells their own test key from others. [D28]
import type { Context } from 'koa'
import { cookieName, parseCookies } from '@paraph/web/cookies'
import type { DocsReader } from '../docs/page-props.js'
import type { Console } from './console.js'
import { hintOf } from './pages/keys-page.js'
import { shownAccountId } from './shown-account.js'
import { SESSION_COOKIE } from './steps/sign-in-steps.js'

/** Answers who asks; undefined for somebody who is not signed in, or shows no account. A key itself is known to nobody but its owner. */
export function createReaderOf({
  sessions,
  owners,
  keys,
  now,
  https,
}: Pick<Console, 'sessions' | 'owners' | 'keys' | 'now' | 'https'>): (ctx: Context) => Promise<DocsReader | undefined> {
  const name = cookieName(SESSION_COOKIE, https)

  return async (ctx) => {
    const session = await sessions.find(parseCookies(ctx.get('cookie')).get(name))
    if (!session) return undefined
    const accountId = shownAccountId(session, await owners.accountsOf(session.mailbox))
    if (accountId === undefined) return undefined
    const [listed, at] = await Promise.all([keys.list(accountId), now()])
    const newest = listed.findLast(
      ({ environment, revokedAt, expiresAt }) =>
        environment === 'sandbox' && revokedAt === null && (expiresAt === null || expiresAt > at),
    )
    return { testKey: newest && hintOf(newest) }
  }
}
