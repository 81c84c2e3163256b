// Messages of the pages that show the text: to sign it, and after the signature. In English and Canadian French. [ceremony 5 and 6]
import { createDictionary } from '@paraph/web/dictionary'
import { counted } from '@paraph/web/locale'

export const reviewMessages = createDictionary({
  // 5. Reading
  title: { en: 'Read, then sign', fr: 'Lisez, puis signez' },
  lead: (type: string, sender: string) => ({ en: `${type} from ${sender}.`, fr: `${type} de la part de ${sender}.` }),
  signingAs: (party: string) => ({ en: `You are signing as ${party}.`, fr: `Vous signez comme ${party}.` }),
  readingTime: (words: number, minutes: number) => ({
    en: `${counted(words, 'en', ['word', 'words'])}, about ${counted(minutes, 'en', ['minute', 'minutes'])}`,
    fr: `${counted(words, 'fr', ['mot', 'mots'])}, environ ${counted(minutes, 'fr', ['minute', 'minutes'])}`,
  }),
  otherRole: { en: 'Choose another role', fr: 'Choisir un autre rôle' },
  parties: { en: 'Parties', fr: 'Parties' },
  goToSignature: { en: 'Go to the signature', fr: 'Aller à la signature' },
  onThisPage: { en: 'On this page', fr: 'Sur cette page' },
  hiddenTitle: (count: number) => ({
    en: `${counted(count, 'en', ['hidden character', 'hidden characters'])} in this text`,
    fr: `${counted(count, 'fr', ['caractère caché', 'caractères cachés'])} dans ce texte`,
  }),
  hiddenDetail: (label: string, sender: string) => ({
    en: `Some characters are normally invisible, or change the order in which text appears. Each one is shown below as a red label such as ${label}, and has no effect. If you are unsure, ask ${sender} why they are there before you sign.`,
    fr: `Certains caractères sont normalement invisibles, ou changent l’ordre dans lequel le texte s’affiche. Chacun est remplacé ci-dessous par une étiquette rouge comme ${label}, et n’a aucun effet. En cas de doute, demandez à ${sender} pourquoi ils s’y trouvent avant de signer.`,
  }),
  wordForWord: { en: 'The contract, word for word', fr: 'Le contrat, mot pour mot' },
  endOfContract: (lines: number, words: number, bytes: number) => ({
    en: `End of the contract: ${counted(lines, 'en', ['line', 'lines'])}, ${counted(words, 'en', ['word', 'words'])}, ${counted(bytes, 'en', ['byte', 'bytes'])}.`,
    fr: `Fin du contrat\u00A0: ${counted(lines, 'fr', ['ligne', 'lignes'])}, ${counted(words, 'fr', ['mot', 'mots'])}, ${counted(bytes, 'fr', ['octet', 'octets'])}.`,
  }),

  // 6. Consent and name
  yourSignature: { en: 'Your signature', fr: 'Votre signature' },
  signAs: (party: string) => ({
    en: `You sign as ${party}. Nothing is signed until you press the button.`,
    fr: `Vous signez comme ${party}. Rien n’est signé tant que vous n’avez pas appuyé sur le bouton.`,
  }),
  nameLabel: { en: 'Type your full legal name', fr: 'Saisissez votre nom légal complet' },
  nameHint: (name: string) => ({
    en: `As written in the contract: ${name}`,
    fr: `Tel qu’il figure dans le contrat\u00A0: ${name}`,
  }),
  consentMissing: {
    en: 'Tick the box to confirm that you have read the contract and agree to it',
    fr: 'Cochez la case pour confirmer que vous avez lu le contrat et que vous l’acceptez',
  },
  nameWrong: (name: string) => ({
    en: `Type your name as written in the contract: ${name}`,
    fr: `Saisissez votre nom tel qu’il figure dans le contrat\u00A0: ${name}`,
  }),
  signContract: { en: 'Sign the contract', fr: 'Signer le contrat' },
  disagree: (sender: string) => ({
    en: `If you do not agree, do not sign. Close this page and contact ${sender}.`,
    fr: `Si vous n’êtes pas d’accord, ne signez pas. Fermez cette page et communiquez avec ${sender}.`,
  }),
  nameIsWrong: { en: 'My name is wrong', fr: 'Mon nom est erroné' },
  nameIsWrongDetail: (sender: string) => ({
    en: `Do not sign. A contract cannot be changed once it has been sent. Ask ${sender} to cancel this one and to send a new one with your correct name. Capital letters, accents and dots do not have to match.`,
    fr: `Ne signez pas. Un contrat ne peut pas être modifié une fois envoyé. Demandez à ${sender} d’annuler celui-ci et d’en envoyer un nouveau avec votre nom exact. Les majuscules, les accents et les points n’ont pas à correspondre.`,
  }),

  // The text after the signature
  signedTextTitle: { en: 'What you signed', fr: 'Ce que vous avez signé' },
  signedTextLead: (party: string, time: string) => ({
    en: `You signed this text as ${party} on ${time}.`,
    fr: `Vous avez signé ce texte comme ${party} le ${time}.`,
  }),
  keepIt: {
    en: 'To keep it, print this page or download the text.',
    fr: 'Pour le conserver, imprimez cette page ou téléchargez le texte.',
  },
  back: { en: 'Back to your signature', fr: 'Revenir à votre signature' },
})
