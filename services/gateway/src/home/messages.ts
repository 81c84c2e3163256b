// Text of the page at / in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const homeMessages = createDictionary({
  title: { en: 'Contracts signed by everyone they name', fr: 'Des contrats signés par toutes les personnes nommées' },
  lead: {
    en: 'This server sends contracts for signature. Each party gets a link, confirms their email, reads the whole text and signs.',
    fr: 'Ce serveur envoie des contrats à signer. Chaque partie reçoit un lien, confirme son adresse courriel, lit tout le texte et signe.',
  },
  docs: { en: 'Read the documentation', fr: 'Lire la documentation' },
  console: { en: 'Open the console', fr: 'Ouvrir la console' },

  exampleTitle: {
    en: 'An example: two of three parties have signed',
    fr: 'Un exemple\u00A0: deux parties sur trois ont signé',
  },
  supplier: { en: 'Supplier', fr: 'Fournisseur' },
  buyer: { en: 'Buyer', fr: 'Acheteur' },
  carrier: { en: 'Carrier', fr: 'Transporteur' },
  signed: { en: 'Signed', fr: 'Signé' },
  notSigned: { en: 'Not signed yet', fr: 'Pas encore signé' },

  oneLinkTitle: { en: 'One link for everyone', fr: 'Un seul lien pour tous' },
  oneLink: {
    en: 'Your platform makes one call with the parties and the text. Paraph emails the parties and tells you who has signed.',
    fr: 'Votre plateforme fait un seul appel avec les parties et le texte. Paraph écrit aux parties et vous dit qui a signé.',
  },
  evidenceTitle: { en: 'Evidence anyone can verify', fr: 'Une preuve que chacun peut vérifier' },
  evidence: {
    en: 'Everyone gets a signed PDF. It carries the evidence, which anyone can verify offline, years later.',
    fr: 'Chacun reçoit un PDF signé. Il contient la preuve, que chacun peut vérifier hors ligne, des années plus tard.',
  },
  sandboxTitle: { en: 'Try it first', fr: 'Essayez d’abord' },
  sandbox: {
    en: 'The sandbox works like production, but its contracts are not binding. [Open your account](/console), choose a plan and create API keys.',
    fr: 'Le bac à sable fonctionne comme la production, mais ses contrats n’engagent personne. [Ouvrez votre compte](/console), choisissez un forfait et créez des clés d’API.',
  },

  callTitle: { en: 'One call creates a contract', fr: 'Un appel crée un contrat' },
  call: {
    en: 'The [first steps](/docs) show the whole call and its response.',
    fr: 'Les [premiers pas](/docs) montrent l’appel complet et sa réponse.',
  },

  linkTitle: { en: 'Did you receive a contract?', fr: 'Avez-vous reçu un contrat?' },
  link: {
    en: 'Open the link in the email. Only that link leads to the contract, and opening it signs nothing. The [help page](/help) explains how to sign, and how to verify a signed contract.',
    fr: 'Ouvrez le lien dans le courriel. Seul ce lien mène au contrat, et l’ouvrir ne signe rien. La [page d’aide](/help) explique comment signer, et comment vérifier un contrat signé.',
  },
})
