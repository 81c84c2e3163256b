// The limits of page POSTs, with or without a session: in memory, before the body is read and before a database or another service is
// asked, so that a refused form costs neither. [P26]
// Owns: the numbers, and that a form is at work only once its body is here. Does not own: the windows and counts (rate-limit/).
// A form with a file to check has limits of its own, and its body is not read here. [D68]
import type { Context, Middleware, Next } from 'koa'
import { LOGO_BYTES_MAX } from '@paraph/protocol/brand'
import { addressBlocksOf } from '@paraph/http/address-block'
import { clientAddressOf } from '../edge/client-address.js'
import { pathOfTarget } from '../edge/endpoints.js'
import { requestBody } from '../edge/request-body.js'
import { createInFlight, type Place } from '../rate-limit/in-flight.js'
import { createMemoryWindows } from '../rate-limit/memory-store.js'
import { createHeldAnswers } from './held-answers.js'
import type { SendPlainPage } from './plain-page.js'

/** Forms are small; the longest one is a report. One has a logo. */
const BODY_BYTES_MAX = 65_536
const LOGO_FORM = '/console/account/brand'
const LOGO_FORM_BYTES_MAX = LOGO_BYTES_MAX + 16_384

/** A width of address block: IPv4 or /64, /56, /48. An office of 100 behind one IPv4 address that signs at once sends some 500 forms. */
const WIDTHS = [
  { formsPerMinute: 600, inFlight: 20 },
  { formsPerMinute: 1_200, inFlight: 40 },
  { formsPerMinute: 2_400, inFlight: 80 },
] as const
/** The same for files to check, each of which is up to 30 MB and a core for a second. */
const CHECK_WIDTHS = [
  { formsPerMinute: 10, inFlight: 4 },
  { formsPerMinute: 20, inFlight: 6 },
  { formsPerMinute: 40, inFlight: 8 },
] as const
/** All files on their way: each holds a connection to the signing service, of which the pages need most. */
const CHECKS_MAX = 12
/** A full window takes up to 2.4 KiB, but one has to send 600 forms a minute to fill it. */
const WINDOWS_MAX = 50_000

/** Forms at work on one contract, whose codes the database handles one after the other, and forms of sign-in, which need no session. */
const TARGET_MAX = 10
/**
 * While all are taken, a form keeps its place for this long on average after its end, so that some ten a second are at work. From many
 * addresses they would otherwise follow each other as fast as the database takes them, and leave no core for others.
 */
const REST_MS = 1_000
/** All forms at work, more than both pools that they may wait for have connections. */
const ALL_MAX = 100

/** @param nowMs a clock that never runs backwards */
export function createFormLimits({
  sendPlainPage,
  nowMs,
  holdMs,
  restMs = REST_MS,
}: {
  sendPlainPage: SendPlainPage
  nowMs?: () => number
  holdMs?: number
  restMs?: number
}): Middleware {
  const windows = createMemoryWindows({ windowsMax: WINDOWS_MAX, ...(nowMs ? { nowMs } : {}) })
  const inFlight = createInFlight()
  const hold = createHeldAnswers(holdMs)

  /** Seconds until the client may send a form; undefined if it may now, which counts this one. */
  function waitOf(places: readonly ClientPlace[]): number | undefined {
    // Widest first: a refused /48 adds no windows for its many /64.
    for (const { block, formsPerMinute } of places.toReversed()) {
      const { admitted, state } = windows.admit(block, formsPerMinute)
      if (!admitted) return state().resetSeconds
    }
    return undefined
  }

  /** Answers later, outside Koa, which would keep the whole chain of middleware for a held answer. */
  function refuse(ctx: Context, page: 'tooMany' | 'tooManyChecks' | 'busy', waitSeconds?: number): void {
    ctx.respond = false
    hold(() => {
      // As Koa checks: the response may have ended.
      if (!ctx.writable) return
      sendPlainPage(ctx, page)
      if (waitSeconds !== undefined) ctx.set('Retry-After', String(waitSeconds))
      ctx.res.end(ctx.body)
    })
  }

  /** Lets the form pass, and resolves when it is done; resolves with false if one of its places is full. */
  async function pass(ctx: Context, places: readonly ClientPlace[], next: Next): Promise<boolean> {
    const isCheck = isCheckForm(ctx)
    const taken = places.map(({ block, inFlight: max }): Place => [block, max])
    const leave = inFlight.take(isCheck ? [...taken, ['checks', CHECKS_MAX]] : taken)
    if (!leave) return false
    try {
      if (isCheck) {
        await next()
        return true
      }
      const path = pathOfTarget(ctx.req.url ?? '')
      const target = targetOf(path)
      const work: Place[] = [...(target ? [[target, TARGET_MAX] as const] : []), ['all', ALL_MAX]]
      if (inFlight.isFull(work)) return false
      // A form takes its place at work once it is here: clients that send slowly would hold the places of others for a minute.
      ctx.state.formBody = requestBody(ctx, path === LOGO_FORM ? LOGO_FORM_BYTES_MAX : BODY_BYTES_MAX)
      await ctx.state.formBody.catch(() => undefined)
      const finish = inFlight.take(work)
      if (!finish) return false
      try {
        await next()
        return true
      } finally {
        const wasFull = target !== undefined && inFlight.isFull([[target, TARGET_MAX]])
        finish()
        const rested = wasFull && inFlight.take([[target, TARGET_MAX]])
        // Not all for the same time: ten forms at once would each time make everything else wait.
        if (rested) setTimeout(rested, restMs * (0.5 + Math.random())).unref()
      }
    } finally {
      leave()
    }
  }

  return async (ctx, next) => {
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return next()
    const isCheck = isCheckForm(ctx)
    const places = addressBlocksOf(clientAddressOf(ctx)).map((block, index) => ({
      ...(isCheck ? CHECK_WIDTHS : WIDTHS)[index]!,
      block: isCheck ? `check ${block}` : block,
    }))
    const waitSeconds = waitOf(places)
    if (waitSeconds !== undefined) refuse(ctx, isCheck ? 'tooManyChecks' : 'tooMany', waitSeconds)
    else if (!(await pass(ctx, places, next))) refuse(ctx, 'busy')
  }
}

/** A block of the client's address, and its limits. */
interface ClientPlace {
  block: string
  formsPerMinute: number
  inFlight: number
}

/** True for the form with a file to check: its body passes through as it comes. */
export const isCheckForm = ({ method, req }: Pick<Context, 'method' | 'req'>): boolean =>
  method !== 'GET' && method !== 'HEAD' && pathOfTarget(req.url ?? '') === '/verify'

/** The body of a form, which `createFormLimits` has read; rejects as `requestBody` does. Undefined for a GET or HEAD. */
export const formBodyOf = (ctx: Pick<Context, 'state'>): Promise<Buffer> | undefined => ctx.state.formBody

/** The share link or the sign-in to which a form belongs. */
const targetOf = (path: string): string | undefined => /^\/contract\/[^/]*|^\/console\/sign-in(?=\/|$)/.exec(path)?.[0]
