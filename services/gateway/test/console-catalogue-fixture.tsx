// Every page of the console in every state, for pictures, accessibility checks and measurements.
// Each entry has the name of its picture and the shared sample data. The console is drawn at `NOW`, apart from
// the application and the choice of a plan.
import { accountPages } from './console-catalogue/account-pages-fixture.js'
import { applicationPages } from './console-catalogue/application-pages-fixture.js'
import { brandPages } from './console-catalogue/brand-pages-fixture.js'
import { contractPages } from './console-catalogue/contract-pages-fixture.js'
import { keyPages } from './console-catalogue/key-pages-fixture.js'
import { operatorPages } from './console-catalogue/operator-pages-fixture.js'
import { outcomePages } from './console-catalogue/outcome-pages-fixture.js'
import { planPages } from './console-catalogue/plan-pages-fixture.js'
import { requestPages } from './console-catalogue/request-pages-fixture.js'
import { signInPages } from './console-catalogue/sign-in-pages-fixture.js'
import { testMailPages } from './console-catalogue/test-mail-pages-fixture.js'
import { usagePages } from './console-catalogue/usage-pages-fixture.js'
import { webhookPages } from './console-catalogue/webhook-pages-fixture.js'
import type { CatalogueEntry } from './console-catalogue/entry-fixture.js'

/** Every page in every state. */
export const catalogue: readonly CatalogueEntry[] = [
  ...signInPages,
  ...applicationPages,
  ...planPages,
  ...usagePages,
  ...keyPages,
  ...requestPages,
  ...webhookPages,
  ...testMailPages,
  ...contractPages,
  ...accountPages,
  ...brandPages,
  ...operatorPages,
  ...outcomePages,
]
