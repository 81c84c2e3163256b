// The page at /: for developers who want to send contracts, and for people with a share link.
// A local start redirects it to the launcher's home page, which shows the demo key.
import type { Context } from 'koa'
import { Layout } from '@paraph/web/layout'
import { otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { VERSION } from '@paraph/protocol/version'
import { sendPage } from '@paraph/web/page-answer'
import { SignatureLines } from '@paraph/web/signature-line'
import { DOCS_PATH } from '../reference/contents.js'
import { InlineParagraph } from '../reference/frame/inline-text.js'
import { serverFoot } from '../reference/reference-page.js'
import { homeMessages } from './messages.js'
import { localeOf, setLocaleCookie } from '../pages/locale.js'
import type { SiteRoute } from '../pages/site.js'

/** The style sheet of this page, after the shared one. */
export const HOME_SHEET = new URL('./home.css', import.meta.url)

interface HomeProps {
  locale: Locale
  /** Path of the style sheet. */
  styleHref: string
  version: string
  /** URL of the operator's status page. */
  statusHref?: string | undefined
}

/** A request that a reader understands without the reference. */
const SAMPLE_CALL = `POST /api/external/v2/contracts
x-api-key: paraph_test_…

{
  "contractType": "nda",
  "content": "Each of us keeps the secrets of the other.",
  "parties": [
    {
      "role": "Discloser",
      "legalName": "Nordic Foods Ltd.",
      "email": "legal@nordicfoods.example"
    },
    {
      "role": "Recipient",
      "legalName": "Jane Roe",
      "email": "jane.roe@example.com"
    }
  ]
}`

export function HomePage({ locale, styleHref, version, statusHref }: HomeProps) {
  const text = homeMessages(locale)
  return (
    <Layout
      locale={locale}
      title={text.title}
      styleHref={styleHref}
      width="reading"
      otherLanguageHref={pathInLocale('/', otherLocale(locale))}
      foot={serverFoot(locale, version, statusHref)}
    >
      <div class="home-columns">
        <div>
          <h1>{text.title}</h1>
          <p class="lead">{text.lead}</p>
          <p class="actions">
            <a class="button button-primary" href={DOCS_PATH}>
              {text.docs}
            </a>
            <a class="button button-quiet" href="/console">
              {text.console}
            </a>
          </p>
        </div>
        <Example locale={locale} />
      </div>
      <div class="home-facts">
        {(['oneLink', 'evidence', 'sandbox'] as const).map((fact) => (
          <section key={fact}>
            <h2>{text[`${fact}Title`]}</h2>
            <InlineParagraph text={text[fact]} />
          </section>
        ))}
      </div>
      <div class="home-columns home-below">
        <section>
          <h2>{text.callTitle}</h2>
          <pre class="command mono" tabindex={0} role="region" aria-label={text.callTitle}>
            <code>{SAMPLE_CALL}</code>
          </pre>
          <InlineParagraph text={text.call} />
        </section>
        <section>
          <h2>{text.linkTitle}</h2>
          <InlineParagraph text={text.link} />
        </section>
      </div>
    </Layout>
  )
}

/** What a contract on its way looks like: the parties' lines, two of them signed. */
function Example({ locale }: { locale: Locale }) {
  const text = homeMessages(locale)
  const parties = [
    { role: text.supplier, legalName: 'Nordic Foods Ltd.', hasSigned: true },
    { role: text.buyer, legalName: 'Jane Roe', hasSigned: true },
    { role: text.carrier, legalName: 'Harbour Analytics Inc.', hasSigned: false },
  ]
  return (
    <div class="sheet home-example">
      <h2>{text.exampleTitle}</h2>
      <SignatureLines
        parties={parties.map((party) => ({ ...party, isYou: false }))}
        messages={{ signed: text.signed, notSigned: text.notSigned, you: '', others: String, hideOthers: '' }}
      />
    </div>
  )
}

interface HomeDeps {
  styleHref: string
  https: boolean
  statusUrl: string | undefined
  /** The launcher's home page of a local start; undefined in production. */
  localHomeUrl: string | undefined
}

export function createHome({ styleHref, https, statusUrl, localHomeUrl }: HomeDeps): SiteRoute {
  const answer = (ctx: Context): void => {
    if (localHomeUrl !== undefined) return ctx.redirect(localHomeUrl)
    setLocaleCookie(ctx, https)
    const props = { locale: localeOf(ctx, https), styleHref, version: VERSION, statusHref: statusUrl }
    sendPage(ctx, 200, <HomePage {...props} />)
  }
  return { path: '/', template: '/', answer }
}
