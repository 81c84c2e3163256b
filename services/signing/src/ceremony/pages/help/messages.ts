// Messages of the help and privacy pages, in English and Canadian French. They describe how the service works: update them when it changes.
import { createDictionary } from '@paraph/web/dictionary'

export const helpMessages = createDictionary({
  helpTitle: { en: 'Help', fr: 'Aide' },
  helpLead: {
    en: 'Somebody has sent you a contract through Paraph. Opening the link signs nothing.',
    fr: 'Quelqu’un vous a envoyé un contrat par Paraph. Ouvrir le lien ne signe rien.',
  },
  howTitle: { en: 'How signing works', fr: 'Comment se fait la signature' },
  how: {
    en: 'You enter the e-mail address that received the link. We send it a one-time code. With the code you can read the whole contract. You sign by ticking a box, typing your name and pressing “Sign the contract”.',
    fr: 'Vous entrez l’adresse de courriel qui a reçu le lien. Nous y envoyons un code à usage unique. Avec le code, vous pouvez lire tout le contrat. Vous signez en cochant une case, en écrivant votre nom et en appuyant sur «\u00A0Signer le contrat\u00A0».',
  },
  howSeparately: {
    en: 'Each party signs separately, with the same link. The contract is complete when everyone has signed.',
    fr: 'Chaque partie signe séparément, avec le même lien. Le contrat est complet quand tout le monde a signé.',
  },
  codeTitle: { en: 'The code does not arrive', fr: 'Le code n’arrive pas' },
  code: {
    en: 'It can take a few minutes. Look in the junk folder. Check that you entered the address that received the link; a code goes only to an address named in the contract.',
    fr: 'Cela peut prendre quelques minutes. Regardez dans les courriels indésirables. Vérifiez que vous avez entré l’adresse qui a reçu le lien; un code n’est envoyé qu’à une adresse nommée dans le contrat.',
  },
  codeAgain: {
    en: 'You can ask for a new code after one minute. A code works for 10\u00A0minutes.',
    fr: 'Vous pouvez demander un nouveau code après une minute. Un code est valable 10\u00A0minutes.',
  },
  mailboxTitle: { en: 'You cannot read that mailbox any more', fr: 'Vous n’avez plus accès à cette boîte' },
  mailbox: {
    en: 'Ask the sender to cancel the contract and to send a new one to another address.',
    fr: 'Demandez à l’expéditeur d’annuler le contrat et d’en envoyer un nouveau à une autre adresse.',
  },
  mistakeTitle: { en: 'Your name or the text is wrong', fr: 'Votre nom ou le texte est erroné' },
  mistake: {
    en: 'Do not sign. A contract cannot be changed once it has been sent. Ask the sender to cancel it and to send a correct one.',
    fr: 'Ne signez pas. Un contrat ne peut pas être modifié une fois envoyé. Demandez à l’expéditeur de l’annuler et d’en envoyer un qui soit exact.',
  },
  noTitle: { en: 'You do not want to sign', fr: 'Vous ne voulez pas signer' },
  no: {
    en: 'Do nothing, and tell the sender. Nothing is signed for you. A contract that not everyone has signed expires by itself.',
    fr: 'Ne faites rien, et dites-le à l’expéditeur. Rien n’est signé à votre place. Un contrat que tout le monde n’a pas signé expire de lui-même.',
  },
  checkTitle: { en: 'How to check a signed contract', fr: 'Comment vérifier un contrat signé' },
  checkFiles: {
    en: 'The sealed PDF brings four attached files, which any PDF reader saves: contract.txt is the contract to the byte, evidence.jws says who did what and when, paraph.pem is the public key that it is signed with, names.txt says whom it is about. On any machine with a shell and openssl, in the folder with these files, and without this website:',
    fr: 'Le PDF scellé contient quatre fichiers joints, que tout lecteur de PDF enregistre\u00A0: contract.txt est le contrat à l’octet près, evidence.jws dit qui a fait quoi et quand, paraph.pem est la clé publique de sa signature, names.txt dit de qui il s’agit. Sur toute machine avec un shell et openssl, dans le dossier de ces fichiers, et sans ce site\u00A0:',
  },
  checkEntries: {
    en: 'The last command must print “Signature Verified Successfully”. Then the entries can be read; the first one holds contentSha256, which must be what the first command printed.',
    fr: 'La dernière commande doit afficher «\u00A0Signature Verified Successfully\u00A0». Les entrées se lisent ensuite; la première contient contentSha256, qui doit être ce que la première commande a affiché.',
  },
  checkOrder: {
    en: 'Each entry names the fingerprint of the one before it. This prints nothing where all follow.',
    fr: 'Chaque entrée nomme l’empreinte de la précédente. Ceci n’affiche rien quand toutes se suivent.',
  },
  checkKey: {
    en: 'The key is ours when it is one of those that we publish, for ever, and signed contracts of this kind at that time. With our keys beside the other files, this prints a line that begins with “yes”.',
    fr: 'La clé est la nôtre si elle est parmi celles que nous publions, pour toujours, et signait ce genre de contrats à ce moment. Avec nos clés à côté des autres fichiers, ceci affiche une ligne qui commence par «\u00A0yes\u00A0».',
  },
  keys: { en: 'Our public keys, paraph-evidence.pem', fr: 'Nos clés publiques, paraph-evidence.pem' },
  notProven: {
    en: 'This proves that the text and the evidence have not changed since, and that somebody who could read each mailbox signed. It does not prove who sat at the keyboard, nor that they had the authority to sign.',
    fr: 'Cela prouve que le texte et la preuve n’ont pas changé depuis, et que quelqu’un qui pouvait lire chaque boîte a signé. Cela ne prouve pas qui était au clavier, ni qu’il avait le pouvoir de signer.',
  },
  reportTitle: { en: 'Report this request', fr: 'Signaler cette demande' },
  reportLead: {
    en: 'If you do not know the sender, or the contract asks for money, passwords or something that makes no sense, do not sign and do not enter a code for anybody else.',
    fr: 'Si vous ne connaissez pas l’expéditeur, ou si le contrat demande de l’argent, des mots de passe ou quelque chose qui n’a pas de sens, ne signez pas et n’entrez pas de code pour quelqu’un d’autre.',
  },
  reportTo: (address: string) => ({
    en: `Write to ${address} and give the contract number. Do not send the link or a code.`,
    fr: `Écrivez à ${address} et donnez le numéro du contrat. N’envoyez ni le lien ni un code.`,
  }),
  reportNoAddress: {
    en: 'Tell the operator of this website and give the contract number. Do not send the link or a code.',
    fr: 'Avertissez l’exploitant de ce site et donnez le numéro du contrat. N’envoyez ni le lien ni un code.',
  },
  privacyTitle: { en: 'Privacy', fr: 'Confidentialité' },
  privacyLead: {
    en: 'What this service keeps about a party to a contract, and who can see it.',
    fr: 'Ce que ce service conserve au sujet d’une partie à un contrat, et qui peut le voir.',
  },
  keptTitle: { en: 'What is kept', fr: 'Ce qui est conservé' },
  kept: {
    en: [
      'From the sender: your name, your role, your e-mail address and the text of the contract.',
      'From you: when you confirmed your address, when the text was shown, that you agreed, the name you typed and when you signed, with the network address and browser that you confirmed and signed from. This is the evidence of your signature.',
      'An address that somebody types at the link is kept with the contract too, whether or not the contract names it.',
      'What somebody writes under “Report this request” is kept for the operator of this website.',
      'A contract that is over can be erased: then its text, names, addresses, network addresses and browsers are deleted here, and what remains, fingerprints and times, names nobody. Copies that people were sent stay with them.',
    ],
    fr: [
      'De l’expéditeur\u00A0: votre nom, votre rôle, votre adresse de courriel et le texte du contrat.',
      'De vous\u00A0: quand vous avez confirmé votre adresse, quand le texte a été affiché, que vous avez accepté, le nom que vous avez écrit et quand vous avez signé, avec l’adresse réseau et le navigateur utilisés pour confirmer et pour signer. C’est la preuve de votre signature.',
      'Une adresse que quelqu’un écrit à l’ouverture du lien est conservée avec le contrat aussi, que le contrat la nomme ou non.',
      'Ce que quelqu’un écrit sous «\u00A0Signaler cette demande\u00A0» est conservé pour l’exploitant de ce site.',
      'Un contrat terminé peut être effacé\u00A0: son texte, les noms, les adresses, les adresses réseau et les navigateurs sont alors supprimés ici, et ce qui reste, des empreintes et des heures, ne nomme personne. Les copies qui ont été envoyées restent chez ceux qui les ont reçues.',
    ],
  },
  seenTitle: { en: 'Who sees it', fr: 'Qui le voit' },
  seenByParties: {
    en: 'The sender sees your name, your address and when you signed. The other parties see your role, your name and whether you have signed; never your address.',
    fr: 'L’expéditeur voit votre nom, votre adresse et quand vous avez signé. Les autres parties voient votre rôle, votre nom et si vous avez signé; jamais votre adresse.',
  },
  seenByLink: {
    en: 'Whoever holds the link without a code sees only who sent the contract, its type, its number and the date to sign by.',
    fr: 'Quiconque détient le lien sans code voit seulement qui a envoyé le contrat, son type, son numéro et la date limite pour signer.',
  },
  cookiesTitle: { en: 'Cookies', fr: 'Témoins' },
  cookies: {
    en: 'Once you enter the right code, one cookie tells us that it was you; it ends after 24 hours or with “Finish and leave”. Another remembers the language if you choose one. If your session ends before you sign, a third keeps the name that you typed, sealed, for 15 minutes. When you ask for a code, a fourth, a random number, tells your browser from others for a day. There is no tracking and nothing is loaded from other websites.',
    fr: 'Une fois le bon code entré, un témoin nous dit que c’est vous; il prend fin après 24 heures ou avec «\u00A0Terminer et quitter\u00A0». Un autre retient la langue si vous en choisissez une. Si votre session prend fin avant que vous signiez, un troisième conserve, scellé, le nom que vous avez écrit, pendant 15 minutes. Quand vous demandez un code, un quatrième, un nombre aléatoire, distingue votre navigateur des autres pendant une journée. Il n’y a aucun suivi et rien n’est chargé depuis d’autres sites.',
  },
  privacyTo: (address: string) => ({
    en: `Questions about your data: ${address}.`,
    fr: `Questions au sujet de vos données\u00A0: ${address}.`,
  }),
})
