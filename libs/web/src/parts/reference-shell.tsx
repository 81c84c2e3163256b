// The frame of a reference: contents beside the page; on a phone, the contents are a disclosure at the top.
// Owns the markup and the style sheet (reference.css), not the messages. Both widths share one list, which is always open on a wide screen.
import { Document, Foot, LanguageLink, PAGE_ID, SkipLink, type PageProps } from './layout.js'
import { Wordmark } from './mark.js'

/** The part of the style sheet that pages in this frame add, for `loadStyleSheet`. */
export const REFERENCE_SHEET = new URL('../reference.css', import.meta.url)

export interface ReferenceLink {
  href: string
  text: string
  /** Set in code type, such as `GET /usage`. */
  isCode?: boolean
  isHere?: boolean
  /** The file name, on a link to a file. */
  download?: string
}

interface ReferenceShellProps extends PageProps {
  homeHref: string
  otherLanguageHref: string
  /** The skip link: past the contents, to the page. */
  skip: string
  contents: { title: string; groups: readonly { title: string; links: readonly ReferenceLink[] }[] }
}

/** A whole HTML document for `renderPage`. */
export function ReferenceShell(props: ReferenceShellProps) {
  return (
    <Document locale={props.locale} title={props.title} styleHref={props.styleHref} frame="reference">
      <header class="reference-side">
        <SkipLink text={props.skip} />
        <div class="reference-top">
          <Wordmark homeHref={props.homeHref} />
          <LanguageLink locale={props.locale} href={props.otherLanguageHref} />
        </div>
        <details class="disclosure reference-contents">
          <summary>
            <span>{props.contents.title}</span>
          </summary>
          <nav aria-label={props.contents.title}>
            {props.contents.groups.map(({ title, links }) => (
              <div key={title}>
                <p>{title}</p>
                <ul>
                  {links.map(({ href, text, isCode, isHere, download }) => (
                    <li key={href}>
                      <a
                        class={isCode ? 'mono' : undefined}
                        href={href}
                        aria-current={isHere ? 'page' : undefined}
                        download={download}
                      >
                        {text}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </details>
      </header>
      <div class="reference-page">
        <main id={PAGE_ID}>{props.children}</main>
        <Foot {...props.foot} />
      </div>
    </Document>
  )
}
