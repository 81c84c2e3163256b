// The props of every page of the reference.
import type { Locale } from '@paraph/web/locale'
import type { OpenApiDocument } from '../openapi/openapi.js'
import type { CodeLanguage, SampleProps } from './samples.js'

export interface PageProps extends SampleProps {
  locale: Locale
  /** Path of the style sheet; its name holds its hash. */
  styleHref: string
  /** Path of the page, without a query. */
  path: string
  codeLanguage: CodeLanguage
  document: OpenApiDocument
  /** The operator's status page. */
  statusHref?: string | undefined
}
