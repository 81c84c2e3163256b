// Every page of the ceremony in every state, once, for pictures, accessibility checks, printing and measurements. For tests.
// Each name is that of its picture, and starts with the page's number in the table of pages. [ceremony: pages]
import type { VNode } from 'preact'
import {
  CANCELLED_AT,
  COMPLETED_AT,
  ERASED_AT,
  EXPIRES_AT,
  OPERATOR_ADDRESS,
  SANDBOX_TIMES,
  SHARE_BASE_URL,
  STATUS_URL,
} from '@paraph/testing/test/sample-data-fixture'
import { SAMPLE_ACCENT, SAMPLE_LOGO } from '@paraph/testing/test/logo-fixture'
import type { PageBrand } from '@paraph/web/layout'
import type { Locale } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/page-answer'
import { readText } from '@paraph/web/contract-text/read-text'
import * as sample from './catalogue-data-fixture.js'
import { EMAIL, CONTRACT, FORM, REQUEST_ID, SIGNED_AT } from './catalogue-data-fixture.js'
import { SAMPLE_KEYS } from './evidence-fixture.js'
import type { PageProps } from '../src/ceremony/pages/frame/ceremony-frame.js'
import {
  CancelledPage,
  ChangedPage,
  type ChangedPageProps,
  CookiesPage,
  ErasedPage,
  ErrorPage,
  ExpiredPage,
  LeftPage,
  NotFoundPage,
  type SignatureKnowledge,
  WaitPage,
} from '../src/ceremony/pages/outcome/outcome-pages.js'
import { SuspendedPage, type SuspendedPageProps } from '../src/ceremony/pages/outcome/suspended-page.js'
import type { CodeState } from '@paraph/codes/code-state'
import { DonePage, type DonePageProps } from '../src/ceremony/pages/done/done-page.js'
import { HelpPage, PrivacyPage } from '../src/ceremony/pages/help/help-page.js'
import { DeclinedPage, DeclinePage, type DeclinePageProps } from '../src/ceremony/pages/decline/decline-page.js'
import { ReportedPage, ReportPage, type ReportPageProps } from '../src/ceremony/pages/report/report-page.js'
import { ReviewPage, type ReviewPageProps, type SignatureFormProps } from '../src/ceremony/pages/review/review-page.js'
import { SignedTextPage } from '../src/ceremony/pages/review/signed-text-page.js'
import { ResultPage, VerifyPage, type VerifyPageProps } from '../src/ceremony/pages/verify/verify-page.js'
import type { CheckName, EvidenceReport } from '../src/verify/check.js'
import {
  CodePage,
  type CodePageProps,
  OpenPage,
  type OpenPageProps,
  SignAsPage,
} from '../src/ceremony/pages/identify/identify-pages.js'

interface CatalogueEntry {
  /** Unique; the file name of its picture. */
  name: string
  /** The page's HTTP status. */
  status: number
  /** The whole document, with its style sheet at `styleHref`. */
  render: (locale: Locale, styleHref: string) => string
}

const { senderName, contractNumber } = CONTRACT
/** Three quarters of an hour after Jane Roe opened the link. */
const TRY_AGAIN_AT = new Date('2026-11-24T10:40:00Z')

const BRAND: PageBrand = { name: CONTRACT.accountName, accent: SAMPLE_ACCENT, logo: SAMPLE_LOGO }
/** As long as the name of an account may be. */
const HOSTILE_NAME = `${'<b>Wide</b> '.repeat(5)}${'W'.repeat(40)}`

const entry = (name: string, status: number, page: (frame: PageProps) => VNode): CatalogueEntry => ({
  name,
  status,
  render: (locale, styleHref) =>
    renderPage(
      page({
        locale,
        styleHref,
        scriptHref: '/assets/local-zone.js',
        path: '',
        statusHref: STATUS_URL,
        footName: 'Paraph',
      }),
    ),
})

const open = (name: string, props: Partial<OpenPageProps> = {}, status = 200): CatalogueEntry =>
  entry(name, status, (frame) => <OpenPage {...frame} contract={CONTRACT} form={FORM} {...props} />)

const code = (name: string, status: number, state: CodeState, props: Partial<CodePageProps> = {}): CatalogueEntry =>
  entry(name, status, (frame) => (
    <CodePage
      {...frame}
      {...FORM}
      {...{ senderName, state }}
      challenge="sample-challenge"
      email={EMAIL}
      digits={6}
      {...props}
    />
  ))

interface Review extends Partial<ReviewPageProps> {
  content?: string
  typed?: Partial<SignatureFormProps>
}

const review = (name: string, { typed, content = sample.NDA, ...props }: Review = {}, status = 200): CatalogueEntry => {
  const you = (props.parties ?? sample.parties(1)).find(({ isYou }) => isYou)!
  return entry(name, status, (frame) => (
    <ReviewPage
      {...frame}
      contract={CONTRACT}
      parties={sample.parties(1)}
      text={readText(content)}
      form={{
        ...FORM,
        senderName,
        signAttemptId: 'sample-attempt',
        contentSha256: sample.sha256Of(content),
        party: { index: 1, role: you.role, legalName: you.legalName },
        ...typed,
      }}
      {...props}
    />
  ))
}

const done = (name: string, props: Partial<DonePageProps> = {}): CatalogueEntry =>
  entry(name, 200, (frame) => (
    <DonePage
      {...frame}
      {...FORM}
      contract={CONTRACT}
      parties={sample.parties(2)}
      own={{ role: 'Recipient', typedName: 'Jane Roe', signedAt: SIGNED_AT }}
      completedAt={null}
      contentSha256={sample.sha256Of(sample.NDA)}
      contentBytes={Buffer.byteLength(sample.NDA)}
      mailsCopies
      copies={{ state: 'ready', keyId: SAMPLE_KEYS.evidence.keyId, pdfBytes: 131_000, jwsBytes: 7_100 }}
      {...props}
    />
  ))
const allSigned = { parties: sample.parties(3), completedAt: COMPLETED_AT }

/** The page with every <details> open. */
const opened = ({ render, ...page }: CatalogueEntry): CatalogueEntry => ({
  ...page,
  render: (...args) => render(...args).replaceAll('<details', '<details open'),
})

const errorPage = (name: string, signature: SignatureKnowledge): CatalogueEntry =>
  entry(name, 503, (frame) => <ErrorPage {...frame} signature={signature} requestId={REQUEST_ID} />)

const changed = (name: string, status: number, reason: ChangedPageProps['reason']): CatalogueEntry =>
  entry(name, status, (frame) => <ChangedPage {...frame} {...{ senderName, reason }} token={FORM.token} />)

const suspendedPage = (name: string, status: number, props: Partial<SuspendedPageProps>): CatalogueEntry =>
  entry(name, status, (frame) => <SuspendedPage {...frame} {...props} />)

const DECLINING = { senderName, party: { index: 0, role: 'Buyer', legalName: 'Jane Roe' } }
const declinePage = (name: string, status: number, props: Partial<DeclinePageProps> = {}): CatalogueEntry =>
  entry(name, status, (frame) => (
    <DeclinePage {...frame} form={{ ...FORM, ...DECLINING, cancelsOnDecline: false }} {...props} />
  ))

const report = (name: string, status: number, props: Partial<ReportPageProps> = {}): CatalogueEntry =>
  entry(name, status, (frame) => <ReportPage {...frame} form={FORM} operatorAddress={OPERATOR_ADDRESS} {...props} />)

const verifyPage = (name: string, status: number, problem?: VerifyPageProps['problem']): CatalogueEntry =>
  entry(name, status, (frame) => <VerifyPage {...frame} formToken={FORM.formToken} problem={problem} />)

const EVIDENCE: readonly CheckName[] = ['signature', 'key', 'chain', 'signatures', 'environment', 'day']
const PDF: readonly CheckName[] = ['seal', 'certificate', 'attachments', 'text', 'names', ...EVIDENCE]
const result = (
  name: string,
  checks: readonly CheckName[],
  broken: readonly CheckName[] = [],
  more: Partial<EvidenceReport> = {},
): CatalogueEntry => {
  const report: EvidenceReport = {
    checks: checks.map((each) => ({ name: each, holds: !broken.includes(each), says: '' })),
    open: [],
    environment: checks.includes('environment') ? 'production' : undefined,
    contractNumber: checks.includes('environment') ? contractNumber : undefined,
    partyCount: 3,
    keyId: undefined,
    sealFingerprint: undefined,
    ...more,
  }
  return entry(name, 200, (frame) => <ResultPage {...frame} report={report} />)
}

const roles = [
  { index: 0, role: 'Buyer', legalName: 'Jane Roe', signedAt: null },
  { index: 2, role: 'Director', legalName: 'Roe Trading Inc.', signedAt: new Date('2026-11-24T09:12:00Z') },
]
const signAs = (name: string, ownRoles: typeof roles): CatalogueEntry =>
  entry(name, 200, (frame) => <SignAsPage {...frame} {...FORM} roles={ownRoles} />)

export const catalogue: readonly CatalogueEntry[] = [
  open('signing-01-open'),
  open('signing-01s-open-sandbox', { sandbox: sample.SANDBOX, contract: sample.SANDBOX_CONTRACT }),
  open('signing-01z-open-time-zone', { contract: { ...CONTRACT, timeZone: 'America/St_Johns' } }),
  open('signing-01l-open-long-names', {
    contract: { ...CONTRACT, senderName: sample.LONG_SENDER, accountName: sample.LONG_NAME.slice(0, 100) },
  }),
  open('signing-01r-open-right-to-left', { contract: { ...CONTRACT, senderName: sample.ARABIC_NAME } }),
  open('signing-01e-address-missing', { form: { ...FORM, email: '', error: 'missing' } }, 422),
  open('signing-01f-address-format', { form: { ...FORM, email: 'jane.roe@example', error: 'format' } }, 422),
  open('signing-01o-form-too-old', { form: { ...FORM, email: EMAIL, error: 'too_old' } }, 422),
  open('signing-01b-busy', { form: { ...FORM, email: EMAIL, error: 'busy' } }, 503),

  code('signing-02-code', 200, { kind: 'sent' }),
  code('signing-02d-mail-delayed', 200, { kind: 'sent', delayed: true }),
  code('signing-02l-long-address', 200, { kind: 'sent' }, { email: sample.LONG_EMAIL, senderName: sample.LONG_SENDER }),
  code('signing-02n-no-code-sent', 200, { kind: 'not_sent' }),
  code('signing-02o-code-lapsed', 200, { kind: 'lapsed' }),
  code('signing-02t-twelve-numbers', 422, { kind: 'wrong_shape' }, { digits: 12, code: '482931 77' }),
  code('signing-03-wrong-code', 422, { kind: 'wrong', triesLeft: 3 }, { code: '482 931' }),
  code('signing-03e-no-code', 422, { kind: 'missing' }),
  code('signing-03f-not-a-code', 422, { kind: 'wrong_shape' }, { code: '48293' }),
  code('signing-03m-too-many', 429, { kind: 'dead' }),
  code('signing-03k-too-many-too-soon', 429, { kind: 'dead', isTooSoon: true }),
  code('signing-03n-too-many-no-more', 429, { kind: 'dead', tryAgainAt: TRY_AGAIN_AT }),
  code('signing-03o-form-too-old', 422, { kind: 'form_too_old' }, { code: '482931' }),
  code('signing-03b-busy', 503, { kind: 'busy' }, { code: '482931' }),
  code('signing-03r-new-code', 200, { kind: 'resent' }),
  code('signing-03s-new-code-too-soon', 200, { kind: 'resent_too_soon' }),
  code('signing-03t-no-more-codes', 200, { kind: 'sends_used_up', tryAgainAt: TRY_AGAIN_AT }),
  code('signing-03u-used-code', 422, { kind: 'used' }),
  code('signing-03x-expired-code', 422, { kind: 'expired', newCodeSent: true }),
  code('signing-03y-expired-code-none-sent', 422, { kind: 'expired', newCodeSent: false }),

  signAs('signing-04-choose-role', roles),
  signAs('signing-04l-choose-role-long-names', [
    { ...roles[0]!, role: sample.LONG_NAME.slice(0, 100), legalName: sample.LONG_NAME },
    { ...roles[1]!, role: 'المفصح', legalName: sample.ARABIC_NAME },
    { ...roles[0]!, index: 5, role: 'Witness' },
  ]),

  review('signing-05-reading'),
  review('signing-05h-hidden-characters', { content: sample.HIDDEN }),
  review('signing-05l-reading-long-names', {
    content: sample.SHORT,
    contract: { ...CONTRACT, senderName: sample.LONG_SENDER, timeZone: 'America/St_Johns' },
    parties: sample.longParties,
  }),
  review('signing-05p-reading-fifty-parties', { parties: sample.fiftyParties, content: sample.SHORT }),
  review('signing-05r-reading-right-to-left', {
    parties: sample.rightToLeftParties,
    hasOtherRoles: true,
    content: sample.SHORT,
  }),
  review('signing-05s-reading-sandbox', {
    sandbox: sample.SANDBOX,
    contract: sample.SANDBOX_CONTRACT,
    content: sample.SHORT,
  }),
  review('signing-05w-reading-awkward', { content: sample.AWKWARD }),
  review('signing-06-consent', { typed: { typedName: 'Jane Roe', hasConsented: true } }),
  review(
    'signing-06e-consent-error',
    {
      content: sample.SHORT,
      typed: { typedName: 'J', hasConsented: false, errors: { consent: true, typedName: true } },
    },
    422,
  ),
  changed('signing-06c-cancelled-meanwhile', 409, 'cancelled'),
  changed('signing-06d-expired-meanwhile', 409, 'expired'),
  changed('signing-06f-foreign-form', 403, 'form'),
  changed('signing-06h-on-hold-meanwhile', 409, 'suspended'),
  changed('signing-06t-another-text', 409, 'text'),

  done('signing-07-signed-waiting'),
  done('signing-07l-signed-long-names', {
    parties: sample.withYours(sample.longParties),
    own: { role: sample.LONG_NAME.slice(0, 100), typedName: sample.LONG_NAME, signedAt: SIGNED_AT },
  }),
  done('signing-07n-next-role', {
    own: { role: 'Recipient', typedName: 'Jane Roe', signedAt: SIGNED_AT, partyIndex: 1 },
    parties: sample.partiesWithTwoOfYours,
    nextRole: { index: 2, role: 'Director' },
  }),
  done('signing-07p-signed-fifty-parties', {
    parties: sample.withYours(sample.fiftyParties),
    own: { role: 'Shareholder 20', typedName: 'Holding Company Number 20 Inc.', signedAt: SIGNED_AT },
  }),
  done('signing-07h-signed-on-hold', { suspended: true }),
  entry('signing-07v-what-you-signed', 200, (frame) => (
    <SignedTextPage
      {...frame}
      token={FORM.token}
      contract={CONTRACT}
      parties={sample.parties(2)}
      text={readText(sample.NDA)}
      contentSha256={sample.sha256Of(sample.NDA)}
      own={{ role: 'Recipient', legalName: 'Jane Roe', signedAt: SIGNED_AT }}
    />
  )),
  done('signing-08-all-signed', allSigned),
  done('signing-08h-all-signed-on-hold', { ...allSigned, suspended: true }),
  done('signing-08p-preparing', { ...allSigned, copies: { state: 'preparing' } }),
  done('signing-08q-preparing-troubled', { ...allSigned, copies: { state: 'troubled' } }),
  done('signing-08s-all-signed-sandbox', {
    ...allSigned,
    sandbox: sample.SANDBOX,
    contract: sample.SANDBOX_CONTRACT,
    own: { role: 'Recipient', typedName: 'Jane Roe', signedAt: SANDBOX_TIMES[10]! },
    completedAt: SANDBOX_TIMES[16]!,
  }),
  opened(done('signing-08c-command-shown', allSigned)),

  entry('signing-10-expired', 410, (frame) => (
    <ExpiredPage {...frame} {...{ senderName, contractNumber }} expiresAt={EXPIRES_AT} wasCompleted={false} />
  )),
  entry('signing-10c-link-closed', 410, (frame) => (
    <ExpiredPage {...frame} {...{ senderName, contractNumber }} expiresAt={EXPIRES_AT} wasCompleted />
  )),
  entry('signing-11-cancelled', 410, (frame) => (
    <CancelledPage {...frame} {...{ senderName, contractNumber }} cancelledAt={CANCELLED_AT} by="owner" />
  )),
  entry('signing-11o-cancelled-by-operator', 410, (frame) => (
    <CancelledPage {...frame} {...{ senderName, contractNumber }} cancelledAt={CANCELLED_AT} by="operator" />
  )),
  entry('signing-11p-cancelled-by-party', 410, (frame) => (
    <CancelledPage {...frame} {...{ senderName, contractNumber }} cancelledAt={CANCELLED_AT} by="party" />
  )),
  declinePage('signing-25-decline', 200),
  declinePage('signing-25c-decline-cancels', 200, { form: { ...FORM, ...DECLINING, cancelsOnDecline: true } }),
  declinePage('signing-25e-decline-error', 422, { errors: { isReasonMissing: true, isNoteTooLong: true } }),
  entry('signing-25d-declined', 200, (frame) => (
    <DeclinedPage
      {...frame}
      {...{ senderName }}
      token={FORM.token}
      partyIndex={0}
      declinedAt={CANCELLED_AT}
      timeZone="UTC"
    />
  )),
  open('signing-29-brand', { brand: BRAND }),
  open('signing-29a-brand-accent', { brand: { ...BRAND, logo: null }, footName: 'Acme Sign' }),
  open(
    'signing-29l-brand-logo',
    { brand: { ...BRAND, accent: null }, form: { ...FORM, email: 'jane', error: 'format' } },
    422,
  ),
  open('signing-29n-brand-long-name', { brand: { ...BRAND, logo: null, name: HOSTILE_NAME } }),
  entry('signing-12-not-found', 404, (frame) => <NotFoundPage {...frame} />),
  open('signing-14-session-ended', { notice: 'session_ended' }),
  open('signing-14k-session-ended-name-kept', { notice: 'session_ended_typed_name_kept' }),
  entry('signing-15-cookies-blocked', 200, (frame) => (
    <CookiesPage {...frame} host={new URL(SHARE_BASE_URL).host} token={FORM.token} />
  )),
  errorPage('signing-16n-nothing-signed', { kind: 'nothing_signed' }),
  errorPage('signing-16r-recorded', { kind: 'recorded', at: SIGNED_AT }),
  errorPage('signing-16t-page-trouble', { kind: 'untouched' }),
  errorPage('signing-16u-not-known-yet', { kind: 'unknown' }),
  suspendedPage('signing-17-on-hold', 403, { form: FORM }),
  suspendedPage('signing-17c-on-hold-no-copy', 410, {}),
  suspendedPage('signing-17e-on-hold-address', 422, { form: { ...FORM, email: 'jane.roe', error: 'format' } }),
  suspendedPage('signing-17o-on-hold-form-too-old', 422, { form: { ...FORM, email: EMAIL, error: 'too_old' } }),
  entry('signing-18-left', 200, (frame) => <LeftPage {...frame} token={FORM.token} />),
  entry('signing-19-too-many-requests', 429, (frame) => (
    <WaitPage {...frame} {...{ contractNumber }} tryAgainAt={TRY_AGAIN_AT} />
  )),
  entry('signing-20-help', 200, (frame) => <HelpPage {...frame} operatorAddress={OPERATOR_ADDRESS} />),
  entry('signing-21-privacy', 200, (frame) => <PrivacyPage {...frame} operatorAddress={OPERATOR_ADDRESS} />),
  report('signing-22-report', 200),
  report('signing-22e-report-error', 422, {
    form: { ...FORM, message: 'I never heard of them. '.repeat(90) },
    errors: { reason: 'missing', isMessageTooLong: true },
  }),
  report('signing-22m-report-too-many', 429, { form: { ...FORM, reason: 'other' }, isTooMany: true }),
  report('signing-22o-report-too-old', 422, { form: { ...FORM, reason: 'other' }, errors: { reason: 'too_old' } }),
  entry('signing-23-reported', 200, (frame) => <ReportedPage {...frame} token={FORM.token} />),
  verifyPage('signing-27-check', 200),
  verifyPage('signing-27b-check-busy', 503, 'busy'),
  verifyPage('signing-27c-check-too-costly', 422, 'too_costly'),
  verifyPage('signing-27e-check-no-file', 422, 'missing'),
  verifyPage('signing-27l-check-too-large', 413, 'too_large'),
  verifyPage('signing-27o-check-form-too-old', 422, 'too_old'),
  result('signing-28-checked', PDF),
  result('signing-28c-checked-broken-chain', PDF.slice(0, 8), ['chain']),
  result('signing-28e-checked-evidence', EVIDENCE),
  result('signing-28f-checked-another-server', PDF, ['certificate', 'key']),
  result('signing-28k-checked-compromised', PDF, [], { open: [{ name: 'compromised', says: '' }] }),
  result('signing-28n-checked-no-evidence', ['seal', 'attachments'], ['seal', 'attachments']),
  entry('signing-28o-checked-other-file', 200, (frame) => <ResultPage {...frame} report={undefined} />),
  result('signing-28s-checked-sandbox', PDF, [], { environment: 'sandbox' }),
  result('signing-28t-checked-text-changed', PDF, ['seal', 'text']),
  entry('signing-24-erased', 410, (frame) => <ErasedPage {...frame} {...{ contractNumber }} erasedAt={ERASED_AT} />),
]
