// Messages of the pages after a signature, in English and Canadian French. [ceremony 7, 8, 9]
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/locale'

export const doneMessages = createDictionary({
  signedTitle: { en: 'You have signed', fr: 'Vous avez signé' },
  progressTitle: (signed: number, total: number) => ({
    en: `${signed} of ${total} parties ${isSingular(signed, 'en') ? 'has' : 'have'} signed`,
    fr: `${signed} ${isSingular(signed, 'fr') ? 'partie' : 'parties'} sur ${total} ${isSingular(signed, 'fr') ? 'a' : 'ont'} signé`,
  }),
  checkAgain: { en: 'Check again', fr: 'Vérifier de nouveau' },
  nextRole: (role: string) => ({ en: `Next: sign as ${role}`, fr: `Ensuite\u00A0: signer comme ${role}` }),
  whatNext: { en: 'What happens next', fr: 'Prochaines étapes' },
  whatNextMail: {
    en: 'When everyone has signed, we will email you the signed PDF.',
    fr: 'Quand tout le monde aura signé, nous vous enverrons le PDF signé par courriel.',
  },
  whatNextWait: {
    en: 'To see whether everyone has signed, open the link from the email again. You can close this page.',
    fr: 'Pour voir si tout le monde a signé, ouvrez de nouveau le lien du courriel. Vous pouvez fermer cette page.',
  },
  whatNextExpiry: (time: string) => ({
    en: `If a party has not signed by ${time}, the contract expires. Your signature will then not take effect through Paraph.`,
    fr: `Si une partie n’a pas signé avant le ${time}, le contrat expire. Votre signature est alors sans effet par l’entremise de Paraph.`,
  }),
  viewSigned: { en: 'View what you signed', fr: 'Voir ce que vous avez signé' },
  allSignedTitle: { en: 'Everyone has signed', fr: 'Tout le monde a signé' },
  allSignedLead: (type: string, number: string, time: string) => ({
    en: `${type} ${number}, completed on ${time}.`,
    fr: `${type} ${number}, signé par tous le ${time}.`,
  }),
  yourCopy: { en: 'Your copy', fr: 'Votre copie' },
  signedPdf: { en: 'Signed PDF', fr: 'PDF signé' },
  signedPdfDetail: {
    en: 'The contract, the signatures and the evidence certificate. Keep this file.',
    fr: 'Le contrat, les signatures et le certificat de preuve. Conservez ce fichier.',
  },
  downloadPdf: { en: 'Download the signed PDF', fr: 'Télécharger le PDF signé' },
  preparing: {
    en: 'We are preparing it. That takes a few seconds.',
    fr: 'Nous le préparons. Cela prend quelques secondes.',
  },
  preparingTroubled: {
    en: 'We have not been able to create it yet, and we keep trying. All signatures are recorded. You can view the text below now, and come back for the PDF later.',
    fr: 'Nous n’avons pas encore pu le créer et nous continuons d’essayer. Toutes les signatures sont enregistrées. Vous pouvez voir le texte ci-dessous maintenant, et revenir plus tard pour le PDF.',
  },
  copiesMailed: {
    en: 'We also email the signed PDF to every party.',
    fr: 'Nous envoyons aussi le PDF signé par courriel à chaque partie.',
  },
  linkCloses: (time: string) => ({ en: `This link closes on ${time}.`, fr: `Ce lien se ferme le ${time}.` }),
  otherFiles: { en: 'Other files and how to verify', fr: 'Autres fichiers et vérification' },
  textDetail: {
    en: 'The exact text that was signed, byte for byte.',
    fr: 'Le texte exact qui a été signé, octet par octet.',
  },
  downloadShort: { en: 'Download text', fr: 'Télécharger le texte' },
  evidenceDetail: {
    en: 'Who did what and when, signed by Paraph. The signed PDF contains it too.',
    fr: 'Qui a fait quoi et quand, signé par Paraph. Le PDF signé la contient aussi.',
  },
  downloadEvidence: { en: 'Download evidence', fr: 'Télécharger la preuve' },
  disclosuresDetail: {
    en: 'Your personal proof file. Share it only if you need to prove the entries about you.',
    fr: 'Votre fichier de preuve personnel. Ne le communiquez que si vous devez prouver les entrées qui vous concernent.',
  },
  downloadDisclosures: { en: 'Download proof file', fr: 'Télécharger le fichier' },
  kilobytes: (count: string) => ({ en: `${count}\u00A0KB`, fr: `${count}\u00A0ko` }),
  howToVerify: { en: 'How to verify', fr: 'Comment vérifier' },
  howToVerifyDetail: {
    en: 'Anyone can verify that this is the text everyone signed, and that nobody has changed the evidence. You need neither an account nor this website.',
    fr: 'N’importe qui peut vérifier que ce texte est celui que tout le monde a signé et que personne n’a changé la preuve. Il ne faut pour cela ni compte ni ce site.',
  },
  checkDocument: { en: 'Check this document', fr: 'Vérifier ce document' },
  fingerprint: {
    en: 'The SHA-256 of the text, which the evidence contains too:',
    fr: 'Le SHA-256 du texte, que la preuve contient aussi\u00A0:',
  },
  fullCheck: { en: 'The full check, step by step', fr: 'La vérification complète, étape par étape' },
})
