// Messages of the pages before the text, in English and Canadian French. [ceremony 1 to 4]
import { createDictionary } from '@paraph/web/dictionary'

export const identifyMessages = createDictionary({
  // 1. Link opened
  openTitle: (sender: string) => ({
    en: `${sender} has asked you to sign a contract`,
    fr: `${sender} vous demande de signer un contrat`,
  }),
  from: { en: 'Sent by', fr: 'Envoyé par' },
  approvedAccount: (account: string) => ({
    en: `Account: ${account}, approved by the operator of this site.`,
    fr: `Compte\u00A0: ${account}, approuvé par l’exploitant de ce site.`,
  }),
  whatApprovedMeans: { en: 'What does this mean?', fr: 'Qu’est-ce que cela signifie?' },
  type: { en: 'Type', fr: 'Type' },
  emailLabel: { en: 'Your email address', fr: 'Votre adresse courriel' },
  emailHint: {
    en: 'The address that received the email with this link.',
    fr: 'L’adresse qui a reçu le courriel contenant ce lien.',
  },
  openReassurance: {
    en: 'We check the address first, so that only the parties named in the contract can read it. Nothing is signed on this page.',
    fr: 'Nous vérifions d’abord l’adresse, afin que seules les parties nommées dans le contrat puissent le lire. Rien n’est signé sur cette page.',
  },
  confirmAgain: {
    en: 'For your security, confirm your email address again.',
    fr: 'Pour votre sécurité, confirmez de nouveau votre adresse courriel.',
  },
  typedKept: { en: 'We have kept the name you typed.', fr: 'Nous avons conservé le nom que vous avez saisi.' },
  notSignedNow: { en: 'Nothing was signed just now.', fr: 'Rien n’a été signé à l’instant.' },

  // 2, 3. Code
  codeSent: (address: string) => ({
    en: `If ${address} is named in this contract, we have sent it a one-time code.`,
    fr: `Si ${address} figure dans ce contrat, nous y avons envoyé un code à usage unique.`,
  }),
  codeSentBefore: (address: string) => ({
    en: `If ${address} is named in this contract, each code we have sent there is valid for 10\u00A0minutes.`,
    fr: `Si ${address} figure dans ce contrat, chaque code que nous y avons envoyé est valable 10\u00A0minutes.`,
  }),
  lostMailbox: (sender: string) => ({
    en: `Can you no longer open that inbox? Ask ${sender} to send a new contract to another address.`,
    fr: `Vous n’avez plus accès à cette boîte de réception? Demandez à ${sender} d’envoyer un nouveau contrat à une autre adresse.`,
  }),
  codeDeadDetail: {
    en: 'You are not locked out, and nothing was signed. Ask for a new code.',
    fr: 'Votre accès n’est pas bloqué et rien n’a été signé. Demandez un nouveau code.',
  },
  codeResent: {
    en: 'If the address is named in this contract, a new code is on its way. It can take a few minutes. Use the newest one.',
    fr: 'Si l’adresse figure dans ce contrat, un nouveau code est en route. L’envoi peut prendre quelques minutes. Utilisez le plus récent.',
  },
  sendsUsedUp: (time: string, sender: string) => ({
    en: `We cannot send more codes now. Try again after ${time}, or contact ${sender}.`,
    fr: `Nous ne pouvons pas envoyer d’autre code maintenant. Réessayez après ${time}, ou communiquez avec ${sender}.`,
  }),

  // 4. Several roles, one mailbox
  rolesTitle: (count: number) => ({
    en: `You are named ${count === 2 ? 'twice' : `${count}\u00A0times`} in this contract`,
    fr: `Votre adresse figure ${count}\u00A0fois dans ce contrat`,
  }),
  rolesLead: {
    en: 'You sign once for each role. If you share this inbox with someone, choose only your own name.',
    fr: 'Vous signez une fois pour chaque rôle. Si vous partagez cette boîte de réception, choisissez seulement votre nom.',
  },
  readAndSignAs: (role: string) => ({ en: `Read and sign as ${role}`, fr: `Lire et signer comme ${role}` }),
  seeSigned: { en: 'See what was signed', fr: 'Voir ce qui a été signé' },
})
