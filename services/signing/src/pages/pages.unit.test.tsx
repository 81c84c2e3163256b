import type { VNode } from 'preact'
import { describe, expect, it } from 'vitest'
import type { Locale } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/render'
import { readText } from '../contract-text/read-text.js'
import { CancelledPage } from './cancelled-page.js'
import { ChangedPage } from './changed-page.js'
import { CodePage, type CodeState } from './code-page.js'
import { CookiesPage } from './cookies-page.js'
import { DonePage } from './done-page.js'
import { ExpiredPage } from './expired-page.js'
import { HelpPage } from './help-page.js'
import { LeftPage } from './left-page.js'
import { NotFoundPage } from './not-found-page.js'
import { OnHoldPage } from './on-hold-page.js'
import { OpenPage } from './open-page.js'
import { PrivacyPage } from './privacy-page.js'
import { ReviewPage, type ReviewPageProps } from './review-page.js'
import { SignAsPage } from './sign-as-page.js'
import { TroublePage, type SignatureKnowledge } from './trouble-page.js'
import { WaitPage } from './wait-page.js'

const at = new Date('2026-12-04T14:03:00Z')
const senderName = 'Nordic <Foods>'
const frame = (locale: Locale) => ({ locale, styleHref: '/assets/signing/x.css' })
const facts = {
  senderName,
  accountName: 'Nordic Foods Ltd.',
  contractType: 'nda' as const,
  contractNumber: 'EXT-20261120-7KQ4MXTA',
  expiresAt: at,
}
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
const review = (props: Partial<ReviewPageProps> = {}, locale: Locale = 'en') => (
  <ReviewPage
    {...frame(locale)}
    facts={facts}
    parties={parties}
    text={readText('TEXT')}
    form={{
      ...form,
      signAttemptId: 'A',
      contentSha256: 'ab'.repeat(32),
      party: { index: 1, role: 'Recipient', legalName: 'Jane Roe' },
      senderName,
    }}
    {...props}
  />
)
const done = (completedAt: Date | null, locale: Locale) => (
  <DonePage
    {...frame(locale)}
    {...form}
    facts={facts}
    parties={parties}
    own={{ role: 'Recipient', typedName: 'jane roe', signedAt: at }}
    completedAt={completedAt}
    contentSha256={'ab'.repeat(32)}
    contentBytes={4}
  />
)
const roles = [
  { index: 0, role: 'Buyer', legalName: 'Jane Roe', signedAt: null },
  { index: 2, role: 'Director', legalName: 'Roe Inc.', signedAt: at },
]

const CODE_STATES: CodeState[] = [
  { kind: 'sent' },
  { kind: 'sent', delayed: true },
  { kind: 'resent' },
  { kind: 'resent_too_soon' },
  { kind: 'sends_used_up', tryAgainAt: at },
  { kind: 'missing' },
  { kind: 'wrong_shape' },
  { kind: 'wrong', triesLeft: 1 },
  { kind: 'expired', newCodeSent: false },
  { kind: 'used' },
  { kind: 'dead' },
  { kind: 'dead', tryAgainAt: at },
]
const KNOWLEDGE: SignatureKnowledge[] = [
  { kind: 'nothing_signed' },
  { kind: 'recorded', at },
  { kind: 'unknown' },
  { kind: 'untouched' },
]

const everyPage = (locale: Locale): VNode[] => [
  <OpenPage {...frame(locale)} sandbox facts={facts} form={form} />,
  <OpenPage {...frame(locale)} facts={facts} form={{ ...form, email: 'x', error: 'format' }} notice="session_ended" />,
  ...CODE_STATES.map((state) => code(state, locale)),
  <SignAsPage {...frame(locale)} token="T" roles={roles} />,
  review({}, locale),
  done(null, locale),
  done(at, locale),
  <ExpiredPage {...frame(locale)} senderName={senderName} expiresAt={at} wasCompleted={false} />,
  <ExpiredPage {...frame(locale)} senderName={senderName} expiresAt={at} wasCompleted />,
  <CancelledPage {...frame(locale)} senderName={senderName} cancelledAt={at} bySender={false} />,
  <NotFoundPage {...frame(locale)} />,
  <OnHoldPage {...frame(locale)} form={form} />,
  <LeftPage {...frame(locale)} token="T" />,
  ...KNOWLEDGE.map((signature) => <TroublePage {...frame(locale)} signature={signature} requestId="R" />),
  <CookiesPage {...frame(locale)} host="sign.example.com" token="T" />,
  ...(['cancelled', 'expired', 'text', 'form'] as const).map((reason) => (
    <ChangedPage {...frame(locale)} token="T" senderName={senderName} reason={reason} />
  )),
  <WaitPage {...frame(locale)} tryAgainAt={at} />,
  <HelpPage {...frame(locale)} operatorAddress="operator@example.com" />,
  <PrivacyPage {...frame(locale)} />,
]

describe.each(['en', 'fr'] as const)('every page of the ceremony in %s', (locale) => {
  it.each(everyPage(locale).map((page) => renderPage(page)))('keeps the rules of a page, number %#', (html) => {
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).toContain(`<html lang="${locale === 'en' ? 'en-GB' : 'fr-CA'}"`)
    // Help, privacy and the report link stand on every page, in the same place. [WCAG 3.2.6]
    expect(html).toMatch(/href="\/help".*href="\/privacy".*href="\/help#report"/)
    // The policy forbids script and inline style; whatever people wrote is escaped.
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+="|<Foods>/)
    expect(html).not.toMatch(/undefined|\[object|\bNaN\b|\bPDF\b|\bverified\b|successfully|\bplease\b/)
    // One primary button at most. [screens: rules of the look]
    expect(html.match(/button-(primary|big)"/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })
})

const namesIn = (html: string) => new Set([...html.matchAll(/<input[^>]*\sname="(\w+)"/g)].map(([, name]) => name))

describe('what the forms send', () => {
  it('asks for a code with the address alone [ceremony 1]', () => {
    const html = renderPage(<OpenPage {...frame('en')} facts={facts} form={form} />)
    expect(html).toContain('action="/contract/T/code"')
    expect(namesIn(html)).toEqual(new Set(['formToken', 'email']))
    expect(html).not.toContain('Jane Roe')
  })

  it('sends a code or asks for a new one for the challenge in the URL [ceremony 2]', () => {
    const html = renderPage(code({ kind: 'sent' }))
    expect(html).toContain('action="/contract/T/code/C"')
    expect(html).toContain('action="/contract/T/resend"')
    expect(namesIn(html)).toEqual(new Set(['formToken', 'challenge', 'code']))
    expect(html).toMatch(/<input[^>]*inputmode="numeric" autocomplete="one-time-code"/)
  })

  it('offers no code field once the tries are used up, and no sending when that is used up too [D16]', () => {
    expect(namesIn(renderPage(code({ kind: 'dead' })))).toEqual(new Set(['formToken', 'challenge']))
    const html = renderPage(code({ kind: 'dead', tryAgainAt: at }))
    expect(namesIn(html)).toEqual(new Set())
    expect(html).toContain('Try again after 14:03\u00A0UTC')
  })

  it('signs with party, hash and attempt; the box comes unticked [ceremony 6, D41]', () => {
    const html = renderPage(review())
    expect(html).toContain('action="/contract/T/sign"')
    expect(namesIn(html)).toEqual(
      new Set(['formToken', 'partyIndex', 'contentSha256', 'signAttemptId', 'language', 'consent', 'typedName']),
    )
    expect(html).toMatch(/<input[^>]*name="consent"[^>]*value="yes"/)
    expect(html).not.toMatch(/<input[^>]*\schecked/)
  })
})

it('never denies a signature on a page that only could not be shown [ceremony 16, D41]', () => {
  const html = renderPage(<TroublePage {...frame('en')} signature={{ kind: 'untouched' }} requestId="R" />)
  expect(html).not.toContain('Nothing was signed')
})

it('names the downloaded file in the command as it is saved [ceremony 8]', () => {
  const html = renderPage(done(at, 'en'))
  expect(html).toContain('download="EXT-20261120-7KQ4MXTA.txt"')
  expect(html).toMatch(/sha256sum EXT-20261120-7KQ4MXTA\.txt/)
})

it('takes the singular where each language does [ceremony: i18n]', () => {
  expect(renderPage(code({ kind: 'wrong', triesLeft: 1 }))).toContain('You have 1 try left.')
  expect(renderPage(code({ kind: 'wrong', triesLeft: 0 }, 'fr'))).toContain('Il vous reste 0 essai.')
  expect(renderPage(code({ kind: 'wrong', triesLeft: 2 }, 'fr'))).toContain('Il vous reste 2 essais.')
})
