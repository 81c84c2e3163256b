// Messages inside the text of a contract, in English and Canadian French. [ceremony: plain text]
import { createDictionary } from '../text/dictionary.js'
import { counted } from '../text/locale.js'

export const textMessages = createDictionary({
  contents: { en: 'Contents', fr: 'Table des matières' },
  inColumns: (nth: number) => ({ en: `Text in columns, ${nth}`, fr: `Texte en colonnes, ${nth}` }),
  scrollSideways: {
    en: 'Lines in columns. If they are wider than the page, scroll sideways.',
    fr: 'Lignes en colonnes. Si elles dépassent la largeur de la page, faites-les défiler de côté.',
  },
  moreHeadings: (count: number) => ({
    en: `and ${counted(count, 'en', ['more heading', 'more headings'])}`,
    fr: `et ${counted(count, 'fr', ['autre titre', 'autres titres'])}`,
  }),
  blankLines: (count: number) => ({
    en: `[${counted(count, 'en', ['blank line', 'blank lines'])}]`,
    fr: `[${counted(count, 'fr', ['ligne vide', 'lignes vides'])}]`,
  }),
})
