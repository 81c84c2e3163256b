// The foot of a page: a note and the links that every page has.
export interface FootProps {
  note: string
  /** The accessible name of the links. */
  label: string
  links: readonly { href: string; text: string }[]
}

export function Foot({ note, label, links }: FootProps) {
  return (
    <footer class="foot">
      <div class="foot-inside">
        <p>{note}</p>
        <nav aria-label={label}>
          {links.map(({ href, text }) => (
            <a key={href} href={href}>
              {text}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  )
}
