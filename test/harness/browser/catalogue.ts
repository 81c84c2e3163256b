// Every page that a person may meet, of the ceremony and of the console: what is looked at by axe and measured; and what is drawn.
import { catalogue as console } from '@paraph/gateway/test/console-catalogue-fixture'
import { referencePictures } from '@paraph/gateway/test/reference-pictures-fixture'
import { catalogue as ceremony } from '@paraph/signing/test/catalogue-fixture'

/** Which style sheet a page is served with. */
export type SheetName = 'ceremony' | 'console' | 'reference'

export const catalogue = [
  ...ceremony.map((entry) => ({ ...entry, sheet: 'ceremony' as SheetName })),
  ...console.map((entry) => ({ ...entry, sheet: 'console' as SheetName })),
]

/** What is drawn into docs/screens: besides, pages of the reference, which docs.e2e.test.ts looks at whole. */
export const drawn = [
  ...catalogue,
  ...referencePictures.map((entry) => ({ ...entry, sheet: 'reference' as SheetName })),
]
