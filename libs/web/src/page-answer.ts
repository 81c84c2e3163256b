// How a request for a page is answered: a page, another address, a time to come again.
import type { Context } from 'koa'
import type { VNode } from 'preact'
import { renderPage } from './render.js'

/** Sends a whole page. */
export function sendPage(ctx: Context, status: number, page: VNode): void {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = renderPage(page)
}

/** Answers a POST, or a GET that has nothing to show, with another address of ours. */
export function seeOther(ctx: Context, path: string): void {
  ctx.set('Location', path)
  ctx.body = null
  // After the body: Koa makes an empty one a 204.
  ctx.status = 303
}

/** `Retry-After` in seconds, as the page says in words. */
export function sayRetryAfter(ctx: Context, at: Date, now: Date): void {
  ctx.set('Retry-After', String(Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1_000))))
}
