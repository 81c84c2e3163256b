import { expect, it } from '@jest/globals'
import { LOCALES } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/page-answer'
import { RefusalPage } from './plain-page.js'
import { PLAIN_PAGES, type PlainPage } from './plain-page-messages.js'

const STYLE_HREF = '/assets/gateway/0123456789abcdef.css'

it.each(Object.keys(PLAIN_PAGES) as PlainPage[])(
  'the page %s links a style sheet, and has neither script nor inline style [CSP]',
  (page) => {
    for (const locale of LOCALES) {
      const html = renderPage(<RefusalPage {...{ page, locale, styleHref: STYLE_HREF }} />)
      expect(html).toContain(`<link rel="stylesheet" href="${STYLE_HREF}"/>`)
      expect(html).not.toMatch(/<script|<style|\sstyle=/)
    }
  },
)
