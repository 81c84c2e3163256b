// Headings and their anchors: a heading, a field or a code is a link to itself, so that its address can be copied.
import type { ComponentChildren } from 'preact'
import type { PageProps } from '../page-props.js'

/** Something with an anchor, as the contents of a page list it. */
export interface Section {
  id: string
  title: string
}

/** The heading of a page. */
export function PageTitle({ page, text }: { page: PageProps; text: string }) {
  return page.place.level === 1 ? <h1>{text}</h1> : <h2>{text}</h2>
}

/** The heading of a section. @param props.section its id is unique on the page on its own */
export function SectionTitle({ page, section }: { page: PageProps; section: Section }) {
  const id = page.place.id(section.id)
  const link = <Anchor id={id}>{section.title}</Anchor>
  return page.place.level === 1 ? <h2 id={id}>{link}</h2> : <h3 id={id}>{link}</h3>
}

export const Anchor = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <a class="reference-anchor" href={`#${id}`}>
    {children}
  </a>
)

/** The sections of a page as links; nothing for a page with fewer than two. */
export function OnThisPage({ sections, title }: { sections: readonly Section[]; title: string }) {
  if (sections.length < 2) return null
  return (
    <nav class="reference-on-page" aria-label={title}>
      <p>{title}</p>
      <ul>
        {sections.map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`}>{section.title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
