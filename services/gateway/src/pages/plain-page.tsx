// Error pages of the gateway in the reader's language: not found, busy, signing unavailable, too large. [D25]
// They cost next to nothing, because a flood of refused forms gets them: no database, and each is rendered once.
import type { Context } from 'koa'
import { Document } from '@paraph/web/layout'
import type { Locale } from '@paraph/web/locale'
import { Wordmark } from '@paraph/web/mark'
import { renderPage } from '@paraph/web/page-answer'
import { pageHeaders } from '@paraph/web/security-headers'
import { localeOf } from './locale.js'
import { PLAIN_PAGES, type PlainPage } from './plain-page-messages.js'

interface PlainPagesDeps {
  /** Whether people reach the site by https. */
  https: boolean
  /** Path of a style sheet that the gateway itself serves: the signing service's may be unavailable. */
  styleHref: string
}

/** Answers with one of the pages. */
export type SendPlainPage = (ctx: Context, page: PlainPage) => void

export function createPlainPages({ https, styleHref }: PlainPagesDeps): SendPlainPage {
  const headers = pageHeaders(https)
  const rendered = new Map<string, string>()

  /** The HTML of a page, rendered at its first use. */
  function htmlOf(page: PlainPage, locale: Locale): string {
    const key = `${page} ${locale}`
    const html = rendered.get(key) ?? renderPage(<RefusalPage {...{ page, locale, styleHref }} />)
    rendered.set(key, html)
    return html
  }

  return (ctx, page) => {
    const { status } = PLAIN_PAGES[page]
    ctx.status = status
    ctx.set(headers)
    if (status === 503) ctx.set('Retry-After', '5')
    ctx.type = 'html'
    ctx.body = htmlOf(page, localeOf(ctx, https))
  }
}

/** A dotted line, a heading and one paragraph. */
export function RefusalPage({ page, locale, styleHref }: { page: PlainPage; locale: Locale; styleHref: string }) {
  const { title, text } = PLAIN_PAGES[page]
  return (
    <Document locale={locale} title={title[locale]} styleHref={styleHref}>
      <header class="top">
        <Wordmark />
      </header>
      <main class="task">
        <hr class="bare-line" />
        <h1>{title[locale]}</h1>
        <p class="lead">{text[locale]}</p>
      </main>
    </Document>
  )
}
