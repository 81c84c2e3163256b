// What a server says of itself at /: for whoever got a link, and for who wants to send contracts. Pure.
import { Layout } from '@paraph/web/layout'
import { otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { DOCS_PATH } from '../docs/contents.js'
import { InlineText } from '../docs/inline-text.js'
import { words } from './words.js'

export interface HomeProps {
  locale: Locale
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  version: string
  /** Where the operator tells how the service is doing. */
  statusHref?: string | undefined
}

export function HomePage({ locale, styleHref, version, statusHref }: HomeProps) {
  const say = words(locale)
  return (
    <Layout
      locale={locale}
      title={say.title}
      styleHref={styleHref}
      otherLanguageHref={pathInLocale('/', otherLocale(locale))}
      foot={{
        note: say.footNote(version),
        label: say.footLabel,
        links: [
          { href: '/help', text: say.help },
          { href: '/privacy', text: say.privacy },
          ...(statusHref === undefined ? [] : [{ href: statusHref, text: say.status }]),
        ],
      }}
    >
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <section>
        <h2>{say.linkTitle}</h2>
        <p>
          <InlineText text={say.link} />
        </p>
      </section>
      <section>
        <h2>{say.developerTitle}</h2>
        <p>
          <InlineText text={say.developer} />
        </p>
        <p class="actions after">
          <a class="button button-primary" href={DOCS_PATH}>
            {say.docs}
          </a>
          <a class="button button-quiet" href="/console">
            {say.console}
          </a>
        </p>
      </section>
    </Layout>
  )
}
