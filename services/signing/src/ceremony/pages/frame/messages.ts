// Messages of the frame and of the pages on which a person acts, in English and Canadian French.
// Functions take formatted times; `isolateNames` isolates a name that a user chose.
// French: no space before ? and !, a no-break space before a colon. A number and its unit stay on one line.
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/locale'

export const ceremonyMessages = createDictionary({
  // Frame
  testTitle: { en: 'Test contract - not legally binding', fr: 'Contrat d’essai - sans valeur juridique' },
  testDetail: { en: 'It ends 1 hour after it was created.', fr: 'Il prend fin 1 heure après sa création.' },
  footNote: {
    en: 'Paraph carries this contract. It is not a party to it.',
    fr: 'Paraph achemine ce contrat sans y être partie.',
  },
  footLabel: { en: 'About this page', fr: 'À propos de cette page' },
  help: { en: 'Help', fr: 'Aide' },
  privacy: { en: 'Privacy', fr: 'Confidentialité' },
  report: { en: 'Report this request', fr: 'Signaler cette demande' },
  status: { en: 'Status', fr: 'État du service' },
  errorPrefix: (title: string) => ({ en: `Error: ${title}`, fr: `Erreur\u00A0: ${title}` }),
  problem: { en: 'There is a problem', fr: 'Il y a un problème' },

  // Steps
  stepsLabel: { en: 'Steps', fr: 'Étapes' },
  stepMail: { en: 'Your e-mail', fr: 'Votre courriel' },
  stepRead: { en: 'Read', fr: 'Lire' },
  stepSign: { en: 'Sign', fr: 'Signer' },
  stepDone: { en: 'done', fr: 'terminé' },

  // Contract rows
  from: { en: 'From', fr: 'De' },
  approvedAccount: (account: string) => ({
    en: `Approved account: ${account}`,
    fr: `Compte approuvé\u00A0: ${account}`,
  }),
  type: { en: 'Type', fr: 'Type' },
  contractNumber: { en: 'Contract number', fr: 'Numéro du contrat' },
  signBy: { en: 'Sign by', fr: 'Date limite' },

  // 1. Link opened
  openTitle: (sender: string) => ({
    en: `${sender} has asked you to sign a contract`,
    fr: `${sender} vous demande de signer un contrat`,
  }),
  emailLabel: { en: 'Your e-mail address', fr: 'Votre adresse de courriel' },
  emailHint: {
    en: 'The address that received the e-mail with this link.',
    fr: 'L’adresse qui a reçu le courriel contenant ce lien.',
  },
  openReassurance: {
    en: 'We check the address first, so that only the parties named in the contract can read it. Nothing is signed on this page.',
    fr: 'Nous vérifions d’abord l’adresse, afin que seules les parties nommées dans le contrat puissent le lire. Rien n’est signé sur cette page.',
  },
  confirmAgain: {
    en: 'For your security, confirm your e-mail again.',
    fr: 'Pour votre sécurité, confirmez de nouveau votre courriel.',
  },
  typedKept: { en: 'We kept what you typed.', fr: 'Nous avons conservé ce que vous avez écrit.' },
  notSignedNow: { en: 'Nothing was signed just now.', fr: 'Rien n’a été signé à l’instant.' },

  // 2, 3. Code
  codeSent: (address: string) => ({
    en: `If ${address} is named in this contract, we have sent it a one-time code.`,
    fr: `Si ${address} figure dans ce contrat, nous y avons envoyé un code à usage unique.`,
  }),
  codeSentBefore: (address: string) => ({
    en: `If ${address} is named in this contract, each code we sent works for 10\u00A0minutes.`,
    fr: `Si ${address} figure dans ce contrat, chaque code envoyé est valable 10\u00A0minutes.`,
  }),
  lostMailbox: (sender: string) => ({
    en: `Cannot read that mailbox any more? Ask ${sender} to send a new contract to another address.`,
    fr: `Vous n’avez plus accès à cette boîte? Demandez à ${sender} d’envoyer un nouveau contrat à une autre adresse.`,
  }),
  codeDeadDetail: {
    en: 'You are not locked out, and nothing was signed. Ask for a new code.',
    fr: 'Votre accès n’est pas bloqué et rien n’a été signé. Demandez un nouveau code.',
  },
  codeResent: {
    en: 'If the address is named in this contract, a new code is on its way. It can take a few minutes. Use the newest one.',
    fr: 'Si l’adresse figure dans ce contrat, un nouveau code est en route. Cela peut prendre quelques minutes. Utilisez le plus récent.',
  },
  sendsUsedUp: (time: string, sender: string) => ({
    en: `No more codes can be sent now. Try again after ${time}, or ask ${sender}.`,
    fr: `Aucun autre code ne peut être envoyé maintenant. Réessayez après ${time}, ou demandez de l’aide à ${sender}.`,
  }),

  // 4. Several roles, one mailbox
  rolesTitle: (count: number) => ({
    en: `You are named ${count === 2 ? 'twice' : `${count}\u00A0times`} in this contract`,
    fr: `Votre adresse figure ${count}\u00A0fois dans ce contrat`,
  }),
  rolesLead: {
    en: 'Each role is signed on its own. If you share this mailbox with somebody, choose only the name that is yours.',
    fr: 'Chaque rôle est signé séparément. Si vous partagez cette boîte avec quelqu’un, choisissez seulement le nom qui est le vôtre.',
  },
  readAndSignAs: (role: string) => ({ en: `Read and sign as ${role}`, fr: `Lire et signer comme ${role}` }),
  seeSigned: { en: 'See what was signed', fr: 'Voir ce qui a été signé' },

  // 5. Reading
  reviewTitle: { en: 'Read, then sign', fr: 'Lisez, puis signez' },
  reviewLead: (type: string, sender: string) => ({
    en: `${type} from ${sender}.`,
    fr: `${type} de la part de ${sender}.`,
  }),
  signingAs: (party: string) => ({ en: `You are signing as ${party}.`, fr: `Vous signez comme ${party}.` }),
  otherRole: { en: 'Choose another role', fr: 'Choisir un autre rôle' },
  parties: { en: 'Parties', fr: 'Parties' },
  progress: (signed: number, total: number) => ({
    en: `${signed} of ${total} ${isSingular(signed, 'en') ? 'has' : 'have'} signed`,
    fr: `${signed} sur ${total} ${isSingular(signed, 'fr') ? 'a' : 'ont'} signé`,
  }),
  you: { en: 'you', fr: 'vous' },
  signed: { en: 'Signed', fr: 'Signé' },
  notSigned: { en: 'Not signed yet', fr: 'Pas encore signé' },
  others: (count: number) => ({
    en: `Show ${count} more ${isSingular(count, 'en') ? 'party' : 'parties'}`,
    fr: `Afficher ${count} ${isSingular(count, 'fr') ? 'autre partie' : 'autres parties'}`,
  }),
  goToSignature: { en: 'Go to the signature', fr: 'Aller à la signature' },
  downloadText: { en: 'Download the text', fr: 'Télécharger le texte' },
  onThisPage: { en: 'On this page', fr: 'Sur cette page' },
  contents: { en: 'Contents', fr: 'Table des matières' },
  hiddenTitle: (count: number) => ({
    en: `${count.toLocaleString('en-GB')} hidden ${isSingular(count, 'en') ? 'character' : 'characters'} in this text`,
    fr: `${count.toLocaleString('fr-CA')} ${isSingular(count, 'fr') ? 'caractère caché' : 'caractères cachés'} dans ce texte`,
  }),
  hiddenDetail: (label: string, sender: string) => ({
    en: `Some characters cannot normally be seen, or change the order in which text is shown. Each one is printed below as a red label such as ${label}, and has no effect. If you are unsure, ask ${sender} why they are there before you sign.`,
    fr: `Certains caractères ne se voient normalement pas, ou changent l’ordre dans lequel le texte s’affiche. Chacun est remplacé ci-dessous par une étiquette rouge comme ${label}, et n’a aucun effet. En cas de doute, demandez à ${sender} pourquoi ils s’y trouvent avant de signer.`,
  }),
  inColumns: (nth: number) => ({ en: `Text in columns, ${nth}`, fr: `Texte en colonnes, ${nth}` }),
  scrollSideways: {
    en: 'Lines in columns. If they are wider than the page, scroll sideways.',
    fr: 'Lignes en colonnes. Si elles dépassent la largeur de la page, faites-les défiler de côté.',
  },
  moreHeadings: (count: number) => ({
    en: `and ${count.toLocaleString('en-GB')} more ${isSingular(count, 'en') ? 'heading' : 'headings'}`,
    fr: `et ${count.toLocaleString('fr-CA')} ${isSingular(count, 'fr') ? 'autre titre' : 'autres titres'}`,
  }),
  blankLines: (count: number) => ({ en: `[${count} blank lines]`, fr: `[${count} lignes vides]` }),
  wordForWord: { en: 'The contract, word for word', fr: 'Le contrat, mot pour mot' },
  endOfContract: (lines: string, count: string, bytes: string) => ({
    en: `End of the contract: ${lines} lines, ${count} words, ${bytes} bytes.`,
    fr: `Fin du contrat\u00A0: ${lines} lignes, ${count} mots, ${bytes} octets.`,
  }),

  // 6. Consent and name
  yourSignature: { en: 'Your signature', fr: 'Votre signature' },
  signAs: (party: string) => ({
    en: `You sign as ${party}. Nothing is signed until you press the button.`,
    fr: `Vous signez comme ${party}. Rien n’est signé tant que vous n’appuyez pas sur le bouton.`,
  }),
  nameLabel: { en: 'Type your full legal name', fr: 'Écrivez votre nom légal complet' },
  nameHint: (name: string) => ({
    en: `As written in the contract: ${name}`,
    fr: `Tel qu’il figure dans le contrat\u00A0: ${name}`,
  }),
  consentMissing: {
    en: 'Tick the box to say that you have read the contract and agree to it',
    fr: 'Cochez la case pour dire que vous avez lu le contrat et que vous l’acceptez',
  },
  nameWrong: (name: string) => ({
    en: `Enter your name as written in the contract: ${name}`,
    fr: `Entrez votre nom tel qu’il figure dans le contrat\u00A0: ${name}`,
  }),
  signContract: { en: 'Sign the contract', fr: 'Signer le contrat' },
  disagree: (sender: string) => ({
    en: `If you do not agree, do not sign. Close this page and contact ${sender}.`,
    fr: `Si vous n’êtes pas d’accord, ne signez pas. Fermez cette page et communiquez avec ${sender}.`,
  }),
  nameIsWrong: { en: 'My name is wrong', fr: 'Mon nom est erroné' },
  nameIsWrongDetail: (sender: string) => ({
    en: `Do not sign. A contract cannot be changed once it has been sent. Ask ${sender} to cancel this one and send a new one with your correct name. Capital letters, accents and dots do not have to match.`,
    fr: `Ne signez pas. Un contrat ne peut pas être modifié une fois envoyé. Demandez à ${sender} d’annuler celui-ci et d’en envoyer un nouveau avec votre nom exact. Les majuscules, les accents et les points n’ont pas à correspondre.`,
  }),

  // 7, 8. Signed
  signedTitle: { en: 'You have signed', fr: 'Vous avez signé' },
  progressTitle: (signed: number, total: number) => ({
    en: `${signed} of ${total} parties ${isSingular(signed, 'en') ? 'has' : 'have'} signed`,
    fr: `${signed} ${isSingular(signed, 'fr') ? 'partie' : 'parties'} sur ${total} ${isSingular(signed, 'fr') ? 'a' : 'ont'} signé`,
  }),
  checkAgain: { en: 'Check again', fr: 'Vérifier de nouveau' },
  nextRole: (role: string) => ({ en: `Next: sign as ${role}`, fr: `Ensuite\u00A0: signer comme ${role}` }),
  whatNext: { en: 'What happens next', fr: 'Et maintenant' },
  whatNextWait: {
    en: 'To see whether everyone has signed, open the link from the e-mail again. You can close this page.',
    fr: 'Pour voir si tout le monde a signé, ouvrez de nouveau le lien du courriel. Vous pouvez fermer cette page.',
  },
  whatNextExpiry: (time: string) => ({
    en: `If somebody has not signed by ${time}, the contract expires. Your signature then has no effect through this service.`,
    fr: `Si quelqu’un n’a pas signé avant le ${time}, le contrat expire. Votre signature est alors sans effet dans ce service.`,
  }),
  whatNextText: { en: 'Keep the text that you signed.', fr: 'Conservez le texte que vous avez signé.' },
  allSignedTitle: { en: 'Everyone has signed', fr: 'Tout le monde a signé' },
  allSignedLead: (type: string, number: string, time: string) => ({
    en: `${type} ${number}, complete on ${time}.`,
    fr: `${type} ${number}, signé par tous le ${time}.`,
  }),
  yourCopies: { en: 'Your copies', fr: 'Vos copies' },
  sealedPdf: { en: 'Sealed PDF', fr: 'PDF scellé' },
  sealedPdfDetail: {
    en: 'The contract, the signatures and the evidence certificate. Keep this one.',
    fr: 'Le contrat, les signatures et le certificat de preuve. Gardez celui-ci.',
  },
  downloadPdf: { en: 'Download PDF', fr: 'Télécharger le PDF' },
  preparing: {
    en: 'We are preparing it. That takes a few seconds.',
    fr: 'Nous le préparons. Cela prend quelques secondes.',
  },
  preparingTroubled: {
    en: 'We could not make it yet, and we keep trying. All signatures stand. The text below is complete; come back for the PDF later.',
    fr: 'Nous n’avons pas encore pu le produire et nous continuons d’essayer. Toutes les signatures sont valables. Le texte ci-dessous est complet; revenez plus tard pour le PDF.',
  },
  textDetail: {
    en: 'The exact text that was signed, byte for byte.',
    fr: 'Le texte exact qui a été signé, octet pour octet.',
  },
  downloadShort: { en: 'Download text', fr: 'Télécharger le texte' },
  evidenceDetail: {
    en: 'Who did what and when, signed by Paraph. For the check below.',
    fr: 'Qui a fait quoi et quand, signé par Paraph. Pour la vérification ci-dessous.',
  },
  downloadEvidence: { en: 'Download evidence', fr: 'Télécharger la preuve' },
  kilobytes: (count: string) => ({ en: `${count}\u00A0KB`, fr: `${count}\u00A0ko` }),
  whatNextMail: {
    en: 'When everyone has signed, we e-mail you the sealed PDF.',
    fr: 'Quand tout le monde aura signé, nous vous enverrons le PDF scellé par courriel.',
  },
  copiesMailed: {
    en: 'We also e-mail the sealed PDF to every party.',
    fr: 'Nous envoyons aussi le PDF scellé par courriel à chaque partie.',
  },
  linkCloses: (time: string) => ({ en: `This link closes on ${time}.`, fr: `Ce lien se ferme le ${time}.` }),
  howToCheck: { en: 'How to check it', fr: 'Comment le vérifier' },
  howToCheckDetail: {
    en: 'Anybody can check these files, without an account and without this website: that the text is the one everyone signed, and that nobody changed the evidence.',
    fr: 'Chacun peut vérifier ces fichiers, sans compte et sans ce site\u00A0: que le texte est celui que tout le monde a signé, et que personne n’a changé la preuve.',
  },
  showCommands: { en: 'Show the commands', fr: 'Afficher les commandes' },
  checkText: (digits: string) => ({
    en: `Fingerprint of the text. It must read ${digits}.`,
    fr: `L’empreinte du texte. Elle doit être ${digits}.`,
  }),
  checkEvidence: {
    en: 'Signature on the evidence. It must say “Signature Verified Successfully”.',
    fr: 'La signature de la preuve. La réponse doit être «\u00A0Signature Verified Successfully\u00A0».',
  },
  checkBoth: { en: 'The evidence names the same fingerprint.', fr: 'La preuve nomme la même empreinte.' },
  ownDisclosures: {
    en: 'What opens the entries about you, for nobody but you: openings.txt',
    fr: 'Ce qui ouvre les entrées qui vous concernent, pour vous seulement\u00A0: openings.txt',
  },
  publicKey: { en: 'The public key, paraph.pem', fr: 'La clé publique, paraph.pem' },
  fullCheck: { en: 'The full check, step by step', fr: 'La vérification complète, pas à pas' },
  notYou: { en: 'Not you? Leave this contract', fr: 'Ce n’est pas vous? Quittez ce contrat' },
  finish: { en: 'Finish and leave', fr: 'Terminer et quitter' },
})
