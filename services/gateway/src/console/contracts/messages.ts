// Messages of the contract pages in English and Canadian French.
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { EntryType } from '@paraph/signing/chain/entry'
import type { ContractStatus } from '@paraph/protocol/contract'

export const contractMessages = createDictionary({
  title: { en: 'Contracts', fr: 'Contrats' },
  number: { en: 'Contract number', fr: 'Numéro du contrat' },
  numberHead: { en: 'Number', fr: 'Numéro' },
  status: { en: 'Status', fr: 'État' },
  type: { en: 'Type', fr: 'Type' },
  all: { en: 'All', fr: 'Tous' },
  show: { en: 'Show', fr: 'Montrer' },
  signedHead: { en: 'Signed', fr: 'Signé' },
  created: { en: 'Created', fr: 'Créé' },
  ends: { en: 'Ends or ended', fr: 'Fin' },
  none: {
    en: 'There is no contract here yet. Contracts are created with a key.',
    fr: 'Il n’y a pas encore de contrat ici. Les contrats se créent avec une clé.',
  },
  noMatch: { en: 'No contract matches.', fr: 'Aucun contrat ne correspond.' },
  noSuchPlace: {
    en: 'This page of the list is gone. These are the newest.',
    fr: 'Cette page de la liste n’existe plus. Voici les plus récents.',
  },
  newer: { en: 'Newer', fr: 'Plus récents' },
  older: { en: 'Older', fr: 'Plus anciens' },
  nOfM: (n: number, m: number) => ({ en: `${n} of ${m}`, fr: `${n} sur ${m}` }),
  sentAs: (sender: string) => ({ en: `sent as ${sender}`, fr: `envoyé au nom de ${sender}` }),
  expires: { en: 'Expires', fr: 'Expire' },
  expired: { en: 'Expired', fr: 'Expiré' },
  completed: { en: 'Signed by everyone', fr: 'Signé par tout le monde' },
  cancelledAt: { en: 'Cancelled', fr: 'Annulé' },
  cancelledBy: { en: 'Cancelled by', fr: 'Annulé par' },
  owner: { en: 'an owner', fr: 'un responsable' },
  operator: { en: 'the operator', fr: 'l’exploitant' },
  reason: { en: 'Reason', fr: 'Raison' },
  apiId: { en: 'API identifier', fr: 'Identifiant de l’API' },
  shareLink: { en: 'Share link', fr: 'Lien de partage' },
  erased: (at: string) => ({
    en: `Text, names and addresses were erased on ${at}. What is left still verifies.`,
    fr: `Le texte, les noms et les adresses ont été effacés le ${at}. Ce qui reste se vérifie encore.`,
  }),
  parties: { en: 'Parties', fr: 'Parties' },
  haveSigned: (n: number, m: number) => ({
    en: `${n} of ${m} ${n === 1 ? 'has' : 'have'} signed`,
    fr: `${n} sur ${m} ${n > 1 ? 'ont' : 'a'} signé`,
  }),
  signedAt: (at: string) => ({ en: `Signed ${at}`, fr: `Signé le ${at}` }),
  mailDue: { en: 'E-mail on its way', fr: 'Courriel en route' },
  mailHeld: {
    en: 'E-mail held back while the account is on hold',
    fr: 'Courriel retenu pendant la suspension du compte',
  },
  mailAccepted: (at: string) => ({ en: `E-mail accepted ${at}`, fr: `Courriel accepté le ${at}` }),
  mailRefused: (code: string) => ({
    en: `E-mail refused by the receiving server${code}`,
    fr: `Courriel refusé par le serveur destinataire${code}`,
  }),
  mailGaveUp: { en: 'E-mail given up after 48\u00A0hours', fr: 'Courriel abandonné après 48\u00A0heures' },
  mailNamed: {
    en: 'Invited by the e-mail to another role of this address',
    fr: 'Invitation dans le courriel à un autre rôle de cette adresse',
  },
  mailNone: { en: 'No e-mail yet', fr: 'Pas encore de courriel' },
  mailUnknown: {
    en: 'What became of the e-mails cannot be said right now.',
    fr: 'Ce que sont devenus les courriels ne peut être dit pour l’instant.',
  },
  sendAgain: { en: 'Send again', fr: 'Renvoyer' },
  sentAgain: { en: 'The invitation is on its way again.', fr: 'L’invitation est de nouveau en route.' },
  sentAgainHeld: {
    en: 'The invitation will go out when the account is taken off hold.',
    fr: 'L’invitation partira quand le compte sera rétabli.',
  },
  againWaiting: {
    en: 'The invitation before has not gone out yet.',
    fr: 'L’invitation précédente n’est pas encore partie.',
  },
  againTooSoon: (at: string) => ({
    en: `One invitation an hour: again after ${at}.`,
    fr: `Une invitation par heure\u00A0: de nouveau après ${at}.`,
  }),
  againSigned: { en: 'This party has signed meanwhile.', fr: 'Cette partie a signé entre-temps.' },
  againFinal: {
    en: 'Nothing can be signed any more, so no invitation was sent.',
    fr: 'Plus rien ne peut être signé; aucune invitation n’a été envoyée.',
  },
  events: { en: 'Events', fr: 'Événements' },
  noEvents: { en: 'Nothing has happened yet.', fr: 'Rien ne s’est encore passé.' },
  eventsUnknown: {
    en: 'The events cannot be shown right now.',
    fr: 'Les événements ne peuvent être montrés pour l’instant.',
  },
  seq: { en: 'seq', fr: 'n°' },
  evidence: { en: 'Download the evidence', fr: 'Télécharger les preuves' },
  evidenceSoFar: { en: 'Download the evidence so far', fr: 'Télécharger les preuves jusqu’ici' },
  openings: { en: 'Download what opens it', fr: 'Télécharger ce qui l’ouvre' },
  copy: { en: 'Download the signed copy (PDF)', fr: 'Télécharger la copie signée (PDF)' },
  cancelHead: { en: 'Cancel this contract', fr: 'Annuler ce contrat' },
  cancelShort: { en: 'Nobody can sign it after that.', fr: 'Personne ne pourra plus le signer.' },
  cancelOpen: { en: 'Cancel contract', fr: 'Annuler le contrat' },
  cancelTitle: { en: 'Cancel this contract?', fr: 'Annuler ce contrat?' },
  cancelLead: {
    en: 'From that moment nobody can sign it, and everyone who opens the share link reads that it was cancelled.',
    fr: 'À partir de ce moment, personne ne peut le signer, et qui ouvre le lien de partage lit qu’il a été annulé.',
  },
  cancelSigned: (names: string) => ({
    en: `Already signed: ${names}. These signatures will have no effect through Paraph.`,
    fr: `Ont déjà signé\u00A0: ${names}. Ces signatures n’auront pas d’effet par Paraph.`,
  }),
  cancelMail: {
    en: 'Parties who have signed are notified by e-mail, unless the operator has switched this off. This cannot be undone.',
    fr: 'Qui a signé en est informé par courriel, sauf si l’exploitant l’a désactivé. C’est irréversible.',
  },
  reasonOptional: { en: 'Reason (optional)', fr: 'Raison (facultative)' },
  reasonHint: {
    en: 'Kept with the contract in the console. Parties do not see it.',
    fr: 'Gardée avec le contrat dans la console. Les parties ne la voient pas.',
  },
  reasonLong: {
    en: 'The reason must have at most 500 characters',
    fr: 'La raison doit compter au plus 500 caractères',
  },
  typeNumber: { en: 'To confirm, type the contract number', fr: 'Pour confirmer, écrivez le numéro du contrat' },
  numberWrong: { en: 'This is not the number of the contract', fr: 'Ce n’est pas le numéro du contrat' },
  cancelNow: { en: 'Cancel the contract', fr: 'Annuler le contrat' },
  keepIt: { en: 'Keep it', fr: 'Le garder' },
  cancelled: { en: 'The contract is cancelled.', fr: 'Le contrat est annulé.' },
  alreadyCancelled: { en: 'The contract was cancelled already.', fr: 'Le contrat était déjà annulé.' },
  lostToSigner: (at: string) => ({
    en: `Not cancelled: the last party signed first, on ${at}. The contract is signed by everyone.`,
    fr: `Non annulé\u00A0: la dernière partie a signé d’abord, le ${at}. Le contrat est signé par tout le monde.`,
  }),
  lostToTime: (at: string) => ({
    en: `Not cancelled: the contract expired on ${at}.`,
    fr: `Non annulé\u00A0: le contrat a expiré le ${at}.`,
  }),
  eraseHead: { en: 'Erase this contract', fr: 'Effacer ce contrat' },
  eraseShort: {
    en: 'Text, names and addresses go in seven days; the proof stays.',
    fr: 'Le texte, les noms et les adresses partent dans sept jours; la preuve reste.',
  },
  eraseOpen: { en: 'Erase contract', fr: 'Effacer le contrat' },
  eraseTitle: { en: 'Erase this contract?', fr: 'Effacer ce contrat?' },
  eraseLead: {
    en: 'In seven days the text, every name, address and reason, the PDF and what opens the evidence go, in every part of Paraph. Every owner gets an e-mail now, and each can keep the contract until then; afterwards this cannot be undone. Numbers, times, states, hashes and the signed chain stay, and still verify. Copies that people downloaded are theirs.',
    fr: 'Dans sept jours, le texte, chaque nom, adresse et raison, le PDF et ce qui ouvre les preuves disparaîtront de toutes les parties de Paraph. Chaque responsable reçoit un courriel maintenant et peut garder le contrat d’ici là; ensuite, c’est irréversible. Les numéros, heures, états, empreintes et la chaîne signée restent et se vérifient encore. Les copies téléchargées restent à qui les a.',
  },
  eraseNow: { en: 'Erase in seven days', fr: 'Effacer dans sept jours' },
  willBeErased: (at: string, by: string) => ({
    en: `This contract will be erased after ${at}. ${by} asked for it. Until then every owner can keep it.`,
    fr: `Ce contrat sera effacé après le ${at}. ${by} l’a demandé. D’ici là, chaque responsable peut le garder.`,
  }),
  pausedOnHold: {
    en: 'Nothing is erased while the account is on hold.',
    fr: 'Rien n’est effacé tant que le compte est suspendu.',
  },
  keepContract: { en: 'Keep this contract', fr: 'Garder ce contrat' },
  kept: { en: 'The contract is kept.', fr: 'Le contrat est gardé.' },
  held: {
    en: 'The operator keeps this contract. It cannot be erased for now.',
    fr: 'L’exploitant garde ce contrat. Il ne peut pas être effacé pour l’instant.',
  },
  heldShort: { en: 'Kept by the operator', fr: 'Gardé par l’exploitant' },
  erasedOn: (at: string) => ({ en: `Will be erased after ${at}`, fr: `Sera effacé après le ${at}` }),
  notErasedOnHold: {
    en: 'Not erased: while the account is on hold, only the operator can erase contracts.',
    fr: 'Non effacé\u00A0: tant que le compte est suspendu, seul l’exploitant peut effacer des contrats.',
  },
  notFinal: {
    en: 'Not erased: only a contract that is signed, cancelled or expired can be. Try again in a minute.',
    fr: 'Non effacé\u00A0: seul un contrat signé, annulé ou expiré peut l’être. Réessayez dans une minute.',
  },
})

export const statusMessages = createDictionary<Record<ContractStatus, Translated>>({
  pending_signature: { en: 'Waiting', fr: 'En attente' },
  partially_signed: { en: 'Partly signed', fr: 'Signé en partie' },
  signed: { en: 'Signed', fr: 'Signé' },
  expired: { en: 'Expired', fr: 'Expiré' },
  cancelled: { en: 'Cancelled', fr: 'Annulé' },
})

/** Evidence entries by type. */
export const eventMessages = createDictionary<Record<EntryType, Translated>>({
  'contract.created': { en: 'Contract created', fr: 'Contrat créé' },
  'code.sent': { en: 'Code sent', fr: 'Code envoyé' },
  'code.verified': { en: 'Mailbox confirmed', fr: 'Boîte confirmée' },
  'code.locked': { en: 'Codes made longer', fr: 'Codes allongés' },
  'text.shown': { en: 'Text shown', fr: 'Texte montré' },
  'consent.given': { en: 'Consent given', fr: 'Accord donné' },
  'signature.submitted': { en: 'Signature submitted', fr: 'Signature soumise' },
  'signature.accepted': { en: 'Signed', fr: 'Signé' },
  'signature.refused': { en: 'Signature not recorded', fr: 'Signature non enregistrée' },
  'contract.completed': { en: 'Signed by everyone', fr: 'Signé par tout le monde' },
  'contract.expired': { en: 'Expired', fr: 'Expiré' },
  'contract.cancelled': { en: 'Cancelled', fr: 'Annulé' },
})
