// The props of every page of the reference, and where a page stands.
import type { Locale } from '@paraph/web/locale'
import type { OpenApiDocument } from '../openapi/openapi.js'
import { CODE_LANGUAGES, type CodeLanguage, type SampleProps } from './samples.js'

/** Where a page stands: on its own, or as a part of the page with all pages, on which ids and labels must stay unique. */
export interface Place {
  id: (id: string) => string
  label: (title: string) => string
  /** Level of the heading of the page. */
  level: 1 | 2
}
export const ON_ITS_OWN: Place = { id: (id) => id, label: (title) => title, level: 1 }
/** @param slug the name of the page in ids @param name its name for people */
export const partOfAll = (slug: string, name: string): Place => ({
  id: (id) => `${slug}-${id}`,
  label: (title) => `${title} (${name})`,
  level: 2,
})

export interface PageProps extends SampleProps {
  locale: Locale
  /** Path of the style sheet; its name holds its hash. */
  styleHref: string
  /** Paths of the scripts; every page works without them. */
  scripts?: readonly string[]
  /** Path of the page, without a query. */
  path: string
  place: Place
  codeLanguage: CodeLanguage
  document: OpenApiDocument
  /** The operator's status page. */
  statusHref?: string | undefined
}

/** `path` with the sample language, so that links keep the reader's choice. */
export const withCode = ({ codeLanguage }: Pick<PageProps, 'codeLanguage'>, path: string): string =>
  codeLanguage === CODE_LANGUAGES[0].id ? path : `${path}?code=${codeLanguage}`
