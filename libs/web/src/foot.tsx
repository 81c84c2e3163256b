// The foot of a page: what it is part of, and links that help anywhere.
export interface FootProps {
  note: string
  /** What the links are, for who hears the page. */
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
