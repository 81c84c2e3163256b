// Handlers of the operator's audit log: a page by filters, and the same entries as CSV. [D75]
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { mailboxOf, isUnstorable } from '@paraph/protocol/text-rules'
import { sendPage } from '@paraph/web/page-answer'
import { ACTOR_KINDS, ACTS, listActs, type AuditFilter } from '../../accounts/audit.js'
import type { Console, Handler, SignedInRequest } from '../console-context.js'
import { csvLine } from '../csv.js'
import { AuditPage, type TypedFilter } from '../operator/audit-page.js'
import { readAuditPage } from './account.js'

/** Entries that one query of the CSV reads. */
const CSV_BATCH = 500

/** The filters of an address. A value that none can have filters nothing, and the form shows it empty. */
function filterIn(ctx: Context): { typed: TypedFilter; filter: AuditFilter } {
  const parameter = (name: string): string => {
    const value = ctx.query[name]
    return typeof value === 'string' && !isUnstorable(value) ? value.slice(0, 320).trim() : ''
  }
  const day = (name: string): string => (isDay(parameter(name)) ? parameter(name) : '')
  const actor = ACTOR_KINDS.find((each) => each === parameter('actor'))
  const act = ACTS.find((each) => each === parameter('act'))
  const who = parameter('who')
  const [from, until] = [day('from'), day('until')]
  return {
    typed: { actor: actor ?? '', who, act: act ?? '', from, until },
    filter: {
      actor,
      act,
      who: who === '' ? undefined : who.includes('@') ? mailboxOf(who) : who,
      from: from === '' ? undefined : new Date(`${from}T00:00:00.000Z`),
      until: until === '' ? undefined : new Date(`${until}T23:59:59.999Z`),
    },
  }
}

/** A day of this millennium, which the database can compare. */
const isDay = (day: string): boolean => /^2\d{3}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))

export const auditLog: Handler<SignedInRequest> = async (ctx, { deps, page }) => {
  const { typed, filter } = filterIn(ctx)
  sendPage(ctx, 200, <AuditPage {...{ page, typed }} {...await readAuditPage(ctx, deps, filter)} />)
}

export const auditCsv: Handler<SignedInRequest> = (ctx, { deps }) => {
  ctx.type = 'text/csv'
  ctx.set('Content-Disposition', 'attachment; filename="audit.csv"')
  ctx.body = Readable.from(linesOf(deps, filterIn(ctx).filter))
  return Promise.resolve()
}

/** One line for each entry, newest first. Nothing is deleted from the log, so a batch continues where the one before ended. */
async function* linesOf({ database }: Console, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(['time', 'actor', 'who', 'act', 'account', 'subject', 'facts'])
  for (let before: number | undefined; ;) {
    const { entries, hasMore } = await listActs(database, { ...filter, before, limit: CSV_BATCH })
    yield entries
      .map(({ at, actor, mailbox, actorName, act, accountId, subject, facts }) =>
        csvLine([at.toISOString(), actor, mailbox ?? actorName, act, accountId, subject, JSON.stringify(facts)]),
      )
      .join('')
    before = entries.at(-1)?.id
    if (!hasMore) return
  }
}
