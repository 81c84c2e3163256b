// The brand of the sample account, as a mail shows it.
import { SAMPLE_ACCENT, SAMPLE_LOGO_FACTS } from '@paraph/testing/test/logo-fixture'
import { ACCOUNT_NAME, SHARE_BASE_URL } from '@paraph/testing/test/sample-data-fixture'
import type { Look } from '../src/compose/mail-data.js'

export const sampleLook = (overrides: Partial<Look> = {}): Look => ({
  accent: SAMPLE_ACCENT,
  logo: SAMPLE_LOGO_FACTS,
  accountName: ACCOUNT_NAME,
  shareBaseUrl: SHARE_BASE_URL,
  footName: 'Paraph',
  ...overrides,
})
