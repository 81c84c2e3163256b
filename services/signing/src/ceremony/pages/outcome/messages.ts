// Messages of the pages on which nothing can be signed: final states, broken links, errors. In English and Canadian French.
// Each page states what has happened and what has not, then what to do.
import { createDictionary } from '@paraph/web/dictionary'

export const outcomeMessages = createDictionary({
  expiredTitle: { en: 'This contract has expired', fr: 'Ce contrat a expiré' },
  expiredLead: (time: string) => ({
    en: `It was not signed by everyone before ${time}, so it can no longer be signed.`,
    fr: `Il n’a pas été signé par tout le monde avant le ${time}. Il ne peut donc plus être signé.`,
  }),
  askForNew: (sender: string) => ({ en: `Ask ${sender} for a new one.`, fr: `Demandez-en un nouveau à ${sender}.` }),
  closedTitle: { en: 'This link has closed', fr: 'Ce lien est fermé' },
  closedLead: (time: string) => ({
    en: `Everyone signed this contract. Its link closed on ${time}.`,
    fr: `Tout le monde a signé ce contrat. Son lien s’est fermé le ${time}.`,
  }),
  askForCopy: (sender: string) => ({
    en: `If you need a copy, ask ${sender}.`,
    fr: `S’il vous en faut une copie, demandez-la à ${sender}.`,
  }),
  cancelledTitle: { en: 'This contract was cancelled', fr: 'Ce contrat a été annulé' },
  cancelledBySender: (sender: string, time: string) => ({
    en: `${sender} cancelled it on ${time}, before everyone had signed.`,
    fr: `${sender} l’a annulé le ${time}, avant que tout le monde ait signé.`,
  }),
  cancelledByParty: (time: string) => ({
    en: `A party declined to sign on ${time}, and the sender had asked to cancel it then.`,
    fr: `Une partie a refusé de signer le ${time}, et l’expéditeur avait demandé de l’annuler dans ce cas.`,
  }),
  cancelledLead: (time: string) => ({
    en: `It was cancelled on ${time}, before everyone had signed.`,
    fr: `Il a été annulé le ${time}, avant que tout le monde ait signé.`,
  }),
  noEffect: {
    en: 'Signatures already given do not take effect through Paraph.',
    fr: 'Les signatures déjà données sont sans effet par l’entremise de Paraph.',
  },
  notFoundTitle: { en: 'We cannot find that contract', fr: 'Nous ne trouvons pas ce contrat' },
  notFoundLead: {
    en: 'Use the whole link from the email. Some mail programs break a long link over two lines, so that only the first part opens.',
    fr: 'Utilisez le lien complet du courriel. Certains logiciels coupent un long lien sur deux lignes, et seule la première partie s’ouvre.',
  },
  notFoundDetail: {
    en: 'Copy the link, paste it into the address bar and check that nothing is missing at the end.',
    fr: 'Copiez le lien, collez-le dans la barre d’adresse et vérifiez que rien ne manque à la fin.',
  },
  erasedTitle: { en: 'This contract was erased', fr: 'Ce contrat a été effacé' },
  erasedLead: (time: string) => ({
    en: `Its text, names and addresses were deleted from this site on ${time}.`,
    fr: `Son texte, ses noms et ses adresses ont été supprimés de ce site le ${time}.`,
  }),
  erasedCopies: {
    en: 'Copies people have saved are not affected: a signed PDF can be checked without this site.',
    fr: 'Les copies que des personnes ont enregistrées ne sont pas touchées\u00A0: un PDF signé se vérifie sans ce site.',
  },
  theSender: { en: 'the sender', fr: 'l’expéditeur' },
  suspendedTitle: { en: 'This contract is suspended', fr: 'Ce contrat est suspendu' },
  suspendedLead: { en: 'It cannot be signed at the moment.', fr: 'Il ne peut pas être signé pour le moment.' },
  suspendedSigned: {
    en: 'The signatures remain recorded, and you can still download your copy.',
    fr: 'Les signatures restent enregistrées et vous pouvez toujours télécharger votre copie.',
  },
  getCopy: { en: 'Get my copy', fr: 'Obtenir ma copie' },
  getCopyDetail: {
    en: 'If you have signed, confirm your email address to download the text that you signed.',
    fr: 'Si vous avez signé, confirmez votre adresse courriel pour télécharger le texte que vous avez signé.',
  },
  leftTitle: { en: 'You have left this contract', fr: 'Vous avez quitté ce contrat' },
  leftLead: {
    en: 'This browser can no longer open it without a new code. If you have signed, your signature remains recorded.',
    fr: 'Ce navigateur ne peut plus l’ouvrir sans un nouveau code. Si vous avez signé, votre signature reste enregistrée.',
  },
  leftDetail: {
    en: 'To come back, open the link from the email again.',
    fr: 'Pour revenir, ouvrez de nouveau le lien du courriel.',
  },
  openAgain: { en: 'Open the contract again', fr: 'Ouvrir de nouveau le contrat' },

  troubleTitle: { en: 'Sorry, there is a problem', fr: 'Désolé, il y a un problème' },
  nothingSigned: { en: 'Nothing was signed.', fr: 'Rien n’a été signé.' },
  tryAgainSoon: {
    en: 'Open the link from the email again in a few minutes.',
    fr: 'Ouvrez de nouveau le lien du courriel dans quelques minutes.',
  },
  recorded: (time: string) => ({
    en: `Your signature was recorded on ${time}.`,
    fr: `Votre signature a été enregistrée le ${time}.`,
  }),
  recordedDetail: {
    en: 'Only this page could not be shown. You do not need to sign again. Open the link from the email again in a few minutes.',
    fr: 'Seule cette page n’a pas pu s’afficher. Vous n’avez pas à signer de nouveau. Ouvrez de nouveau le lien du courriel dans quelques minutes.',
  },
  unknown: {
    en: 'We do not know yet whether your signature was recorded.',
    fr: 'Nous ne savons pas encore si votre signature a été enregistrée.',
  },
  unknownDetail: {
    en: 'Open the link again in a minute to find out.',
    fr: 'Ouvrez de nouveau le lien dans une minute pour le savoir.',
  },
  untouched: {
    en: 'This page could not be shown. Nothing was changed: a signature that was already recorded remains recorded.',
    fr: 'Cette page n’a pas pu s’afficher. Rien n’a changé\u00A0: une signature déjà enregistrée le reste.',
  },
  reference: {
    en: 'If you ask for help, give this reference:',
    fr: 'Si vous demandez de l’aide, donnez cette référence\u00A0:',
  },

  cookiesTitle: {
    en: 'Your browser blocked a cookie we need',
    fr: 'Votre navigateur a bloqué un témoin (cookie) nécessaire',
  },
  cookiesLead: {
    en: 'Your code was right. The cookie tells us that it was you who entered it, and contains nothing else. Nothing is signed on this page.',
    fr: 'Votre code était le bon. Le témoin nous dit que c’est vous qui l’avez saisi, et ne contient rien d’autre. Rien n’est signé sur cette page.',
  },
  cookiesDetail: (host: string) => ({
    en: `Allow cookies for ${host}, or open the link from the email in another browser. You will then need a new code.`,
    fr: `Autorisez les témoins pour ${host}, ou ouvrez le lien du courriel dans un autre navigateur. Il vous faudra alors un nouveau code.`,
  }),

  changedCancelled: { en: 'This contract was cancelled a moment ago', fr: 'Ce contrat vient d’être annulé' },
  changedExpired: { en: 'This contract has just expired', fr: 'Ce contrat vient d’expirer' },
  changedSuspended: { en: 'This contract has been suspended', fr: 'Ce contrat a été suspendu' },
  changedText: {
    en: 'The text on your page did not match the contract',
    fr: 'Le texte de votre page ne correspondait pas au contrat',
  },
  changedTextDetail: {
    en: 'Nothing was recorded. Read the contract again before you decide.',
    fr: 'Rien n’a été enregistré. Relisez le contrat avant de décider.',
  },
  formNotUsed: { en: 'We could not accept that form', fr: 'Nous n’avons pas pu accepter ce formulaire' },
  formNotUsedLead: { en: 'Nothing was signed.', fr: 'Rien n’a été signé.' },
  formNotUsedDetail: {
    en: 'The page was open for too long, or the form did not come from this website.',
    fr: 'La page est restée ouverte trop longtemps, ou le formulaire ne venait pas de ce site.',
  },
  youHaveNotSigned: { en: 'You have not signed.', fr: 'Vous n’avez pas signé.' },
  youHaveNotSignedAs: (role: string) => ({
    en: `You have not signed as ${role}.`,
    fr: `Vous n’avez pas signé comme ${role}.`,
  }),
  readAgain: { en: 'Read the contract again', fr: 'Relire le contrat' },

  waitTitle: { en: 'Try again later', fr: 'Réessayez plus tard' },
  waitLead: {
    en: 'Too many codes have been requested from your network. Nothing is signed on this page.',
    fr: 'Trop de codes ont été demandés depuis votre réseau. Rien n’est signé sur cette page.',
  },
  waitDetail: (time: string) => ({ en: `Try again after ${time}.`, fr: `Réessayez après ${time}.` }),
})
