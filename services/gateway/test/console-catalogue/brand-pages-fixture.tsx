// The brand of an account: shown, waiting, refused, and the form with errors.
import { SAMPLE_ACCENT, SAMPLE_LOGO } from '@paraph/testing/test/logo-fixture'
import type { KeptBrand } from '../../src/brand/brand-store.js'
import { logoMessages } from '../../src/brand/messages.js'
import { BrandPage } from '../../src/console/brand/brand-page.js'
import { brandMessages } from '../../src/console/brand/messages.js'
import type { PageProps } from '../../src/console/frame/page-props.js'
import { ACCOUNT } from './account-pages-fixture.js'
import { at, owned, type CatalogueEntry } from './entry-fixture.js'

export const BRAND: KeptBrand = {
  id: 7,
  accent: SAMPLE_ACCENT,
  logo: SAMPLE_LOGO,
  sentAt: at('2026-11-23T15:04:11.000Z'),
  reason: null,
}
export const REFUSED_BRAND: KeptBrand = {
  ...BRAND,
  reason: 'The logo is the one of another company.\nSend one that shows your own name.',
}

const brand =
  (asked: KeptBrand | undefined, approved: KeptBrand | undefined, more: object = {}) =>
  (page: PageProps) => <BrandPage {...{ page, account: ACCOUNT, brands: { asked, approved } }} {...more} />

export const brandPages: readonly CatalogueEntry[] = [
  owned('console-26-brand', brand(undefined, BRAND)),
  owned('console-26n-brand-none', brand(undefined, undefined)),
  owned('console-26u-brand-not-yet', brand(undefined, undefined, { account: { ...ACCOUNT, approvedAt: null } })),
  owned('console-26w-brand-waiting', brand({ ...BRAND, accent: null }, { ...BRAND, logo: null })),
  owned('console-26r-brand-refused', brand(REFUSED_BRAND, undefined)),
  owned(
    'console-26e-brand-errors',
    (page) => {
      const errors = [
        { field: 'accent', message: brandMessages(page.locale).accentPale('#876c00') },
        { field: 'logo', message: logoMessages(page.locale).svg },
      ]
      return brand(undefined, undefined, { errors, typed: '#FFCC00' })(page)
    },
    422,
  ),
]
