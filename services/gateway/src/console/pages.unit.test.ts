// Checks the text of every page of the console in every state: French typography and the content security policy.
import { describe, expect, it } from '@jest/globals'
import { LOCALES } from '@paraph/web/locale'
import { catalogue } from '../../test/console-catalogue-fixture.js'

const textOf = (html: string): string =>
  html
    .replace(/<(pre|textarea|bdi|code|title|svg)\b[\s\S]*?<\/\1>/g, 'x')
    .replace(/<span class="(?:mono|agent)[^>]*>[\s\S]*?<\/span>/g, 'x')
    .replace(/<[^>]+>/g, '|')

describe.each(catalogue)('$name', ({ render }) => {
  it('is in Canadian French: a no-break space before a colon and inside quotation marks, none before ? and ! [D25]', () => {
    const text = textOf(render('fr', '/sheet.css')).replace(/\d\d?:\d\d(:\d\d)?|https?:\/\/\S+|[\da-f:]+::\/\d+/g, 'x')
    expect(text.match(/.{0,30}(?:[^\u00A0]:|[ \u00A0][?!]|« | »).{0,10}/g)).toBeNull()
  })

  it('has no inline script and no inline style [CSP]', () => {
    for (const locale of LOCALES) {
      const html = render(locale, '/sheet.css')
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
    }
  })
})
