// The page at /: for people with a share link, and for developers who want to send contracts. Pure.
import { Layout } from '@paraph/web/layout'
import { otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { DOCS_PATH } from '../reference/contents.js'
import { InlineText } from '../reference/inline-text.js'
import { homeMessages } from './messages.js'

export interface HomeProps {
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
      foot={{
        note: text.footNote(version),
        label: text.footLabel,
        links: [
          { href: '/help', text: text.help },
          { href: '/privacy', text: text.privacy },
          ...(statusHref === undefined ? [] : [{ href: statusHref, text: text.status }]),
        ],
      }}
    >
      <h1>{text.title}</h1>
      <p class="lead">{text.lead}</p>
      <section>
        <h2>{text.linkTitle}</h2>
        <p>
          <InlineText text={text.link} />
        </p>
      </section>
      <section>
        <h2>{text.developerTitle}</h2>
        <p>
          <InlineText text={text.developer} />
        </p>
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
