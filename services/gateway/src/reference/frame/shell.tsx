// The frame of the reference: search and contents beside the page; on a phone, the contents are a disclosure at the top.
// Owns the markup and the style sheets, not the messages. Both widths share one list, which is always open on a wide screen.
import { Document, Foot, LanguageLink, PAGE_ID, SKIP_TEXT, SkipLink, type PageProps } from '@paraph/web/layout'
import { Wordmark } from '@paraph/web/mark'

/** The parts of the style sheet that pages in this frame add. */
export const REFERENCE_SHEETS = ['./reference.css', './parts.css', './panels.css', './wide.css'].map(
  (file) => new URL(file, import.meta.url),
)
/** Searches the index that the form names. */
export const SEARCH_SCRIPT = new URL('./search.js', import.meta.url)

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
  scripts?: readonly string[] | undefined
  homeHref: string
  otherLanguageHref: string
  /** `found` ends with the place of the number of results. */
  search: { label: string; found: string; none: string; indexHref: string }
  contents: { title: string; groups: readonly { title: string; links: readonly ReferenceLink[] }[] }
  /** The pages before and after this one. */
  neighbours?: { title: string; links: readonly { rel: 'prev' | 'next'; label: string; href: string; text: string }[] }
}

/** A whole HTML document for `renderPage`. */
export function ReferenceShell(props: ReferenceShellProps) {
  const { locale, title, styleHref, scripts = [], search, contents, neighbours } = props
  return (
    <Document locale={locale} title={title} styleHref={styleHref} scripts={scripts} frame="reference">
      <header class="reference-side">
        <SkipLink text={SKIP_TEXT[locale]} />
        <div class="reference-top">
          <Wordmark homeHref={props.homeHref} />
          <LanguageLink locale={locale} href={props.otherLanguageHref} />
        </div>
        <form
          class="reference-search"
          role="search"
          data-index={search.indexHref}
          data-found={search.found}
          data-none={search.none}
          hidden
        >
          <label class="unseen" for="search">
            {search.label}
          </label>
          <input
            class="input"
            id="search"
            type="search"
            placeholder={search.label}
            autocomplete="off"
            spellcheck={false}
          />
          <output />
          <ul hidden />
        </form>
        <details class="disclosure reference-contents">
          <summary>
            <span>{contents.title}</span>
          </summary>
          <nav aria-label={contents.title}>
            {contents.groups.map((group) => (
              <div key={group.title}>
                <p>{group.title}</p>
                <ul>
                  {group.links.map(({ href, text, isCode, isHere, download }) => (
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
        {neighbours && (
          <nav class="reference-neighbours" aria-label={neighbours.title}>
            {neighbours.links.map(({ rel, label, href, text }) => (
              <a key={rel} rel={rel} href={href}>
                <span>{label}</span> <strong>{text}</strong>
              </a>
            ))}
          </nav>
        )}
        <Foot {...props.foot} />
      </div>
    </Document>
  )
}
