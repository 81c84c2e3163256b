// What every page of the reference takes.
import type { Locale } from '@paraph/web/locale'
import type { OpenApiDocument } from '../openapi.js'
import type { CodeLanguage } from './samples.js'

/** Somebody who is signed in to the console. */
export interface DocsReader {
  /** What tells their newest test key that works from others, such as `paraph_test_…k3v9`; undefined while there is none. */
  testKey: string | undefined
}

export interface PageProps {
  locale: Locale
  /** Path of the style sheet, named by its hash. */
  styleHref: string
  /** Where the page stands, without a query. */
  path: string
  codeLanguage: CodeLanguage
  document: OpenApiDocument
  /** Where clients reach this installation, without a path. */
  baseUrl: string
  /** Undefined where nobody is signed in. */
  reader?: DocsReader | undefined
  /** Where the operator tells how the service is doing. */
  statusHref?: string | undefined
}
