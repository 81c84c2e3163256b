// Messages of the test mailbox in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const testMailMessages = createDictionary({
  lead: {
    en: 'Every mail of a sandbox contract, for 24 hours. So you can try a contract with addresses that do not exist.',
    fr: 'Chaque courriel d’un contrat du bac à sable, pendant 24\u00A0heures. Vous pouvez ainsi essayer un contrat avec des adresses qui n’existent pas.',
  },
  none: {
    en: 'No mail in the last 24 hours. Create a contract with a sandbox key: its mails appear here.',
    fr: 'Aucun courriel au cours des dernières 24\u00A0heures. Créez un contrat avec une clé du bac à sable\u00A0: ses courriels paraissent ici.',
  },
  time: { en: 'Time', fr: 'Heure' },
  to: { en: 'To', fr: 'À' },
  subject: { en: 'Subject', fr: 'Objet' },
  seeContract: { en: 'See the contract', fr: 'Voir le contrat' },
  text: { en: 'Text', fr: 'Texte' },
  asHtml: { en: 'Open the HTML version', fr: 'Ouvrir la version HTML' },
  raw: { en: 'Download the raw mail', fr: 'Télécharger le courriel brut' },
})
