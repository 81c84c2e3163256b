// What every page of the reference takes.
import type { Locale } from '@paraph/web/locale'
import type { OpenApiDocument } from '../openapi.js'
import type { CodeLanguage } from './samples.js'

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
  /** What shows the reader their own test key, such as `paraph_test_…k3v9`; a key itself is known to nobody. */
  testKey?: string | undefined
  /** Where the operator tells how the service is doing. */
  statusHref?: string | undefined
}
