import type { VNode } from 'preact'
import { describe, expect, it } from '@jest/globals'
import type { Locale } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/page-answer'
import { readText } from '@paraph/web/contract-text/read-text'
import { catalogue } from '../../../../test/catalogue-fixture.js'
import { CancelledPage, ChangedPage, ErrorPage, ExpiredPage } from '../outcome/outcome-pages.js'
import type { CodeState } from '@paraph/codes/code-state'
import { DonePage, type DonePageProps } from '../done/done-page.js'
import { HelpPage, PrivacyPage } from '../help/help-page.js'
import { pageOf } from './links.js'
import { CodePage, OpenPage } from '../identify/identify-pages.js'
import { ReportPage } from '../report/report-page.js'
import { ReviewPage, type ReviewPageProps } from '../review/review-page.js'

const at = new Date('2026-12-04T14:03:00Z')
const senderName = 'Nordic <Foods>'
const frame = (locale: Locale) => ({
  locale,
  styleHref: '/assets/signing/x.css',
  scriptHref: '/assets/signing/x.js',
  footName: 'Paraph',
})
const contract = {
  senderName,
  accountName: 'Nordic Foods Ltd.',
  contractType: 'nda' as const,
  contractNumber: 'EXT-20261120-7KQ4MXTA',
  expiresAt: at,
}
const ended = { senderName, contractNumber: contract.contractNumber }
const form = { token: 'T', formToken: 'F' }
const parties = [
  { role: 'Discloser', legalName: 'Nordic Foods Ltd.', hasSigned: true, isYou: false },
  { role: 'Recipient', legalName: 'Jane Roe', hasSigned: false, isYou: true },
]
const code = (state: CodeState, locale: Locale = 'en') => (
  <CodePage
    {...frame(locale)}
    {...form}
    challenge="C"
    email="jane@example.com"
    senderName={senderName}
    digits={6}
    state={state}
  />
)
const signatureForm = {
  ...form,
  signAttemptId: 'A',
  contentSha256: 'ab'.repeat(32),
  party: { index: 1, role: 'Recipient', legalName: 'Jane Roe' },
  senderName,
}
const review = (props: Partial<ReviewPageProps> = {}, locale: Locale = 'en') => (
  <ReviewPage
    {...frame(locale)}
    contract={contract}
    parties={parties}
    text={readText('TEXT')}
    form={signatureForm}
    {...props}
  />
)
const done = (completedAt: Date | null, locale: Locale) => (
  <DonePage
    {...frame(locale)}
    {...form}
    contract={contract}
    parties={parties}
    own={{ role: 'Recipient', typedName: 'jane roe', signedAt: at }}
    completedAt={completedAt}
    contentSha256={'ab'.repeat(32)}
    contentBytes={4}
    copies={{ state: 'preparing' }}
    mailsCopies
  />
)
/** Pages that the catalogue lacks: names that contain markup, and an installation without an operator's address. */
const furtherPages = (locale: Locale): VNode[] => [
  <OpenPage {...frame(locale)} contract={contract} form={form} />,
  code({ kind: 'sent' }, locale),
  code({ kind: 'wrong', triesLeft: 1 }, locale),
  review({}, locale),
  done(null, locale),
  done(at, locale),
  <ExpiredPage {...frame(locale)} {...ended} expiresAt={at} wasCompleted={false} />,
  <CancelledPage {...frame(locale)} {...ended} cancelledAt={at} by="owner" />,
  <ChangedPage {...frame(locale)} token="T" senderName={senderName} reason="cancelled" />,
  <HelpPage {...frame(locale)} />,
  <PrivacyPage {...frame(locale)} />,
]

describe.each(['en', 'fr'] as const)('the pages of the ceremony in %s', (locale) => {
  it.each([
    ...catalogue.map(({ name, render }) => ({ name, html: render(locale, '/assets/signing/x.css') })),
    ...furtherPages(locale).map((page, index) => ({ name: `further page ${index}`, html: renderPage(page) })),
  ])('follow the rules for all pages: $name [ceremony: pages]', ({ html }) => {
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).toContain(`<html lang="${locale === 'en' ? 'en-GB' : 'fr-CA'}"`)
    // Help, privacy and the report link are on every page, in the same place. [WCAG 3.2.6]
    expect(html).toMatch(/href="\/help".*href="\/privacy".*href="\/help#report"/)
    // One script, which shows times in the zone of the reader. [D60]
    expect(html.match(/<script[^>]*>/g)).toEqual([expect.stringMatching(/^<script src="\/assets\/[\w./-]+" defer>$/)])
    // The Content-Security-Policy forbids inline scripts and styles; typed text is escaped.
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+="|<Foods>/)
    // Words that the copy avoids, and values that leaked into the markup.
    expect(html).not.toMatch(/undefined|\[object|\bNaN\b|\bverified\b|successfully|\bplease\b/)
    // At most one primary button. [ceremony: how the pages look]
    expect(html.match(/button-(primary|big)"/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })
})

/** The text of a page without its style sheet, where only blocks separate text. A mark stands for each edge of an inline element. */
function unstyledText(html: string): string {
  const contract = /<div class="contract-text".*?<footer>/s
  return html
    .replace(/^.*<body/s, '<body')
    .replace(contract, '')
    .replace(/<\/?(?:a|b|bdi|span|strong|time)\b[^>]*>/g, '\u0001')
    .replace(/<[^>]*>/g, '\n')
}

it.each(catalogue)('$name keeps its parts apart without the style sheet, as in a text browser', ({ render }) => {
  const text = unstyledText(render('en', '/assets/signing/x.css'))
  expect([...text.matchAll(/.{0,20}[\p{L}\p{N}.]\u0001+[\p{L}\p{N}].{0,20}/gu)].map(([stuck]) => stuck)).toEqual([])
})

it('the contents have no numbers of a list beside the numbers of the text', () => {
  const headings = Array.from({ length: 5 }, (_, index) => `${index + 1}. HEADING\n\nWords.\n`).join('\n')
  expect(renderPage(review({ text: readText(headings) }))).toMatch(/<details class="disclosure contents">.*<ul lang/)
})

const namesIn = (html: string) => new Set([...html.matchAll(/<input[^>]*\sname="(\w+)"/g)].map(([, name]) => name))

describe('the forms', () => {
  it('request a code with the address alone [ceremony 1]', () => {
    const html = renderPage(<OpenPage {...frame('en')} contract={contract} form={form} />)
    expect(html).toContain('action="/contract/T/code"')
    expect(namesIn(html)).toEqual(new Set(['formToken', 'email']))
    expect(html).not.toContain('Jane Roe')
  })

  it('post a code, or the request for a new code, for the challenge of the page [ceremony 2]', () => {
    const html = renderPage(code({ kind: 'sent' }))
    expect(html).toContain('action="/contract/T/code/C"')
    expect(html).toContain('action="/contract/T/resend"')
    expect(namesIn(html)).toEqual(new Set(['formToken', 'challenge', 'code']))
    expect(html).toMatch(/<input[^>]*inputmode="numeric" autocomplete="one-time-code"/)
  })

  it('have no code field after the last try, and no "Send a new code" after the last send [D16]', () => {
    expect(namesIn(renderPage(code({ kind: 'dead' })))).toEqual(new Set(['formToken', 'challenge']))
    const html = renderPage(code({ kind: 'dead', tryAgainAt: at }))
    expect(namesIn(html)).toEqual(new Set())
    expect(html).toContain('Try again after 14:03\u00A0UTC')
  })

  it('post the party, the hash of the text and the attempt to sign; the tick box is initially empty [ceremony 6, D41]', () => {
    const html = renderPage(review())
    expect(html).toContain('action="/contract/T/sign"')
    expect(namesIn(html)).toEqual(
      new Set(['formToken', 'partyIndex', 'contentSha256', 'signAttemptId', 'language', 'consent', 'typedName']),
    )
    expect(html).toMatch(/<input[^>]*name="consent"[^>]*value="yes"/)
    expect(html).not.toMatch(/<input[^>]*\schecked/)
  })
})

it('a form that is too old marks no field: the summary links to the error above the button', () => {
  for (const page of [
    code({ kind: 'form_too_old' }),
    <OpenPage {...frame('en')} contract={contract} form={{ ...form, email: 'jane@example.com', error: 'too_old' }} />,
    <ReportPage {...frame('en')} form={{ ...form, reason: 'other' }} errors={{ reason: 'too_old' }} />,
  ]) {
    const html = renderPage(page)
    expect(html).toMatch(
      /class="error-summary".*<a href="#(.+?)">This page was open.*id="\1"[^>]*>This page was open[^<]*<\/p><button/,
    )
    expect(html).not.toMatch(/aria-invalid|field-wrong/)
  }
})

it('a page isolates a name that a user chose in a sentence, and adds no second full stop after "Inc." [UAX 9]', () => {
  const pages = (legalName: string) => [
    renderPage(<ExpiredPage {...frame('fr')} {...ended} senderName={legalName} expiresAt={at} wasCompleted={false} />),
    renderPage(review({ form: { ...signatureForm, party: { index: 1, role: 'מקבל', legalName } } })),
  ]
  const [expired, toSign] = pages('Roe Inc.')
  expect(expired).toContain('<p>Demandez-en un nouveau à <bdi>Roe Inc.</bdi></p>')
  expect(toSign).toContain('You sign as <strong><bdi>מקבל</bdi>, <bdi>Roe Inc.</bdi></strong> Nothing is signed')
  expect(pages('יעל (Yael) 3')[1]).toContain('As written in the contract: <bdi class="unbroken">יעל (Yael) 3</bdi></p>')
})

it('a page links to itself in the other language, also in answer to a form [ceremony: i18n]', () => {
  const pages = ['', '/code/C', '/review', '/report'].map((path) => `/contract/T${path}`)
  expect(pages.map(pageOf)).toEqual(pages)
  expect(['/code', '/resend', '/leave', '/sign'].map((path) => pageOf(`/contract/code${path}`))).toEqual([
    ...Array.from({ length: 3 }, () => '/contract/code'),
    '/contract/code/review',
  ])
  // The address of these pages contains more than the action of their forms.
  expect(renderPage(code({ kind: 'wrong', triesLeft: 1 }))).toContain('<a href="/contract/T/code/C?lang=fr"')
  expect(renderPage(review({ hasOtherRoles: true }))).toContain('<a href="/contract/T/review?party=1&amp;lang=fr"')
})

it('the error page never denies a signature [ceremony 16, D41]', () => {
  const html = renderPage(<ErrorPage {...frame('en')} signature={{ kind: 'untouched' }} requestId="R" />)
  expect(html).not.toContain('Nothing was signed')
})

it('the last page leads to the check of the PDF, once there is one, and to the check without this site [ceremony 8, D68]', () => {
  const copies = { state: 'ready', keyId: 'K', pdfBytes: 1, jwsBytes: 1 } as const
  const html = renderPage(<DonePage {...(done(at, 'en').props as DonePageProps)} copies={copies} />)
  expect(html).toContain('<a class="plain-link" href="/verify">Check this document</a>')
  expect(html).toContain('href="/docs/evidence"')
  expect(renderPage(done(at, 'en'))).not.toContain('href="/verify"')
})

it('the review page counts one line, one word and one minute in the singular [ceremony: i18n]', () => {
  const text = readText('TEXT')
  expect(renderPage(review({ text }))).toContain('End of the contract: 1 line, 1 word, 4 bytes.')
  expect(renderPage(review({ text }, 'fr'))).toContain('Fin du contrat\u00A0: 1 ligne, 1 mot, 4 octets.')
  expect(renderPage(review({ text }))).toContain('1 word, about 1 minute</span>')
})

it('a page on which only a new code helps has no field, and its button is the primary one', () => {
  for (const kind of ['not_sent', 'not_sent_yet', 'lapsed', 'dead'] as const) {
    const html = renderPage(code({ kind }))
    expect(namesIn(html)).toEqual(new Set(['formToken', 'challenge']))
    expect(html).toContain('<button class="button button-primary" type="submit">Send a new code</button>')
  }
})

it('a page on which no code was sent does not say that one was sent', () => {
  for (const kind of ['resent_too_soon', 'not_sent', 'not_sent_yet', 'lapsed'] as const)
    expect(renderPage(code({ kind }))).not.toMatch(/we have sent (?:it|you)/)
  expect(renderPage(code({ kind: 'dead', isTooSoon: true }))).toContain(
    'We can send the next one in less than a minute.',
  )
})

it('the bar of a sandbox contract says when the contract ends, unless it has ended', () => {
  const bar = (sandbox: object) =>
    /<aside.*?<\/aside>/
      .exec(renderPage(<HelpPage {...frame('en')} sandbox={sandbox} />))![0]
      .replace(/<\/?time[^>]*>/g, '')
  expect(bar({ endsAt: at })).toContain('It ends on 4\u00A0December\u00A02026, 14:03\u00A0UTC.')
  expect(bar({})).not.toContain('ends')
})

it("the pages follow each language's rule for the singular [ceremony: i18n]", () => {
  expect(renderPage(code({ kind: 'wrong', triesLeft: 1 }))).toContain('You have 1 try left.')
  expect(renderPage(code({ kind: 'wrong', triesLeft: 0 }, 'fr'))).toContain('Il vous reste 0\u00A0essai.')
  expect(renderPage(code({ kind: 'wrong', triesLeft: 2 }, 'fr'))).toContain('Il vous reste 2\u00A0essais.')
})
