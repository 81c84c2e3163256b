import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** The HTML of a whole document, doctype included. The renderer escapes every text. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`
}
