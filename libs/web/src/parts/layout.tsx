// The frame of a page in one column: test bar, top, main, foot. Owns the frame's markup, not its messages.
import type { ComponentChildren } from 'preact'
import { Document } from './document.js'
import { Foot, type FootProps } from './foot.js'
import { LanguageLink } from './language-link.js'
import type { Locale } from '../text/locale.js'
import { Wordmark } from './mark.js'

interface LayoutProps {
  locale: Locale
  /** The page's heading; the document's title adds the brand. Starts with "Error: " on a page with an error summary. */
  title: string
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  /** `task`: one column of 40 rem. `reading`: 70 rem. */
  width?: 'task' | 'reading'
  /** This page in the other language; without it, no link. */
  otherLanguageHref?: string | undefined
  /** The yellow bar of a sandbox page. */
  testBar?: { title: string; detail: string } | undefined
  homeHref?: string | undefined
  /** Further links at the top, such as "Sign out". */
  topLinks?: readonly { href: string; text: string }[]
  foot: FootProps
  children: ComponentChildren
}

/** A whole HTML document for `renderPage`, without a script or inline style. */
export function Layout(props: LayoutProps) {
  return (
    <Document locale={props.locale} title={props.title} styleHref={props.styleHref}>
      {props.testBar && (
        <aside class="test-bar" aria-label={props.testBar.title}>
          <p>
            <strong>{props.testBar.title}</strong> <span>{props.testBar.detail}</span>
          </p>
        </aside>
      )}
      <header class="top">
        <Wordmark homeHref={props.homeHref} />
        <div class="top-links">
          {props.topLinks?.map((link) => (
            <a key={link.href} href={link.href}>
              {link.text}
            </a>
          ))}
          <LanguageLink locale={props.locale} href={props.otherLanguageHref} />
        </div>
      </header>
      <main class={props.width ?? 'task'}>{props.children}</main>
      <Foot {...props.foot} />
    </Document>
  )
}
