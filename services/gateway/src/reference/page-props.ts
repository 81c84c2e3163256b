// The props of every page of the reference.
import type { Locale } from '@paraph/web/locale'
import type { OpenApiDocument } from '../openapi/openapi.js'
import type { CodeLanguage } from './samples.js'

/** A reader who is signed in to the console. */
export interface DocsReader {
  /** The hint of their newest active test key, such as `paraph_test_…k3v9`; undefined if there is none. */
  testKey: string | undefined
}

export interface PageProps {
  locale: Locale
  /** Path of the style sheet; its name holds its hash. */
  styleHref: string
  /** Path of the page, without a query. */
  path: string
  codeLanguage: CodeLanguage
  document: OpenApiDocument
  /** Public origin of this installation, without a path. */
  baseUrl: string
  /** Undefined if nobody is signed in. */
  reader?: DocsReader | undefined
  /** The operator's status page. */
  statusHref?: string | undefined
}
