// Messages of the contract pages in English and Canadian French.
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/locale'
import type { EntryType } from '@paraph/signing/chain/entry'
import type { ContractStatus } from '@paraph/protocol/contract'
import type { ListedStatus, Problem } from '@paraph/protocol/contract-list'
import type { Environment } from '@paraph/protocol/environment'

export const contractMessages = createDictionary({
  title: { en: 'Contracts', fr: 'Contrats' },
  number: { en: 'Contract number', fr: 'Numéro du contrat' },
  search: { en: 'Search', fr: 'Rechercher' },
  searchHint: {
    en: 'Number, party, email address, sender or metadata. Type the beginnings of up to five words.',
    fr: 'Numéro, partie, adresse courriel, expéditeur ou métadonnées. Saisissez le début de cinq mots au plus.',
  },
  moreFilters: { en: 'More filters', fr: 'Plus de filtres' },
  problem: { en: 'Problem', fr: 'Problème' },
  createdFrom: { en: 'Created from', fr: 'Créé à partir du' },
  createdUntil: { en: 'Created until', fr: 'Créé jusqu’au' },
  contract: { en: 'Contract', fr: 'Contrat' },
  status: { en: 'Status', fr: 'État' },
  type: { en: 'Type', fr: 'Type' },
  all: { en: 'All', fr: 'Tous' },
  show: { en: 'Show', fr: 'Afficher' },
  created: { en: 'Created', fr: 'Créé' },
  ends: { en: 'Expires or ended', fr: 'Expire ou terminé' },
  none: {
    en: 'No contracts yet. Create one with an API key.',
    fr: 'Aucun contrat pour l’instant. Créez-en un avec une clé d’API.',
  },
  elsewhere: (count: string, isOne: boolean, environment: Environment) => ({
    en: `${count} ${isOne ? 'contract' : 'contracts'} in ${environment === 'sandbox' ? 'the sandbox' : 'production'}`,
    fr: `${count} ${isOne ? 'contrat' : 'contrats'} ${environment === 'sandbox' ? 'dans le bac à sable' : 'en production'}`,
  }),
  noMatch: { en: 'No contracts match.', fr: 'Aucun contrat ne correspond.' },
  noneYet: {
    en: 'None of the newest contracts match. Older ones have not been searched yet.',
    fr: 'Aucun des contrats les plus récents ne correspond. Les plus anciens n’ont pas encore été cherchés.',
  },
  cut: {
    en: 'Older contracts have not been searched yet.',
    fr: 'Les contrats plus anciens n’ont pas encore été cherchés.',
  },
  searchOlder: { en: 'Search older contracts', fr: 'Chercher dans les plus anciens' },
  tooBroad: (words: string) => ({
    en: `Too many words begin with these letters, so we searched only for the whole word: ${words}. Type more letters.`,
    fr: `Trop de mots commencent par ces lettres. Seul le mot entier a été cherché\u00A0: ${words}. Saisissez plus de lettres.`,
  }),
  csv: { en: 'Download as CSV', fr: 'Télécharger en CSV' },
  refused: { en: 'Email refused', fr: 'Courriel refusé' },
  delayed: { en: 'Email delayed', fr: 'Courriel retardé' },
  declined: { en: 'A party declined', fr: 'Une partie a refusé' },
  noSuchPlace: {
    en: 'That page of the list no longer exists. Here are the newest contracts.',
    fr: 'Cette page de la liste n’existe plus. Voici les contrats les plus récents.',
  },
  newer: { en: 'Newer', fr: 'Plus récents' },
  older: { en: 'Older', fr: 'Plus anciens' },
  shown: (count: number, total: string) => ({ en: `${count} of ${total} shown`, fr: `${count} sur ${total} affichés` }),
  signedOf: (n: number, m: number) => ({ en: `${n} of ${m} signed`, fr: `${n} sur ${m} signé${n > 1 ? 's' : ''}` }),
  andMore: (more: number) => ({
    en: `and ${more} ${isSingular(more, 'en') ? 'other' : 'others'}`,
    fr: `et ${more} ${isSingular(more, 'fr') ? 'autre' : 'autres'}`,
  }),
  typeAndSender: (type: string, sender: string) => ({
    en: `${type}, sent as ${sender}`,
    fr: `${type}, envoyé au nom de ${sender}`,
  }),
  heading: (type: string, others: number, party: string) => ({
    en: `${type} with ${party} and ${others} ${isSingular(others, 'en') ? 'other' : 'others'}`,
    fr: `${type} avec ${party} et ${others} ${isSingular(others, 'fr') ? 'autre' : 'autres'}`,
  }),
  sentAs: (sender: string) => ({ en: `sent as ${sender}`, fr: `envoyé au nom de ${sender}` }),
  expires: { en: 'Expires', fr: 'Expire' },
  expired: { en: 'Expired', fr: 'Expiré' },
  completed: { en: 'Signed by everyone', fr: 'Signé par tout le monde' },
  cancelledAt: { en: 'Cancelled', fr: 'Annulé' },
  cancelledBy: { en: 'Cancelled by', fr: 'Annulé par' },
  owner: { en: 'an owner', fr: 'un responsable' },
  operator: { en: 'the operator', fr: 'l’exploitant' },
  party: { en: 'a party that declined', fr: 'une partie qui a refusé' },
  reason: { en: 'Reason', fr: 'Raison' },
  apiId: { en: 'API identifier', fr: 'Identifiant de l’API' },
  shareLink: { en: 'Share link', fr: 'Lien de partage' },
  metadata: { en: 'Metadata', fr: 'Métadonnées' },
  text: { en: 'Text', fr: 'Texte' },
  showText: { en: 'Show the text', fr: 'Afficher le texte' },
  textUnknown: { en: 'The text is temporarily unavailable.', fr: 'Le texte est temporairement indisponible.' },
  erased: (at: string) => ({
    en: `The text, names and addresses were erased on ${at}. The remaining evidence can still be verified.`,
    fr: `Le texte, les noms et les adresses ont été effacés le ${at}. La preuve qui reste peut toujours être vérifiée.`,
  }),
  namesErased: (count: number) => ({ en: `${count} parties, names erased.`, fr: `${count} parties, noms effacés.` }),
  parties: { en: 'Parties', fr: 'Parties' },
  haveSigned: (n: number, m: number) => ({
    en: `${n} of ${m} ${isSingular(n, 'en') ? 'has' : 'have'} signed`,
    fr: `${n} sur ${m} ${isSingular(n, 'fr') ? 'a' : 'ont'} signé`,
  }),
  signedAt: (at: string) => ({ en: `Signed ${at}`, fr: `Signé le ${at}` }),
  declinedAt: (at: string) => ({ en: `Declined to sign ${at}`, fr: `A refusé de signer le ${at}` }),
  disagree: { en: 'Does not agree with the contract', fr: 'N’est pas d’accord avec le contrat' },
  wrong_person: { en: 'Is not the right person', fr: 'N’est pas la bonne personne' },
  other: { en: 'Gave another reason', fr: 'A donné une autre raison' },
  mailDue: { en: 'Email is being sent', fr: 'Courriel en cours d’envoi' },
  mailHeld: {
    en: 'Email paused while the account is suspended',
    fr: 'Courriel en attente pendant la suspension du compte',
  },
  mailAccepted: (at: string) => ({ en: `Delivered to mail server ${at}`, fr: `Remis au serveur de courriel le ${at}` }),
  mailRefused: (code: string) => ({
    en: `The receiving mail server refused the email${code}`,
    fr: `Le serveur de courriel du destinataire a refusé le courriel${code}`,
  }),
  mailGaveUp: {
    en: 'Email not delivered after 48\u00A0hours of trying',
    fr: 'Courriel non remis après 48\u00A0heures d’essais',
  },
  mailNamed: {
    en: 'Invited in the email for another role of this address',
    fr: 'Invitation dans le courriel pour un autre rôle de cette adresse',
  },
  mailNone: { en: 'No email yet', fr: 'Aucun courriel pour l’instant' },
  mailUnknown: { en: 'Delivery status is temporarily unavailable.', fr: 'L’état d’envoi est indisponible.' },
  signAs: { en: 'Sign as this party', fr: 'Signer pour cette partie' },
  signsNow: {
    en: 'The party signs within seconds, by a code that it gets by email. Reload this page to see it.',
    fr: 'La partie signe dans quelques secondes, au moyen d’un code reçu par courriel. Actualisez cette page pour le voir.',
  },
  expireNow: { en: 'Expire now', fr: 'Faire expirer maintenant' },
  sendAgain: { en: 'Send again', fr: 'Renvoyer' },
  sentAgain: { en: 'We are sending the invitation again.', fr: 'Nous renvoyons l’invitation.' },
  sentAgainHeld: {
    en: 'We will send the invitation when the account is resumed.',
    fr: 'Nous enverrons l’invitation quand le compte sera réactivé.',
  },
  againWaiting: {
    en: 'The previous invitation has not been sent yet.',
    fr: 'L’invitation précédente n’est pas encore partie.',
  },
  againTooSoon: (at: string) => ({
    en: `You can send one invitation an hour. Try again after ${at}.`,
    fr: `Vous pouvez envoyer une invitation par heure. Réessayez après ${at}.`,
  }),
  againSigned: { en: 'This party has signed in the meantime.', fr: 'Cette partie a signé entre-temps.' },
  againFinal: {
    en: 'This contract can no longer be signed, so no invitation was sent.',
    fr: 'Ce contrat ne peut plus être signé. Aucune invitation n’a été envoyée.',
  },
  events: { en: 'Events', fr: 'Événements' },
  noEvents: { en: 'No events yet.', fr: 'Aucun événement pour l’instant.' },
  eventsUnknown: {
    en: 'The events are temporarily unavailable.',
    fr: 'Les événements sont temporairement indisponibles.',
  },
  hashes: { en: 'Show hashes', fr: 'Afficher les empreintes' },
  seq: (seq: number, hash: string) => ({ en: `Entry ${seq}, ${hash}`, fr: `Entrée ${seq}, ${hash}` }),
  evidence: { en: 'Download the evidence', fr: 'Télécharger la preuve' },
  evidenceSoFar: { en: 'Download the evidence so far', fr: 'Télécharger la preuve jusqu’ici' },
  openings: {
    en: 'Download openings (the personal values behind the evidence)',
    fr: 'Télécharger les valeurs personnelles derrière la preuve (openings)',
  },
  copy: { en: 'Download the signed PDF', fr: 'Télécharger le PDF signé' },
  cancelOpen: { en: 'Cancel contract', fr: 'Annuler le contrat' },
  cancelTitle: { en: 'Cancel this contract?', fr: 'Annuler ce contrat?' },
  cancelLead: {
    en: 'Nobody can sign it after that. The share link will show that the contract was cancelled.',
    fr: 'Personne ne pourra plus le signer. Le lien de partage indiquera que le contrat a été annulé.',
  },
  cancelSigned: (names: string) => ({
    en: `Already signed: ${names}. These signatures will not take effect through Paraph.`,
    fr: `Ont déjà signé\u00A0: ${names}. Ces signatures seront sans effet par l’entremise de Paraph.`,
  }),
  cancelMail: {
    en: 'Parties who have already signed will be notified by email, unless the operator has turned these emails off. You cannot undo this.',
    fr: 'Les parties qui ont déjà signé en seront avisées par courriel, sauf si l’exploitant a désactivé ces courriels. Cette action est irréversible.',
  },
  reasonOptional: { en: 'Reason (optional)', fr: 'Raison (facultative)' },
  reasonHint: {
    en: 'Kept with the contract in the console. Parties don’t see it.',
    fr: 'Conservée avec le contrat dans la console. Les parties ne la voient pas.',
  },
  correct: { en: 'Correct the address', fr: 'Corriger l’adresse' },
  correctTitle: (party: string) => ({
    en: `Correct the email address of ${party}?`,
    fr: `Corriger l’adresse courriel de ${party}?`,
  }),
  correctLead: {
    en: 'We send a new invitation to the new address. The old address gets one email that the contract is no longer for it; its codes stop working.',
    fr: 'Nous envoyons une nouvelle invitation à la nouvelle adresse. L’ancienne adresse reçoit un courriel l’informant que le contrat ne lui est plus destiné; ses codes cessent de fonctionner.',
  },
  correctOnly: (left: number) => ({
    en: `You can still do this ${left === 1 ? 'once' : `${left} times`} for this party. Another person or role needs a new contract.`,
    fr: `Vous pouvez encore le faire ${left} fois pour cette partie. Une autre personne ou un autre rôle exige un nouveau contrat.`,
  }),
  currentAddress: (address: string) => ({ en: `Address now: ${address}`, fr: `Adresse actuelle\u00A0: ${address}` }),
  newAddress: { en: 'New email address', fr: 'Nouvelle adresse courriel' },
  addressWrong: { en: 'Enter an address such as name@example.com', fr: 'Saisissez une adresse comme nom@exemple.com' },
  addressSame: { en: 'This is the address already', fr: 'C’est déjà l’adresse actuelle' },
  correctNow: { en: 'Correct the address', fr: 'Corriger l’adresse' },
  corrected: {
    en: 'The address is corrected, and a new invitation is on its way.',
    fr: 'L’adresse est corrigée et une nouvelle invitation est en route.',
  },
  notCorrected: {
    en: 'Not corrected: the party or the contract has changed meanwhile. This is the state now.',
    fr: 'Non corrigée\u00A0: la partie ou le contrat a changé entre-temps. Voici l’état actuel.',
  },
  reasonLong: { en: 'The reason must be 500 characters or fewer', fr: 'La raison doit compter au plus 500 caractères' },
  typeNumber: { en: 'Enter the contract number to confirm', fr: 'Saisissez le numéro du contrat pour confirmer' },
  numberWrong: {
    en: 'Enter the number of this contract, as shown above',
    fr: 'Saisissez le numéro de ce contrat, tel qu’affiché ci-dessus',
  },
  cancelNow: { en: 'Cancel the contract', fr: 'Annuler le contrat' },
  keepIt: { en: 'Keep it', fr: 'Le garder' },
  cancelled: { en: 'The contract is cancelled.', fr: 'Le contrat est annulé.' },
  alreadyCancelled: { en: 'The contract was already cancelled.', fr: 'Le contrat était déjà annulé.' },
  lostToSigner: (at: string) => ({
    en: `Not cancelled: the last party signed first, on ${at}. Everyone has signed the contract.`,
    fr: `Non annulé\u00A0: la dernière partie a signé avant, le ${at}. Tout le monde a signé le contrat.`,
  }),
  lostToTime: (at: string) => ({
    en: `Not cancelled: the contract expired on ${at}.`,
    fr: `Non annulé\u00A0: le contrat a expiré le ${at}.`,
  }),
  eraseOpen: { en: 'Erase contract', fr: 'Effacer le contrat' },
  eraseTitle: { en: 'Erase this contract?', fr: 'Effacer ce contrat?' },
  eraseLead: {
    en: 'In seven days we erase the text, all names, addresses and reasons, the signed PDF, and the personal values behind the evidence, everywhere in Paraph.',
    fr: 'Dans sept jours, nous effaçons partout dans Paraph le texte, les noms, les adresses et les raisons, le PDF signé et les valeurs personnelles derrière la preuve.',
  },
  eraseStays: {
    en: 'Numbers, times, statuses, hashes and the signed evidence stay and can still be verified. Copies people have downloaded are not affected.',
    fr: 'Les numéros, les heures, les états, les empreintes et la preuve signée restent et peuvent toujours être vérifiés. Les copies téléchargées ne sont pas touchées.',
  },
  eraseUndo: {
    en: 'Every owner gets an email now, and any of them can keep the contract during those seven days. After that, you cannot undo this.',
    fr: 'Chaque responsable reçoit un courriel maintenant et peut garder le contrat pendant ces sept jours. Ensuite, cette action est irréversible.',
  },
  eraseNow: { en: 'Erase in seven days', fr: 'Effacer dans sept jours' },
  willBeErased: (at: string, by: string) => ({
    en: `This contract will be erased after ${at}, as requested by ${by}. Any owner can keep it until then.`,
    fr: `Ce contrat sera effacé après le ${at}, à la demande de ${by}. D’ici là, tout responsable peut le garder.`,
  }),
  pausedOnHold: {
    en: 'Nothing is erased while the account is suspended.',
    fr: 'Rien n’est effacé tant que le compte est suspendu.',
  },
  keepContract: { en: 'Keep this contract', fr: 'Garder ce contrat' },
  kept: { en: 'The contract will not be erased.', fr: 'Le contrat ne sera pas effacé.' },
  held: {
    en: 'The operator is keeping this contract. It cannot be erased for now.',
    fr: 'L’exploitant conserve ce contrat. Il ne peut pas être effacé pour l’instant.',
  },
  heldShort: { en: 'Kept by the operator', fr: 'Conservé par l’exploitant' },
  erasedOn: (at: string) => ({ en: `Will be erased after ${at}`, fr: `Sera effacé après le ${at}` }),
  notErasedOnHold: {
    en: 'Not erased: while the account is suspended, only the operator can erase contracts.',
    fr: 'Non effacé\u00A0: tant que le compte est suspendu, seul l’exploitant peut effacer des contrats.',
  },
  notFinal: {
    en: 'Not erased: only a signed, cancelled or expired contract can be erased. Try again in a minute.',
    fr: 'Non effacé\u00A0: seul un contrat signé, annulé ou expiré peut être effacé. Réessayez dans une minute.',
  },
})

const STATUSES: Record<ContractStatus, Translated> = {
  pending_signature: { en: 'Waiting', fr: 'En attente' },
  partially_signed: { en: 'Partly signed', fr: 'Signé en partie' },
  signed: { en: 'Signed', fr: 'Signé' },
  expired: { en: 'Expired', fr: 'Expiré' },
  cancelled: { en: 'Cancelled', fr: 'Annulé' },
}
export const statusMessages = createDictionary(STATUSES)

/** The choices of the list: the statuses, and two that combine open ones. */
export const listedStatusMessages = createDictionary<Record<ListedStatus, Translated>>({
  ...STATUSES,
  open: { en: 'Open (waiting or partly signed)', fr: 'Ouvert (en attente ou signé en partie)' },
  expiring: { en: 'Open, expires within 3\u00A0days', fr: 'Ouvert, expire d’ici 3\u00A0jours' },
})

export const problemMessages = createDictionary<Record<Problem, Translated>>({
  delivery: { en: 'Email refused or delayed', fr: 'Courriel refusé ou retardé' },
  declined: { en: 'A party declined', fr: 'Une partie a refusé' },
})

/** Evidence entries by type. */
export const eventMessages = createDictionary<Record<EntryType, Translated>>({
  'contract.created': { en: 'Contract created', fr: 'Contrat créé' },
  'code.sent': { en: 'Code sent', fr: 'Code envoyé' },
  'code.verified': { en: 'Email address confirmed', fr: 'Adresse courriel confirmée' },
  'code.locked': { en: 'Code length increased', fr: 'Codes allongés' },
  'text.shown': { en: 'Text shown', fr: 'Texte affiché' },
  'consent.given': { en: 'Consent given', fr: 'Consentement donné' },
  'signature.submitted': { en: 'Signature submitted', fr: 'Signature soumise' },
  'signature.accepted': { en: 'Signed', fr: 'Signé' },
  'signature.refused': { en: 'Signature not recorded', fr: 'Signature non enregistrée' },
  'party.declined': { en: 'Declined to sign', fr: 'A refusé de signer' },
  'party.readdressed': { en: 'Email address corrected', fr: 'Adresse courriel corrigée' },
  'contract.completed': { en: 'Signed by everyone', fr: 'Signé par tout le monde' },
  'contract.expired': { en: 'Expired', fr: 'Expiré' },
  'contract.cancelled': { en: 'Cancelled', fr: 'Annulé' },
})
