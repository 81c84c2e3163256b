// The document and the frame of a page: head, test bar, top, main, foot. Owns the markup, not the messages.
// No inline script and no inline style: the content security policy forbids both.
import { type ComponentChildren, Fragment } from 'preact'
import { accentSheetPath, type Brand } from '@paraph/protocol/brand'
import { ICON_HREF } from '../http/icon.js'
import { LANGUAGE_NAME, LANGUAGE_TAG, otherLocale, type Locale } from '../text/locale.js'
import { BrandMark, Via, Wordmark } from './mark.js'

/** The approved brand of an account. [D59] */
export interface PageBrand extends Brand {
  /** The account's approved name. */
  name: string
}

export interface FootProps {
  note: string
  /** The name of the installation, on a page with the brand of an account. */
  via?: string | undefined
  /** The accessible name of the links. */
  label: string
  links: readonly { href: string; text: string }[]
}

export interface PageProps {
  locale: Locale
  /** The page's heading; the document's title adds the brand. Starts with "Error: " on a page with an error summary. */
  title: string
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  foot: FootProps
  children: ComponentChildren
}

/**
 * A whole HTML document for `renderPage`.
 * @param props.frame the frame's class in the style sheet; without it, the frame of one column
 * @param props.accent replaces our colour
 * @param props.scripts paths of our scripts; every page works without them
 */
export function Document(
  props: Omit<PageProps, 'foot'> & { frame?: string; scripts?: readonly string[]; accent?: string | null | undefined },
) {
  return (
    <html lang={LANGUAGE_TAG[props.locale]}>
      <head>
        <meta charset="utf-8" />
        <title>{`${props.title} - Paraph`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" type="image/svg+xml" href={ICON_HREF} />
        <link rel="stylesheet" href={props.styleHref} />
        {props.accent && <link rel="stylesheet" href={accentSheetPath(props.accent)} />}
        {props.scripts?.map((src) => (
          <script key={src} src={src} defer />
        ))}
      </head>
      <body class={props.frame}>{props.children}</body>
    </html>
  )
}

/** The id of `main`, to which the skip link leads. */
export const PAGE_ID = 'page'

/** The text of a skip link that has no other. */
export const SKIP_TEXT: Record<Locale, string> = { en: 'Skip to the content', fr: 'Aller au contenu' }

/** Leads past what every page begins with, to `PAGE_ID`. The first link of a page, visible while it has the focus. [WCAG 2.4.1] */
export const SkipLink = ({ text }: { text: string }) => (
  <a class="skip-link" href={`#${PAGE_ID}`}>
    {text}
  </a>
)

/** The link to the same page in the other language, written in that language. @param props.href without it, no link */
export function LanguageLink(props: { locale: Locale; href: string | undefined }) {
  if (props.href === undefined) return null
  const other = otherLocale(props.locale)
  return (
    <a href={props.href} lang={LANGUAGE_TAG[other]} hreflang={LANGUAGE_TAG[other]}>
      {LANGUAGE_NAME[other]}
    </a>
  )
}

export function Foot({ note, via, label, links }: FootProps) {
  return (
    <footer class="foot">
      <div class="foot-inside">
        {via !== undefined && <Via name={via} />}
        <p>{note}</p>
        <nav aria-label={label}>
          {links.map(({ href, text }) => (
            <Fragment key={href}>
              <a href={href}>{text}</a>{' '}
            </Fragment>
          ))}
        </nav>
      </div>
    </footer>
  )
}

interface LayoutProps extends PageProps {
  /** `task`: one column of 40 rem. `reading`: 70 rem. */
  width?: 'task' | 'reading'
  /** This page in the other language; without it, no link. */
  otherLanguageHref?: string | undefined
  /** The yellow bar of a sandbox page. */
  testBar?: { title: string; detail?: ComponentChildren } | undefined
  homeHref?: string | undefined
  /** In place of our wordmark and colour. */
  brand?: PageBrand | undefined
  /** Paths of our scripts; every page works without them. */
  scripts?: readonly string[]
  /** Further links at the top, such as "Sign out". */
  topLinks?: readonly { href: string; text: string }[]
}

/** A page in one column. */
export function Layout(props: LayoutProps) {
  return (
    <Document
      locale={props.locale}
      title={props.title}
      styleHref={props.styleHref}
      scripts={props.scripts ?? []}
      accent={props.brand?.accent}
    >
      <SkipLink text={SKIP_TEXT[props.locale]} />
      {props.testBar && (
        <aside class="test-bar" aria-label={props.testBar.title}>
          <p>
            <strong>{props.testBar.title}</strong>{' '}
            {props.testBar.detail !== undefined && <span>{props.testBar.detail}</span>}
          </p>
        </aside>
      )}
      <header class="top">
        {props.brand ? <BrandMark {...props.brand} /> : <Wordmark homeHref={props.homeHref} />}
        <div class="top-links">
          {props.topLinks?.map((link) => (
            <Fragment key={link.href}>
              <a href={link.href}>{link.text}</a>{' '}
            </Fragment>
          ))}
          <LanguageLink locale={props.locale} href={props.otherLanguageHref} />
        </div>
      </header>
      <main id={PAGE_ID} class={props.width ?? 'task'}>
        {props.children}
      </main>
      <Foot {...props.foot} />
    </Document>
  )
}
