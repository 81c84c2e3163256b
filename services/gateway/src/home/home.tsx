// The page at /: for people with a share link, and for developers who want to send contracts.
// A local start redirects it to the launcher's home page, which shows the demo key.
import type { Context } from 'koa'
import { Layout } from '@paraph/web/layout'
import { otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { VERSION } from '@paraph/protocol/version'
import { sendPage } from '@paraph/web/page-answer'
import { DOCS_PATH } from '../reference/contents.js'
import { InlineParagraph } from '../reference/frame/inline-text.js'
import { serverFoot } from '../reference/reference-page.js'
import { homeMessages } from './messages.js'
import { localeOf, setLocaleCookie } from '../pages/locale.js'
import type { SiteRoute } from '../pages/site.js'

interface HomeProps {
  locale: Locale
  /** Path of the style sheet. */
  styleHref: string
  version: string
  /** URL of the operator's status page. */
  statusHref?: string | undefined
}

export function HomePage({ locale, styleHref, version, statusHref }: HomeProps) {
  const text = homeMessages(locale)
  return (
    <Layout
      locale={locale}
      title={text.title}
      styleHref={styleHref}
      otherLanguageHref={pathInLocale('/', otherLocale(locale))}
      foot={serverFoot(locale, version, statusHref)}
    >
      <h1>{text.title}</h1>
      <p class="lead">{text.lead}</p>
      <section>
        <h2>{text.linkTitle}</h2>
        <InlineParagraph text={text.link} />
      </section>
      <section>
        <h2>{text.developerTitle}</h2>
        <InlineParagraph text={text.developer} />
        <p class="actions after">
          <a class="button button-primary" href={DOCS_PATH}>
            {text.docs}
          </a>
          <a class="button button-quiet" href="/console">
            {text.console}
          </a>
        </p>
      </section>
    </Layout>
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
