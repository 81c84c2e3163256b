// Messages of the account page, its audit log and the reply address in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const accountMessages = createDictionary({
  title: { en: 'Account', fr: 'Compte' },
  settings: { en: 'Settings', fr: 'Réglages' },
  approvedName: (name: string) => ({
    en: `The account of ${name}. The operator approved this name, which parties read in every e-mail; only the operator changes it.`,
    fr: `Le compte de ${name}. L’exploitant a approuvé ce nom, que les parties lisent dans chaque courriel; lui seul le change.`,
  }),
  appliedName: (name: string) => ({
    en: `The account of ${name}, as in your application.`,
    fr: `Le compte de ${name}, comme dans votre demande.`,
  }),
  senderName: { en: 'Sender', fr: 'Expéditeur' },
  senderNameHint: {
    en: 'Of contracts that name no other sender.',
    fr: 'Des contrats qui ne nomment pas d’autre expéditeur.',
  },
  nameWrong: {
    en: 'The name must be a plain name of at most 100 characters: no address, no hidden characters, not “Paraph”',
    fr: 'Le nom doit être un simple nom d’au plus 100 caractères\u00A0: pas d’adresse, pas de caractères cachés, pas «\u00A0Paraph\u00A0»',
  },
  language: { en: 'Language of e-mails', fr: 'Langue des courriels' },
  languageHint: { en: 'Pages speak the reader’s own.', fr: 'Les pages parlent celle de qui les lit.' },
  english: { en: 'English', fr: 'Anglais' },
  french: { en: 'French', fr: 'Français' },
  both: { en: 'English and French', fr: 'Anglais et français' },
  languageWrong: { en: 'Choose the language of e-mails', fr: 'Choisissez la langue des courriels' },
  timeZone: { en: 'Time zone', fr: 'Fuseau horaire' },
  timeZoneHint: {
    en: 'Shown beside UTC, for example America/Toronto.',
    fr: 'Montré à côté de l’UTC, par exemple America/Toronto.',
  },
  timeZoneWrong: { en: 'Enter a time zone like America/Toronto', fr: 'Entrez un fuseau horaire comme America/Toronto' },
  save: { en: 'Save the settings', fr: 'Enregistrer les réglages' },
  saved: { en: 'The settings are saved.', fr: 'Les réglages sont enregistrés.' },

  reply: { en: 'Where answers go', fr: 'Où vont les réponses' },
  replyNone: {
    en: 'Parties who answer an e-mail reach nobody. Confirm a mailbox, and their answers come to it.',
    fr: 'Les parties qui répondent à un courriel ne joignent personne. Confirmez une boîte et leurs réponses y arriveront.',
  },
  replySet: (address: string) => ({
    en: `Answers to your contract e-mails go to ${address}.`,
    fr: `Les réponses à vos courriels de contrat vont à ${address}.`,
  }),
  replyAddress: { en: 'Mailbox for answers', fr: 'Boîte pour les réponses' },
  replyHint: { en: 'We send it a one-time code first.', fr: 'Nous lui envoyons d’abord un code à usage unique.' },
  replyRemove: { en: 'Remove it', fr: 'La retirer' },
  replyTitle: { en: 'Confirm the mailbox', fr: 'Confirmer la boîte' },
  replyConfirmed: { en: 'The mailbox is confirmed.', fr: 'La boîte est confirmée.' },

  owners: { en: 'Owners', fr: 'Responsables' },
  ownersLead: { en: 'Every owner may do everything here.', fr: 'Chaque responsable peut tout faire ici.' },
  since: { en: 'Since', fr: 'Depuis' },
  invited: { en: 'Invited, no answer yet', fr: 'Invitation sans réponse' },
  mailbox: { en: 'Mailbox', fr: 'Boîte' },
  you: { en: 'you', fr: 'vous' },
  remove: { en: 'Remove', fr: 'Retirer' },
  invite: { en: 'Invite an owner', fr: 'Inviter un responsable' },
  inviteHint: {
    en: 'They get an e-mail, sign in with that address and say yes or no.',
    fr: 'La personne reçoit un courriel, se connecte avec cette adresse et répond par oui ou non.',
  },
  inviteNow: { en: 'Send the invitation', fr: 'Envoyer l’invitation' },
  inviteDone: { en: 'The invitation is on its way.', fr: 'L’invitation est en route.' },
  owns_already: {
    en: 'This address owns the account already, or was asked to',
    fr: 'Cette adresse gère déjà le compte, ou y a été invitée',
  },
  not_approved: {
    en: 'We write to other mailboxes once your application is approved',
    fr: 'Nous écrirons à d’autres boîtes une fois votre demande approuvée',
  },
  full: {
    en: 'An account has at most 20 owners. Remove one first',
    fr: 'Un compte a au plus 20 responsables. Retirez-en d’abord un',
  },
  too_many_today: {
    en: '20 people were invited in the last 24 hours, which is the most. Try again tomorrow',
    fr: '20 personnes ont été invitées dans les 24 dernières heures, ce qui est le maximum. Réessayez demain',
  },
  on_hold: {
    en: 'Nobody can be invited while the account is on hold. Write to the operator',
    fr: 'Personne ne peut être invité pendant la suspension du compte. Écrivez à l’exploitant',
  },
  replyOnHold: {
    en: 'We write to other mailboxes once the account is off hold. Write to the operator',
    fr: 'Nous écrirons à d’autres boîtes quand le compte ne sera plus suspendu. Écrivez à l’exploitant',
  },
  lastOwner: {
    en: 'An account needs an owner. Invite another one first',
    fr: 'Un compte a besoin d’un responsable. Invitez-en d’abord un autre',
  },

  sessions: { en: 'Your sessions', fr: 'Vos sessions' },
  sessionsLead: {
    en: 'Where your address is signed in. A session ends by itself after two hours without a visit, and after a day.',
    fr: 'Là où votre adresse est connectée. Une session prend fin d’elle-même après deux heures sans visite, et après une journée.',
  },
  seeSessions: { en: 'See and end your sessions', fr: 'Voir vos sessions et y mettre fin' },
  network: { en: 'Network', fr: 'Réseau' },
  end: { en: 'End', fr: 'Fermer' },
  signedIn: { en: 'Signed in', fr: 'Connexion' },
  lastSeen: { en: 'Last seen', fr: 'Dernière visite' },
  browser: { en: 'Browser', fr: 'Navigateur' },
  thisOne: { en: 'this one', fr: 'celle-ci' },
  unknownBrowser: { en: 'Unknown browser', fr: 'Navigateur inconnu' },
  unknownNetwork: { en: 'Unknown', fr: 'Inconnu' },
  signOutEverywhere: { en: 'Sign out everywhere', fr: 'Se déconnecter partout' },

  record: { en: 'What was done', fr: 'Ce qui a été fait' },
  recordLead: {
    en: 'Everything that somebody did to this account. Nothing in this list can be changed.',
    fr: 'Tout ce que quelqu’un a fait à ce compte. Rien de cette liste ne peut être modifié.',
  },
  seeRecord: { en: 'See what was done, by whom', fr: 'Voir ce qui a été fait, et par qui' },
  when: { en: 'When', fr: 'Quand' },
  who: { en: 'Who', fr: 'Qui' },
  what: { en: 'What', fr: 'Quoi' },
  details: { en: 'Details', fr: 'Détails' },
  older: { en: 'Older', fr: 'Plus anciens' },
  leave: { en: 'Take everything with you', fr: 'Tout emporter' },
  leaveLead: {
    en: 'One JSON file: the account, its owners, applications, keys without their secrets, usage, everything that was done, and every contract with its text and parties. Evidence and signed copies are downloaded from each contract’s page.',
    fr: 'Un fichier JSON\u00A0: le compte, ses responsables, ses demandes, ses clés sans leurs secrets, son usage, tout ce qui a été fait, et chaque contrat avec son texte et ses parties. Les preuves et les copies signées se téléchargent depuis la page de chaque contrat.',
  },
  exportWait: (at: string) => ({
    en: `The account was downloaded several times within an hour. Try again after ${at}.`,
    fr: `Le compte a été téléchargé plusieurs fois en une heure. Réessayez après ${at}.`,
  }),
  export: { en: 'Download the export', fr: 'Télécharger l’exportation' },
})
