// The HTML document of every page: its head and its language. No inline script and no inline style: the policy forbids both.
import type { ComponentChildren } from 'preact'
import { LANGUAGE_TAG, type Locale } from '../text/locale.js'

/** A whole HTML document for `renderPage`. @param props.title the page's heading; the document's title adds the brand */
export function Document(props: {
  locale: Locale
  title: string
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  /** The frame's class in the style sheet; without it, the frame of one column. */
  frame?: string | undefined
  /** Paths of our scripts; every page works without them. */
  scripts?: readonly string[] | undefined
  children: ComponentChildren
}) {
  return (
    <html lang={LANGUAGE_TAG[props.locale]}>
      <head>
        <meta charset="utf-8" />
        <title>{`${props.title} - Paraph`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="stylesheet" href={props.styleHref} />
        {props.scripts?.map((src) => (
          <script key={src} src={src} defer />
        ))}
      </head>
      <body class={props.frame}>{props.children}</body>
    </html>
  )
}
