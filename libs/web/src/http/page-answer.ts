// Responses of page handlers: a page, a redirect, a time to retry.
import type { Context } from 'koa'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

export function sendPage(ctx: Context, status: number, page: VNode): void {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = renderPage(page)
}

/** Redirects to one of our paths with 303, after a POST or from a GET without a page of its own. */
export function seeOther(ctx: Context, path: string): void {
  ctx.set('Location', path)
  ctx.body = null
  // Set after the body: Koa turns an empty body into a 204.
  ctx.status = 303
}

/** Redirects from a misspelt address of one of our paths with 308: the browser repeats the request, with its method, there. */
export function movedTo(ctx: Context, path: string): void {
  ctx.set('Location', path)
  ctx.body = null
  ctx.status = 308
}

/** Sets `Retry-After` to the seconds until `at`, at least 1. */
export function setRetryAfter(ctx: Context, at: Date, now: Date): void {
  ctx.set('Retry-After', String(Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1_000))))
}

/** The HTML of a whole document, doctype included. The renderer escapes every text. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`
}
