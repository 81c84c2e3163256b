// The frame of the local pages, which are in English for the developer at this computer.
import type { ComponentChildren } from 'preact'
import { VERSION } from '@paraph/protocol/version'
import { Layout } from '@paraph/web/layout'

interface FrameProps {
  title: string
  styleHref: string
  topLinks?: readonly { href: string; text: string }[]
  children: ComponentChildren
}

export function Frame({ title, styleHref, topLinks = [], children }: FrameProps) {
  return (
    <Layout
      locale="en"
      title={title}
      styleHref={styleHref}
      width="reading"
      homeHref="/"
      topLinks={topLinks}
      foot={{
        note: `Version ${VERSION}, development`,
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
