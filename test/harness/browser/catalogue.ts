// Every page that a person may see, of the ceremony and of the console: the pages that axe checks and that pictures show.
import { catalogue as console } from '@paraph/gateway/test/console-catalogue-fixture'
import { referencePictures } from '@paraph/gateway/test/reference-pictures-fixture'
import { catalogue as ceremony } from '@paraph/signing/test/catalogue-fixture'

/** The style sheet of a page. */
export type SheetName = 'ceremony' | 'console' | 'reference'

export const catalogue = [
  ...ceremony.map((entry) => ({ ...entry, sheet: 'ceremony' as SheetName })),
  ...console.map((entry) => ({ ...entry, sheet: 'console' as SheetName })),
]

/** The pages drawn into docs/screens, including pages of the reference, which docs.e2e.test.ts checks completely. */
export const drawn = [
  ...catalogue,
  ...referencePictures.map((entry) => ({ ...entry, sheet: 'reference' as SheetName })),
]
