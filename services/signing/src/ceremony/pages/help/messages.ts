// Messages of the help page, in English and Canadian French. They describe how the service works: update them when it changes.
import { createDictionary } from '@paraph/web/dictionary'

export const helpMessages = createDictionary({
  title: { en: 'Help', fr: 'Aide' },
  lead: {
    en: 'Someone has sent you a contract through Paraph. Opening the link signs nothing.',
    fr: 'Quelqu’un vous a envoyé un contrat par Paraph. Ouvrir le lien ne signe rien.',
  },
  howTitle: { en: 'How does signing work?', fr: 'Comment se fait la signature?' },
  how: {
    en: [
      'You enter the email address that received the link, and we send it a one-time code. With the code you can read the whole contract. You sign by ticking a box, typing your name and pressing “Sign the contract”.',
      'Each party signs separately, with the same link. The contract is complete when everyone has signed.',
    ],
    fr: [
      'Vous saisissez l’adresse courriel qui a reçu le lien, et nous y envoyons un code à usage unique. Avec le code, vous pouvez lire tout le contrat. Vous signez en cochant une case, en saisissant votre nom et en appuyant sur «\u00A0Signer le contrat\u00A0».',
      'Chaque partie signe séparément, avec le même lien. Le contrat est complet quand tout le monde a signé.',
    ],
  },
  senderTitle: { en: 'Who sent this contract?', fr: 'Qui a envoyé ce contrat?' },
  sender: {
    en: [
      'The sender chose the name under “Sent by”. The operator of this site approved the account behind it, under the name shown as “Account”. Approval does not mean that the operator has read the contract or recommends it.',
    ],
    fr: [
      'L’expéditeur a choisi le nom sous «\u00A0Envoyé par\u00A0». L’exploitant de ce site a approuvé le compte utilisé, sous le nom indiqué à côté de «\u00A0Compte\u00A0». Cela ne veut pas dire que l’exploitant a lu le contrat ni qu’il le recommande.',
    ],
  },
  codeTitle: { en: 'The code does not arrive', fr: 'Le code n’arrive pas' },
  code: {
    en: [
      'It can take a few minutes. Look in the junk folder. Check that you entered the address that received the link: a code goes only to an address named in the contract.',
      'You can ask for a new code after one minute. A code is valid for 10\u00A0minutes.',
    ],
    fr: [
      'L’envoi peut prendre quelques minutes. Regardez dans les courriels indésirables. Vérifiez que vous avez saisi l’adresse qui a reçu le lien\u00A0: un code n’est envoyé qu’à une adresse nommée dans le contrat.',
      'Vous pouvez demander un nouveau code après une minute. Un code est valable 10\u00A0minutes.',
    ],
  },
  mailboxTitle: { en: 'You can no longer open that inbox', fr: 'Vous n’avez plus accès à cette boîte de réception' },
  mailbox: {
    en: ['Ask the sender to cancel the contract and to send a new one to another address.'],
    fr: ['Demandez à l’expéditeur d’annuler le contrat et d’en envoyer un nouveau à une autre adresse.'],
  },
  mistakeTitle: { en: 'Your name or the text is wrong', fr: 'Votre nom ou le texte est erroné' },
  mistake: {
    en: [
      'Do not sign. A contract cannot be changed once it has been sent. Ask the sender to cancel it and to send a correct one.',
    ],
    fr: [
      'Ne signez pas. Un contrat ne peut pas être modifié une fois envoyé. Demandez à l’expéditeur de l’annuler et d’en envoyer un qui soit exact.',
    ],
  },
  noTitle: { en: 'You do not want to sign', fr: 'Vous ne voulez pas signer' },
  no: {
    en: [
      'Do nothing, and tell the sender. Nothing is signed for you. A contract that not everyone has signed expires by itself.',
    ],
    fr: [
      'Ne faites rien, et dites-le à l’expéditeur. Rien n’est signé à votre place. Un contrat que tout le monde n’a pas signé expire de lui-même.',
    ],
  },
  changeTitle: { en: 'What if I change my mind?', fr: 'Et si je change d’avis?' },
  change: {
    en: [
      'Before you sign, you can leave at any time. After you have signed, you cannot take your signature back here. Contact the sender straight away: until everyone has signed, the sender can cancel the contract, and your signature will then not take effect through Paraph.',
      'Once everyone has signed, only the contract itself and the law say how you can end it.',
    ],
    fr: [
      'Avant de signer, vous pouvez partir à tout moment. Après avoir signé, vous ne pouvez pas retirer votre signature ici. Communiquez sans tarder avec l’expéditeur\u00A0: tant que tout le monde n’a pas signé, il peut annuler le contrat, et votre signature est alors sans effet par l’entremise de Paraph.',
      'Une fois que tout le monde a signé, seuls le contrat et la loi disent comment vous pouvez y mettre fin.',
    ],
  },
  legalTitle: { en: 'Is this legal?', fr: 'Est-ce légal?' },
  legal: {
    en: [
      'In Canada, the United States, the European Union and many other places, most contracts can be signed electronically. Some documents cannot, such as wills in most places.',
      'Paraph records who signed what, and when. It does not check whether a contract is fair or valid, and it gives no legal advice. If you are unsure, ask a lawyer before you sign. A contract under the bar “Test contract - not legally binding” is only a test.',
    ],
    fr: [
      'Au Canada, aux États-Unis, dans l’Union européenne et dans bien d’autres pays, la plupart des contrats peuvent être signés électroniquement. Certains documents ne le peuvent pas, comme les testaments presque partout.',
      'Paraph consigne qui a signé quoi, et quand. Il ne vérifie pas si un contrat est équitable ou valable, et ne donne pas de conseils juridiques. En cas de doute, consultez un avocat ou un notaire avant de signer. Un contrat sous la barre «\u00A0Contrat d’essai - sans valeur juridique\u00A0» n’est qu’un essai.',
    ],
  },
  checkTitle: { en: 'How do I verify a signed contract?', fr: 'Comment vérifier un contrat signé?' },
  check: {
    en: [
      'The page “Check a signed document” says in words whether the text and the evidence in a signed PDF are unchanged, and whether this site sealed it.',
      'The PDF contains everything that the check needs, and we never remove a published key. So anyone can also verify it years later, without an account and without this site.',
      'This proves that the text and the evidence have not changed, and that somebody who could open each inbox signed. It does not prove who sat at the keyboard, or that they had the authority to sign.',
    ],
    fr: [
      'La page «\u00A0Vérifier un document signé\u00A0» dit en toutes lettres si le texte et la preuve d’un PDF signé sont inchangés, et si ce site l’a scellé.',
      'Le PDF contient tout ce qu’il faut pour la vérification, et nous ne retirons jamais une clé publiée. N’importe qui peut donc aussi le vérifier des années plus tard, sans compte et sans ce site.',
      'Cela prouve que le texte et la preuve n’ont pas changé, et que quelqu’un qui avait accès à chaque boîte de réception a signé. Cela ne prouve pas qui était au clavier, ni que cette personne avait le pouvoir de signer.',
    ],
  },
  checkHere: { en: 'Check a signed document', fr: 'Vérifier un document signé' },
  checkSteps: { en: 'Verify it yourself, step by step', fr: 'Le vérifier vous-même, étape par étape' },
  keys: { en: 'Our public keys, paraph-evidence.pem', fr: 'Nos clés publiques, paraph-evidence.pem' },
  reportTitle: { en: 'Report this request', fr: 'Signaler cette demande' },
  report: {
    en: [
      'If you do not know the sender, or the contract asks for money, passwords or something that makes no sense, do not sign and do not enter a code for anyone else.',
    ],
    fr: [
      'Si vous ne connaissez pas l’expéditeur, ou si le contrat demande de l’argent, des mots de passe ou quelque chose qui n’a pas de sens, ne signez pas et ne saisissez pas de code pour quelqu’un d’autre.',
    ],
  },
  reportTo: (address: string) => ({
    en: `Write to ${address} and give the contract number. Do not send the link or a code.`,
    fr: `Écrivez à ${address} et donnez le numéro du contrat. N’envoyez ni le lien ni un code.`,
  }),
  reportNoAddress: {
    en: 'Tell the operator of this site and give the contract number. Do not send the link or a code.',
    fr: 'Avertissez l’exploitant de ce site et donnez le numéro du contrat. N’envoyez ni le lien ni un code.',
  },
  contactTitle: { en: 'Contact', fr: 'Nous joindre' },
  contact: {
    en: ['The sender wrote the contract. Ask the sender about its text, its parties and its dates.'],
    fr: ['Le contrat vient de l’expéditeur. Adressez-lui vos questions sur le texte, les parties et les dates.'],
  },
  contactOperator: (address: string) => ({
    en: `For help with this site, write to ${address}.`,
    fr: `Pour obtenir de l’aide avec ce site, écrivez à ${address}.`,
  }),
})
