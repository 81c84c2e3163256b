import { expect, it } from '@jest/globals'
import { ErrorSummary, TextField } from './fields.js'
import { Layout } from './layout.js'
import { renderPage } from '../http/page-answer.js'
import { SignatureLines } from './signature-line.js'

const frame = { styleHref: '/assets/x.css', foot: { note: 'Note', label: 'About', links: [] } }

it('the layout links to the other language in that language [ceremony: i18n]', () => {
  const html = renderPage(
    <Layout {...frame} locale="en" title="Title" otherLanguageHref="/help?lang=fr">
      <h1>Title</h1>
    </Layout>,
  )
  expect(html).toMatch(/^<!doctype html><html lang="en-GB">/)
  expect(html).toContain('<a href="/help?lang=fr" lang="fr-CA" hreflang="fr-CA">Français</a>')
})

it('the layout has no script and no inline style, because the content security policy forbids both [ceremony]', () => {
  const html = renderPage(
    <Layout {...frame} locale="fr" title="<script>alert(1)</script>" testBar={{ title: 'Essai', detail: '' }}>
      <ErrorSummary title="Problem" errors={[{ field: 'email', message: '<b>' }]} />
    </Layout>,
  )
  expect(html).not.toMatch(/<script|<style|\sstyle=|<b>|\son\w+=/)
})

it('the layout shows an error with the same text in the summary and at its field, and keeps the typed value [WCAG 3.3.1]', () => {
  const html = renderPage(
    <div>
      <ErrorSummary title="There is a problem" errors={[{ field: 'code', message: 'Wrong' }]} />
      <TextField name="code" label="Code" hint="6 numbers" error="Wrong" value='"><i>' />
    </div>,
  )
  expect(html).toMatch(/tabindex="-1" autofocus/)
  expect(html).toContain('<a href="#code">Wrong</a>')
  expect(html).toContain('<p class="field-error" id="code-error">Wrong</p>')
  expect(html).toMatch(/aria-describedby="code-hint code-error"/)
  expect(html).toContain('value="&quot;>&lt;i>"')
})

it('the signature lines show the reader and the unsigned parties first if there are more than six parties', () => {
  const parties = Array.from({ length: 8 }, (_, index) => ({
    role: 'Party',
    legalName: `Name ${index}`,
    hasSigned: index < 5,
    isYou: index === 7,
  }))
  const messages = { signed: 'Signed', notSigned: 'Not yet', you: 'you', others: (count: number) => `${count} more` }
  const html = renderPage(<SignatureLines parties={parties} messages={messages} />)
  const [shown = '', hidden = ''] = html.split('2 more')
  expect(shown.match(/Name \d/g)).toEqual(['Name 7', 'Name 5', 'Name 6', 'Name 0', 'Name 1', 'Name 2'])
  expect(hidden.match(/Name \d/g)).toEqual(['Name 3', 'Name 4'])
})
