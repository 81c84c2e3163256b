// Checks the text of every page of the console in every state: French typography and the content security policy.
import { describe, expect, it } from '@jest/globals'
import { LOCALES } from '@paraph/web/locale'
import { frenchTypographyFaults } from '@paraph/testing/french-typography'
import { catalogue } from '../../test/console-catalogue-fixture.js'

/** Our own words: without what people wrote, code and numbers for machines. */
const textOf = (html: string): string =>
  html
    .replace(/<p class="written\b[^>]*>[\s\S]*?<\/p>|<div class="contract-text"[\s\S]*?<\/div>/g, 'x')
    .replace(/<(pre|textarea|bdi|code|title|svg|option)\b[\s\S]*?<\/\1>/g, 'x')
    .replace(/<(span|div|a|dt|ul) class="[^"]*\bmono\b[^>]*>[\s\S]*?<\/\1>/g, 'x')
    .replace(/<[^>]+>/g, '|')

describe.each(catalogue)('$name', ({ render }) => {
  it('is in Canadian French: a no-break space before a colon and inside quotation marks, none before ? and ! [D25]', () => {
    expect(frenchTypographyFaults(textOf(render('fr', '/sheet.css')))).toEqual([])
  })

  it('has no inline script and no inline style [CSP]', () => {
    for (const locale of LOCALES) {
      const html = render(locale, '/sheet.css')
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
    }
  })
})
