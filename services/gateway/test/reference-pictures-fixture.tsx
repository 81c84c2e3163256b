// Pages of the reference, and the home page, for pictures. docs.e2e.test.ts opens every page in a browser.
import { SHARE_BASE_URL, STATUS_URL } from '@paraph/testing/test/sample-data-fixture'
import { renderPage } from '@paraph/web/page-answer'
import type { Locale } from '@paraph/web/locale'
import committed from '../../../docs/openapi.json' with { type: 'json' }
import { HomePage } from '../src/home/home.js'
import type { OpenApiDocument } from '../src/openapi/openapi.js'
import { ENTRIES } from '../src/reference/contents.js'
import { ON_ITS_OWN, type PageProps } from '../src/reference/page-props.js'
import { ReferencePage } from '../src/reference/reference-page.js'

const SITE = {
  document: committed as unknown as OpenApiDocument,
  baseUrl: SHARE_BASE_URL,
  statusHref: STATUS_URL,
  scripts: ['/assets/gateway/copy.js', '/assets/gateway/search.js'],
}

const reference =
  (path: string, more: Partial<PageProps> = {}) =>
  (locale: Locale, styleHref: string): string => {
    const page: PageProps = { ...SITE, locale, styleHref, path, place: ON_ITS_OWN, codeLanguage: 'curl', ...more }
    return renderPage(<ReferencePage page={page} entry={ENTRIES.find((entry) => entry.path === path)!} />)
  }

/** Entries of the same shape as those of the page catalogues. */
export const referencePictures = [
  { name: 'docs-00-first-contract', render: reference('/docs', { reader: { testKey: 'paraph_test_…Zk91' } }) },
  { name: 'docs-01-reference', render: reference('/docs/create-contract') },
  { name: 'docs-02-samples', render: reference('/docs/polling', { codeLanguage: 'node' }) },
  { name: 'docs-03-errors', render: reference('/docs/errors') },
  {
    name: 'home-01-server',
    render: (locale: Locale, styleHref: string) =>
      renderPage(<HomePage {...{ locale, styleHref, version: '2.0.0', statusHref: SITE.statusHref }} />),
  },
].map((entry) => ({ ...entry, status: 200 }))
