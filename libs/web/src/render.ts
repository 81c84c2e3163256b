import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** The whole HTML document for a page built on `Layout`, doctype included. Every text is escaped by the renderer. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`
}
