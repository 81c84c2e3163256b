// Messages of the frame and of the parts that several pages share, in English and Canadian French.
// Functions take formatted times; `isolateNames` isolates a name that a user chose.
// French: no space before ? and !, a no-break space before a colon. A number and its unit stay on one line.
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/locale'

export const ceremonyMessages = createDictionary({
  // Frame
  testTitle: { en: 'Test contract - not legally binding', fr: 'Contrat d’essai - sans valeur juridique' },
  testEnds: (time: string) => ({ en: `It ends on ${time}.`, fr: `Il prend fin le ${time}.` }),
  footNote: (name: string) => ({
    en: `${name} delivers this contract and is not one of the parties.`,
    fr: `${name} achemine ce contrat et n’est pas l’une des parties.`,
  }),
  generalFootNote: (name: string) => ({
    en: `${name} delivers contracts and is party to none of them.`,
    fr: `${name} achemine des contrats et n’est partie à aucun d’eux.`,
  }),
  footLabel: { en: 'About this page', fr: 'À propos de cette page' },
  help: { en: 'Help', fr: 'Aide' },
  getHelp: { en: 'Get help', fr: 'Obtenir de l’aide' },
  privacy: { en: 'Privacy', fr: 'Confidentialité' },
  report: { en: 'Report this request', fr: 'Signaler cette demande' },
  reportAny: { en: 'Report a request', fr: 'Signaler une demande' },
  status: { en: 'Status', fr: 'État du service' },
  errorPrefix: (title: string) => ({ en: `Error: ${title}`, fr: `Erreur\u00A0: ${title}` }),
  problem: { en: 'There is a problem', fr: 'Il y a un problème' },

  // Steps
  stepsLabel: { en: 'Steps', fr: 'Étapes' },
  stepMail: { en: 'Your email', fr: 'Votre courriel' },
  stepRead: { en: 'Read', fr: 'Lire' },
  stepSign: { en: 'Sign', fr: 'Signer' },
  stepDone: { en: 'done', fr: 'terminé' },

  // The contract
  contractNumber: { en: 'Contract number', fr: 'Numéro du contrat' },
  signBy: { en: 'Sign by', fr: 'Date limite' },
  downloadText: { en: 'Download the text', fr: 'Télécharger le texte' },

  // The parties
  you: { en: 'you', fr: 'vous' },
  signed: { en: 'Signed', fr: 'Signé' },
  notSigned: { en: 'Not signed yet', fr: 'Pas encore signé' },
  progress: (signed: number, total: number) => ({
    en: `${signed} of ${total} ${isSingular(signed, 'en') ? 'has' : 'have'} signed`,
    fr: `${signed} sur ${total} ${isSingular(signed, 'fr') ? 'a' : 'ont'} signé`,
  }),
  others: (count: number) => ({ en: `Show the other ${count} parties`, fr: `Afficher les ${count} autres parties` }),
  hideOthers: { en: 'Hide the other parties', fr: 'Masquer les autres parties' },

  // The session
  notYou: { en: 'Not you? Leave this contract', fr: 'Ce n’est pas vous? Quittez ce contrat' },
  finish: { en: 'Finish and leave', fr: 'Terminer et quitter' },
})
