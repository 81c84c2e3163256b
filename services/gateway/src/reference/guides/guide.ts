// The guides of the reference: Markdown files in both languages, read when the module is loaded.
import { readFileSync } from 'node:fs'
import type { MarkedToken } from 'marked'
import type { Locale } from '@paraph/web/locale'
import { markdown } from '../frame/inline-text.js'

interface GuideText {
  /** The link text in the contents. */
  name: string
  title: string
  /** Markdown of the first paragraph. */
  lead: string
  blocks: readonly MarkedToken[]
  /** The file without its front matter. */
  source: string
}
export type Guide = Readonly<Record<Locale, GuideText>>

/**
 * Reads `guides/en/NAME.md` and `guides/fr/NAME.md`.
 * @throws Error if a file does not start with the front matter `name: …`, a title and a paragraph
 */
export const readGuide = (name: string): Guide => ({ en: readText(`en/${name}.md`), fr: readText(`fr/${name}.md`) })

function readText(file: string): GuideText {
  const [, name, body] =
    /^---\nname: (.+)\n---\n(.+)$/s.exec(readFileSync(new URL(file, import.meta.url), 'utf8')) ?? []
  // The parser decodes no entities; an escape keeps no-break spaces visible in the file.
  const source = (body ?? '').replaceAll('&nbsp;', '\u00A0')
  const tokens = markdown.lexer(source) as MarkedToken[]
  const [title, lead, ...blocks] = tokens.filter(({ type }) => type !== 'space')
  if (name === undefined || title?.type !== 'heading' || lead?.type !== 'paragraph')
    throw new Error(`guides/${file} must start with "name: …" between two lines "---", a title and a paragraph`)
  return { name, title: title.text, lead: lead.text, blocks, source }
}

/** The text and the anchor of a heading `Text {#anchor}`. */
export function readHeading(text: string): { id: string; title: string } {
  const [, title, id] = /^(.+) \{#([\w-]+)\}$/.exec(text) ?? []
  if (title === undefined || id === undefined)
    throw new Error(`The heading "${text}" must end with an anchor, such as {#more}`)
  return { id, title }
}
