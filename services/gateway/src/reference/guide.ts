// The guides of the reference: Markdown files in both languages, read when the module is loaded.
import { readFileSync } from 'node:fs'
import type { MarkedToken } from 'marked'
import type { Locale } from '@paraph/web/locale'
import { markdown } from './inline-text.js'

interface GuideText {
  /** The link text in the contents. */
  name: string
  title: string
  /** Markdown of the first paragraph. */
  lead: string
  blocks: readonly MarkedToken[]
}
export type Guide = Readonly<Record<Locale, GuideText>>

/**
 * Reads `guides/NAME.en.md` and `guides/NAME.fr.md`.
 * @throws Error if a file does not start with the front matter `name: …`, a title and a paragraph
 */
export const readGuide = (name: string): Guide => ({ en: readText(`${name}.en.md`), fr: readText(`${name}.fr.md`) })

function readText(file: string): GuideText {
  const source = readFileSync(new URL(`./guides/${file}`, import.meta.url), 'utf8')
  const [, name, body] = /^---\nname: (.+)\n---\n(.+)$/s.exec(source) ?? []
  // The parser decodes no entities; an escape keeps no-break spaces visible in the file.
  const tokens = body === undefined ? [] : (markdown.lexer(body.replaceAll('&nbsp;', '\u00A0')) as MarkedToken[])
  const [title, lead, ...blocks] = tokens.filter(({ type }) => type !== 'space')
  if (name === undefined || title?.type !== 'heading' || lead?.type !== 'paragraph')
    throw new Error(`guides/${file} must start with "name: …" between two lines "---", a title and a paragraph`)
  return { name, title: title.text, lead: lead.text, blocks }
}
