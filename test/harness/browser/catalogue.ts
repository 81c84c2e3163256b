// Every page and state of the ceremony and the console, for the accessibility checks (axe) and the screenshots.
import { catalogue as console } from '@paraph/gateway/test/console-catalogue-fixture'
import { referencePictures } from '@paraph/gateway/test/reference-pictures-fixture'
import { catalogue as ceremony } from '@paraph/signing/test/catalogue-fixture'

/** The style sheet of a page. */
export type SheetName = 'ceremony' | 'console' | 'reference' | 'home'

export const catalogue = [
  ...ceremony.map((entry) => ({ ...entry, sheet: 'ceremony' as SheetName })),
  ...console.map((entry) => ({ ...entry, sheet: 'console' as SheetName })),
]

/** The pages with pictures: `catalogue` and some pages of the API reference, whose checks are in docs.e2e.test.ts. */
export const drawn = [
  ...catalogue,
  ...referencePictures.map((entry) => ({
    ...entry,
    sheet: (entry.name.startsWith('home-') ? 'home' : 'reference') as SheetName,
  })),
]
