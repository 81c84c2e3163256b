// Every page that a person may meet, of the ceremony and of the console: what is drawn, looked at by axe and measured.
import { catalogue as console } from '@paraph/gateway/console/pages/catalogue-fixture'
import { catalogue as ceremony } from '@paraph/signing/pages/catalogue-fixture'

/** Which style sheet a page is served with. */
export type SheetName = 'ceremony' | 'console'

export const catalogue = [
  ...ceremony.map((entry) => ({ ...entry, sheet: 'ceremony' as SheetName })),
  ...console.map((entry) => ({ ...entry, sheet: 'console' as SheetName })),
]
