// The document around every page: head, test bar, body. Owns what all frames share.
import type { ComponentChildren } from 'preact'
import { LANGUAGE_NAME, LANGUAGE_TAG, otherLocale, type Locale } from './locale.js'

export interface DocumentProps {
  locale: Locale
  /** The page's heading; the document's title is this and the brand. */
  title: string
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  /** Paths of scripts of ours that add to a page which works without them. */
  scripts?: readonly string[] | undefined
  /** The yellow bar of a sandbox page. */
  testBar?: { title: string; detail: string } | undefined
  children: ComponentChildren
}

/** The whole HTML document, `children` being its body. */
export function Document({ locale, title, styleHref, scripts = [], testBar, children }: DocumentProps) {
  return (
    <html lang={LANGUAGE_TAG[locale]}>
      <head>
        <meta charset="utf-8" />
        <title>{`${title} - Paraph`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="stylesheet" href={styleHref} />
        {scripts.map((src) => (
          <script key={src} src={src} defer />
        ))}
      </head>
      <body>
        {testBar && (
          <aside class="test-bar" aria-label={testBar.title}>
            <p>
              <strong>{testBar.title}</strong> <span>{testBar.detail}</span>
            </p>
          </aside>
        )}
        {children}
      </body>
    </html>
  )
}

/** This page in the other language, named in that language; nothing without an address. */
export function LanguageLink({ locale, href }: { locale: Locale; href: string | undefined }) {
  if (href === undefined) return null
  const other = otherLocale(locale)
  return (
    <a href={href} lang={LANGUAGE_TAG[other]} hreflang={LANGUAGE_TAG[other]}>
      {LANGUAGE_NAME[other]}
    </a>
  )
}
