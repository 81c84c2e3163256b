import { expect, it } from '@jest/globals'
import { ErrorSummary, TextField } from './fields.js'
import { Layout } from './layout.js'
import { renderPage } from '../http/page-answer.js'
import { Disclosure } from './sheet.js'
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
      <TextField name="code" label="Code" hint="6 digits" error="Wrong" value='"><i>' />
    </div>,
  )
  expect(html).toMatch(/tabindex="-1" autofocus/)
  expect(html).toContain('<a href="#code">Wrong</a>')
  expect(html).toContain('<p class="field-error" id="code-error">Wrong</p>')
  expect(html).toMatch(/aria-describedby="code-hint code-error"/)
  expect(html).toContain('value="&quot;>&lt;i>"')
})

it('a page starts with a link to its content, past the test bar and the links of the frame [WCAG 2.4.1]', () => {
  const html = renderPage(
    <Layout {...frame} locale="fr" title="Titre" testBar={{ title: 'Essai' }}>
      <h1>Titre</h1>
    </Layout>,
  )
  expect(html).toMatch(/<body><a class="skip-link" href="#page">Aller au contenu<\/a>.*<main id="page"/)
})

it('a disclosure has a summary for each of its states, of which the style sheet shows one', () => {
  const html = renderPage(
    <Disclosure summary="Show" whenOpen="Hide">
      <p>Text</p>
    </Disclosure>,
  )
  expect(html).toContain('<span class="when-closed">Show</span> <span class="when-open">Hide</span>')
})

it('the signature lines show only the reader if there are more than six parties, and list the unsigned ones first', () => {
  const parties = Array.from({ length: 8 }, (_, index) => ({
    role: 'Party',
    legalName: `Name ${index}`,
    hasSigned: index < 5,
    isYou: index === 7,
  }))
  const others = (count: number) => `${count} more`
  const messages = { signed: 'Signed', notSigned: 'Not yet', you: 'you', others, hideOthers: 'Hide' }
  const html = renderPage(<SignatureLines parties={parties} messages={messages} />)
  const [shown = '', hidden = ''] = html.split('7 more')
  expect(shown.match(/Name \d/g)).toEqual(['Name 7'])
  expect(hidden.match(/Name \d/g)).toEqual(['Name 5', 'Name 6', ...[0, 1, 2, 3, 4].map((index) => `Name ${index}`)])
})
