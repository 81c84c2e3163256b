// Messages of the account page, its activity and the reply address in English and Canadian French.
import type { AccountRole } from '@paraph/protocol/account-role'
import { createDictionary, type Translated } from '@paraph/web/dictionary'

export const accountMessages = createDictionary({
  title: { en: 'Account', fr: 'Compte' },
  settings: { en: 'Sender and language', fr: 'Expéditeur et langue' },
  approvedName: (name: string) => ({
    en: `This is the account of ${name}. The operator approved this name, and every email shows it. Only the operator can change it.`,
    fr: `Ce compte est celui de ${name}. L’exploitant a approuvé ce nom, et chaque courriel l’affiche. Seul l’exploitant peut le changer.`,
  }),
  appliedName: (name: string) => ({
    en: `This is the account of ${name}, as in your application.`,
    fr: `Ce compte est celui de ${name}, comme dans votre demande.`,
  }),
  mails: { en: 'Emails to owners about contracts', fr: 'Courriels aux responsables au sujet des contrats' },
  mailsLead: {
    en: 'For contracts in production. The summary comes at 8:00 in the time zone above.',
    fr: 'Pour les contrats en production. Le résumé arrive à 8\u00A0h dans le fuseau horaire ci-dessus.',
  },
  mailsRefused: { en: 'An invitation is refused', fr: 'Une invitation est refusée' },
  mailsDeclined: { en: 'A party declines', fr: 'Une partie refuse de signer' },
  mailsCompleted: { en: 'Everyone has signed', fr: 'Tout le monde a signé' },
  mailsExpired: { en: 'A contract expires', fr: 'Un contrat expire' },
  mailsWrong: { en: 'Choose one of the options', fr: 'Choisissez une des options' },
  now: { en: 'At once', fr: 'Immédiatement' },
  daily: { en: 'In the daily summary', fr: 'Dans le résumé quotidien' },
  each: { en: 'One email for each contract', fr: 'Un courriel par contrat' },
  off: { en: 'Never', fr: 'Jamais' },
  reminders: { en: 'Reminders to parties', fr: 'Rappels aux parties' },
  remindersWrong: { en: 'Choose whether parties are reminded', fr: 'Choisissez si les parties reçoivent un rappel' },
  remind: {
    en: 'Remind who has not signed, 3 days and 1 day before the end',
    fr: 'Rappeler à qui n’a pas signé, 3 jours et 1 jour avant la fin',
  },
  remindNobody: { en: 'Remind nobody', fr: 'Aucun rappel' },
  onDecline: { en: 'When a party declines', fr: 'Quand une partie refuse' },
  fromNowOn: {
    en: 'For contracts that you create from now on.',
    fr: 'Pour les contrats créés à partir de maintenant.',
  },
  onDeclineWrong: {
    en: 'Choose what happens when a party declines',
    fr: 'Choisissez ce qui se passe quand une partie refuse',
  },
  keep: {
    en: 'The contract stays open, and the party can still sign',
    fr: 'Le contrat reste ouvert, et la partie peut encore signer',
  },
  cancel: { en: 'The contract is cancelled', fr: 'Le contrat est annulé' },
  senderName: { en: 'Sender', fr: 'Expéditeur' },
  senderNameHint: {
    en: 'Used when a contract does not set senderName.',
    fr: 'Utilisé si le contrat ne précise pas d’expéditeur (senderName).',
  },
  nameWrong: {
    en: 'Enter a plain name of at most 100 characters, without addresses, hidden characters or the name “Paraph”',
    fr: 'Saisissez un simple nom d’au plus 100 caractères, sans adresse, sans caractère caché et sans le nom «\u00A0Paraph\u00A0»',
  },
  language: { en: 'Language of emails', fr: 'Langue des courriels' },
  languageHint: {
    en: 'Emails only. Pages follow the reader’s language.',
    fr: 'Courriels seulement. Les pages s’affichent dans la langue du lecteur.',
  },
  english: { en: 'English', fr: 'Anglais' },
  french: { en: 'French', fr: 'Français' },
  both: { en: 'English and French', fr: 'Anglais et français' },
  languageWrong: { en: 'Choose the language of emails', fr: 'Choisissez la langue des courriels' },
  timeZone: { en: 'Time zone', fr: 'Fuseau horaire' },
  timeZoneHint: {
    en: 'Emails show times in this zone and in UTC. Pages show the reader’s own zone.',
    fr: 'Les courriels affichent l’heure de ce fuseau et l’heure UTC. Les pages affichent l’heure du lecteur.',
  },
  timeZoneWrong: { en: 'Choose a time zone from the list', fr: 'Choisissez un fuseau horaire dans la liste' },
  save: { en: 'Save', fr: 'Enregistrer' },
  saved: { en: 'Your changes are saved.', fr: 'Vos modifications sont enregistrées.' },

  reply: { en: 'Reply-to address', fr: 'Adresse de réponse' },
  replyNone: {
    en: 'Replies to your emails currently reach nobody. Confirm an address to receive them.',
    fr: 'Pour l’instant, les réponses à vos courriels ne joignent personne. Confirmez une adresse pour les recevoir.',
  },
  replySet: {
    en: 'Replies to your contract emails go to:',
    fr: 'Les réponses à vos courriels de contrat vont à\u00A0:',
  },
  replyAddress: { en: 'Email address for replies', fr: 'Adresse courriel pour les réponses' },
  replyHint: { en: 'We first send it a one-time code.', fr: 'Nous y envoyons d’abord un code à usage unique.' },
  replyChange: { en: 'Change', fr: 'Modifier' },
  replyRemove: { en: 'Remove', fr: 'Supprimer' },
  replyTitle: { en: 'Send a code', fr: 'Envoyer un code' },
  replyWaitTitle: { en: 'Confirm the reply-to address', fr: 'Confirmer l’adresse de réponse' },
  replyConfirmed: { en: 'The reply-to address is confirmed.', fr: 'L’adresse de réponse est confirmée.' },

  owners: { en: 'People', fr: 'Personnes' },
  ownersLead: {
    en: 'Everybody with access to this account. Each role sees only its own pages. A change counts from the person’s next page.',
    fr: 'Toutes les personnes qui ont accès à ce compte. Chaque rôle ne voit que ses pages. Un changement compte dès la page suivante de la personne.',
  },
  role: { en: 'Role', fr: 'Rôle' },
  roleHint: { en: 'You can change it at any time.', fr: 'Vous pouvez le changer à tout moment.' },
  roleWrong: { en: 'Choose a role from the list', fr: 'Choisissez un rôle dans la liste' },
  roleChanged: { en: 'The role is changed.', fr: 'Le rôle est changé.' },
  yourRole: { en: 'Your role', fr: 'Votre rôle' },
  otherRole: (name: string) => ({
    en: `An owner of the account of ${name} can give you another role.`,
    fr: `Un responsable du compte de ${name} peut vous donner un autre rôle.`,
  }),
  leaveAccount: { en: 'Leave the account', fr: 'Quitter le compte' },
  since: { en: 'Since', fr: 'Depuis' },
  invited: { en: 'Invited, no reply yet', fr: 'Invitation sans réponse' },
  mailbox: { en: 'Email address', fr: 'Adresse courriel' },
  you: { en: 'you', fr: 'vous' },
  remove: { en: 'Remove', fr: 'Supprimer' },
  invite: { en: 'Invite somebody', fr: 'Inviter une personne' },
  inviteHint: {
    en: 'They get an email, sign in with that address, and accept or decline.',
    fr: 'La personne reçoit un courriel, se connecte avec cette adresse, puis accepte ou refuse.',
  },
  inviteNow: { en: 'Send the invitation', fr: 'Envoyer l’invitation' },
  inviteDone: { en: 'We are sending the invitation.', fr: 'Nous envoyons l’invitation.' },
  owns_already: {
    en: 'This address already has access, or an invitation',
    fr: 'Cette adresse a déjà un accès ou une invitation',
  },
  not_approved: {
    en: 'We can email other people once your application is approved',
    fr: 'Nous pourrons écrire à d’autres personnes une fois votre demande approuvée',
  },
  full: {
    en: 'An account can have 20 people. Remove somebody first',
    fr: 'Un compte peut avoir 20 personnes. Supprimez d’abord quelqu’un',
  },
  too_many_today: {
    en: 'You can invite 20 people in 24 hours. Try again tomorrow',
    fr: 'Vous pouvez inviter 20 personnes en 24 heures. Réessayez demain',
  },
  on_hold: {
    en: 'You cannot invite anyone while the account is suspended. Write to the operator',
    fr: 'Vous ne pouvez inviter personne tant que le compte est suspendu. Écrivez à l’exploitant',
  },
  replyOnHold: {
    en: 'You cannot confirm an address while the account is suspended. Write to the operator',
    fr: 'Vous ne pouvez pas confirmer d’adresse tant que le compte est suspendu. Écrivez à l’exploitant',
  },
  lastOwner: {
    en: 'An account needs at least one owner. Make somebody else an owner first',
    fr: 'Un compte a besoin d’au moins un responsable. Donnez d’abord ce rôle à quelqu’un d’autre',
  },

  sessions: { en: 'Your sessions', fr: 'Vos sessions' },
  sessionsLead: {
    en: 'The browsers in which you are signed in. A session ends after two hours without activity, and after a day in any case.',
    fr: 'Les navigateurs dans lesquels vous êtes connecté. Une session prend fin après deux heures d’inactivité, et dans tous les cas après une journée.',
  },
  seeSessions: { en: 'View and end your sessions', fr: 'Voir vos sessions et y mettre fin' },
  network: { en: 'Network', fr: 'Réseau' },
  end: { en: 'End', fr: 'Fermer' },
  signedIn: { en: 'Signed in', fr: 'Connexion' },
  lastSeen: { en: 'Last active', fr: 'Dernière activité' },
  browser: { en: 'Browser', fr: 'Navigateur' },
  browserOn: (browser: string, system: string) => ({ en: `${browser} on ${system}`, fr: `${browser} sur ${system}` }),
  thisOne: { en: 'this one', fr: 'celle-ci' },
  unknownBrowser: { en: 'Unknown browser', fr: 'Navigateur inconnu' },
  unknownNetwork: { en: 'Unknown', fr: 'Inconnu' },
  signOutEverywhere: { en: 'Sign out everywhere', fr: 'Se déconnecter partout' },

  record: { en: 'Activity', fr: 'Activité' },
  recordLead: {
    en: 'All actions on this account. Nobody can change this list.',
    fr: 'Toutes les actions effectuées sur ce compte. Personne ne peut modifier cette liste.',
  },
  seeRecord: { en: 'View activity', fr: 'Voir l’activité' },
  when: { en: 'When', fr: 'Quand' },
  who: { en: 'Who', fr: 'Qui' },
  what: { en: 'What', fr: 'Quoi' },
  older: { en: 'Older', fr: 'Plus anciens' },
  leave: { en: 'Export your data', fr: 'Exporter vos données' },
  leaveLead: {
    en: 'One JSON file with the account, its owners, applications, keys (without secrets), usage and activity, and every contract with its text and parties. Download the evidence and signed PDFs from each contract’s page.',
    fr: 'Un fichier JSON avec le compte, ses responsables, ses demandes, ses clés (sans les secrets), son utilisation et son activité, et chaque contrat avec son texte et ses parties. Téléchargez la preuve et les PDF signés depuis la page de chaque contrat.',
  },
  exportWait: (at: string) => ({
    en: `This account was exported several times in the last hour. Try again after ${at}.`,
    fr: `Ce compte a été exporté plusieurs fois dans la dernière heure. Réessayez après ${at}.`,
  }),
  export: { en: 'Download the export', fr: 'Télécharger l’exportation' },
})

/** What each role may do, as permissions.ts has it. [D72] */
export const roleHints = createDictionary<Record<AccountRole, Translated>>({
  owner: { en: 'Owner: everything', fr: 'Responsable\u00A0: tout' },
  developer: {
    en: 'Developer: keys, request log, webhooks and the sandbox',
    fr: 'Développeur\u00A0: clés, journal des requêtes, webhooks et bac à sable',
  },
  viewer: {
    en: 'Viewer: contracts and usage, without changes or downloads',
    fr: 'Lecteur\u00A0: contrats et utilisation, sans modification ni téléchargement',
  },
})
