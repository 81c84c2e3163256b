// The frame of the local pages, which are in English for the developer at this computer.
import type { ComponentChildren } from 'preact'
import { Layout } from '@paraph/web/layout'

export interface FrameProps {
  styleHref: string
  version: string
}

export function Frame({
  title,
  styleHref,
  version,
  topLinks = [],
  children,
}: FrameProps & { title: string; topLinks?: readonly { href: string; text: string }[]; children: ComponentChildren }) {
  return (
    <Layout
      locale="en"
      title={title}
      styleHref={styleHref}
      width="reading"
      homeHref="/"
      topLinks={topLinks}
      foot={{
        note: `Version ${version}, development`,
        label: 'Local start',
        links: [
          { href: '/', text: 'Start' },
          { href: '/mailbox', text: 'Mailbox' },
        ],
      }}
    >
      {children}
      <script src="/assets/copy.js" defer />
    </Layout>
  )
}
