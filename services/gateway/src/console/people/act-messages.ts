// Messages of the audit log in English and Canadian French: what each act did, and its details.
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { Act } from '../../accounts/audit.js'
import type { ActorKind } from '../../database.js'

/** A sentence, or one with facts of the entry, in the order of `SENTENCE_FACTS`. */
type Sentence = Translated | ((...facts: string[]) => Translated)

export const actMessages = createDictionary({
  'application.sent': { en: 'Sent an application', fr: 'A envoyé une demande' },
  'application.changed': { en: 'Changed the application', fr: 'A modifié la demande' },
  'application.withdrawn': { en: 'Withdrew the application', fr: 'A retiré la demande' },
  'application.approved': { en: 'Approved the application', fr: 'A approuvé la demande' },
  'application.refused': { en: 'Refused the application', fr: 'A refusé la demande' },
  'account.created': (plan) => ({
    en: `Created the account with the ${plan} plan`,
    fr: `A créé le compte avec le forfait ${plan}`,
  }),
  'account.changed': { en: 'Changed settings', fr: 'A modifié des réglages' },
  'account.renamed': (name) => ({ en: `Renamed the account to ${name}`, fr: `A renommé le compte en ${name}` }),
  'account.suspended': { en: 'Suspended the account', fr: 'A suspendu le compte' },
  'account.resumed': { en: 'Resumed the account', fr: 'A réactivé le compte' },
  'account.exported': { en: 'Exported the account', fr: 'A exporté le compte' },
  'contracts.exported': { en: 'Exported the list of contracts', fr: 'A exporté la liste des contrats' },
  'plan.chosen': (plan) => ({ en: `Chose the ${plan} plan`, fr: `A choisi le forfait ${plan}` }),
  'subscription.granted': (plan) => ({
    en: `Started a subscription to the ${plan} plan`,
    fr: `A ouvert un abonnement au forfait ${plan}`,
  }),
  'subscription.ended': (plan) => ({
    en: `Ended the subscription to the ${plan} plan`,
    fr: `A mis fin à l’abonnement au forfait ${plan}`,
  }),
  'quota.stopped': { en: 'Turned on “Stop at quota”', fr: 'A activé «\u00A0Arrêter au quota\u00A0»' },
  'quota.served': { en: 'Turned off “Stop at quota”', fr: 'A désactivé «\u00A0Arrêter au quota\u00A0»' },
  'owner.invited': (owner, role) => ({ en: `Invited ${owner} (${role})`, fr: `A invité ${owner} (${role})` }),
  'owner.joined': { en: 'Joined the account', fr: 'S’est joint au compte' },
  'owner.removed': (owner) => ({ en: `Removed ${owner} from the account`, fr: `A retiré ${owner} du compte` }),
  'owner.role_changed': (owner, role) => ({
    en: `Changed the role of ${owner} to ${role}`,
    fr: `A changé le rôle de ${owner}\u00A0: ${role}`,
  }),
  'owner.signed_out_everywhere': { en: 'Signed out everywhere', fr: 'S’est déconnecté partout' },
  'session.opened': { en: 'Signed in', fr: 'S’est connecté' },
  'session.ended': { en: 'Ended a session', fr: 'A mis fin à une session' },
  'session.withdrawn': {
    en: 'Lost a session: the company account no longer allows it',
    fr: 'A perdu une session\u00A0: le compte d’entreprise ne la permet plus',
  },
  'code.refused': {
    en: 'Someone entered five wrong codes for this address',
    fr: 'Quelqu’un a saisi cinq codes erronés pour cette adresse',
  },
  'code.locked': {
    en: 'Someone entered 20 wrong codes for this address in one day',
    fr: 'Quelqu’un a saisi 20 codes erronés pour cette adresse en une journée',
  },
  'second_factor.proven': {
    en: 'Completed the sign-in with a passkey',
    fr: 'A terminé la connexion avec une clé d’accès',
  },
  'passkey.added': (name) => ({
    en: `Added the passkey “${name}”`,
    fr: `A ajouté la clé d’accès «\u00A0${name}\u00A0»`,
  }),
  'passkey.removed': { en: 'Removed a passkey', fr: 'A supprimé une clé d’accès' },
  'passkey.reset': (owner) => ({
    en: `Reset the passkeys of ${owner}`,
    fr: `A réinitialisé les clés d’accès de ${owner}`,
  }),
  'recovery_code.used': { en: 'Used a recovery code', fr: 'A utilisé un code de secours' },
  'recovery_code.refused': {
    en: 'Someone with a one-time code for this address entered a wrong recovery code',
    fr: 'Quelqu’un qui avait un code à usage unique pour cette adresse a saisi un code de secours erroné',
  },
  'recovery_code.locked': {
    en: 'Someone with a one-time code for this address entered 10 wrong recovery codes in one day',
    fr: 'Quelqu’un qui avait un code à usage unique pour cette adresse a saisi 10 codes de secours erronés en une journée',
  },
  'recovery_code.replaced': { en: 'Made new recovery codes', fr: 'A créé de nouveaux codes de secours' },
  'reply_address.confirmed': (address) => ({
    en: `Confirmed the reply-to address ${address}`,
    fr: `A confirmé l’adresse de réponse ${address}`,
  }),
  'reply_address.removed': { en: 'Removed the reply-to address', fr: 'A supprimé l’adresse de réponse' },
  'brand.asked': { en: 'Asked for a brand', fr: 'A demandé une image de marque' },
  'brand.approved': { en: 'Approved the brand', fr: 'A approuvé l’image de marque' },
  'brand.refused': { en: 'Refused the brand', fr: 'A refusé l’image de marque' },
  'brand.withdrawn': { en: 'Withdrew the brand', fr: 'A retiré l’image de marque' },
  'brand.removed': { en: 'Removed the brand', fr: 'A supprimé l’image de marque' },
  'key.created': (name, environment) => ({
    en: `Created key “${name}” (${environment})`,
    fr: `A créé la clé «\u00A0${name}\u00A0» (${environment})`,
  }),
  'key.rotated': { en: 'Rotated a key', fr: 'A remplacé une clé' },
  'key.revoked': (name, environment) => ({
    en: `Revoked key “${name}” (${environment})`,
    fr: `A révoqué la clé «\u00A0${name}\u00A0» (${environment})`,
  }),
  'contract.cancelled': { en: 'Cancelled a contract', fr: 'A annulé un contrat' },
  'contract.erasure_requested': { en: 'Requested the erasure of a contract', fr: 'A demandé d’effacer un contrat' },
  'contract.kept': { en: 'Kept a contract that was due to be erased', fr: 'A gardé un contrat qui devait être effacé' },
  'contract.erased': { en: 'Erased a contract', fr: 'A effacé un contrat' },
  'contract.signed_as': {
    en: 'Signed as a party of a sandbox contract',
    fr: 'A signé pour une partie d’un contrat du bac à sable',
  },
  'contract.expired': { en: 'Expired a sandbox contract', fr: 'A fait expirer un contrat du bac à sable' },
  'contract.held': { en: 'Blocked the erasure of a contract', fr: 'A empêché d’effacer un contrat' },
  'contract.released': {
    en: 'Allowed the erasure of a contract again',
    fr: 'A permis de nouveau d’effacer un contrat',
  },
  'party.readdressed': { en: 'Corrected the address of a party', fr: 'A corrigé l’adresse d’une partie' },
  'invitation.sent_again': { en: 'Sent an invitation again', fr: 'A renvoyé une invitation' },
  'webhook.created': { en: 'Added a webhook endpoint', fr: 'A ajouté un point de réception de webhooks' },
  'webhook.rotated': {
    en: 'Rotated the secret of a webhook endpoint',
    fr: 'A remplacé le secret d’un point de réception',
  },
  'webhook.enabled': { en: 'Enabled a webhook endpoint again', fr: 'A réactivé un point de réception' },
  'webhook.removed': { en: 'Removed a webhook endpoint', fr: 'A supprimé un point de réception' },
  'webhook.disabled': {
    en: 'Disabled a webhook endpoint that failed for 5 days',
    fr: 'A désactivé un point de réception en échec depuis 5 jours',
  },
  'report.handled': { en: 'Handled a report', fr: 'A traité un signalement' },
  'operator.read': { en: 'Viewed data', fr: 'A consulté des données' },
  'evidence.downloaded': { en: 'Downloaded evidence', fr: 'A téléchargé la preuve' },
} satisfies Record<Act, Sentence>)

/** Facts of an entry that its sentence does not contain, each on a line of its own. */
export const factMessages = createDictionary({
  accent: (accent: string) => ({ en: `Colour: ${accent}`, fr: `Couleur\u00A0: ${accent}` }),
  logo: (sha256: string) => ({ en: `Logo: SHA-256 ${sha256}`, fr: `Logo\u00A0: SHA-256 ${sha256}` }),
  reason: (reason: string) => ({ en: `Reason: ${reason}`, fr: `Raison\u00A0: ${reason}` }),
  senderName: (name: string) => ({ en: `Sender: ${name}`, fr: `Expéditeur\u00A0: ${name}` }),
  language: (language: string) => ({
    en: `Language of emails: ${language}`,
    fr: `Langue des courriels\u00A0: ${language}`,
  }),
  timeZone: (zone: string) => ({ en: `Time zone: ${zone}`, fr: `Fuseau horaire\u00A0: ${zone}` }),
  mailsRefused: (when: string) => ({
    en: `A refused invitation: ${when}`,
    fr: `Une invitation refusée\u00A0: ${when}`,
  }),
  mailsDeclined: (when: string) => ({ en: `A party declines: ${when}`, fr: `Une partie refuse\u00A0: ${when}` }),
  mailsCompleted: (when: string) => ({
    en: `Everyone has signed: ${when}`,
    fr: `Tout le monde a signé\u00A0: ${when}`,
  }),
  mailsExpired: (when: string) => ({ en: `A contract expires: ${when}`, fr: `Un contrat expire\u00A0: ${when}` }),
  remindsParties: (what: string) => ({ en: `Reminders: ${what}`, fr: `Rappels\u00A0: ${what}` }),
  cancelsOnDecline: (what: string) => ({
    en: `When a party declines: ${what}`,
    fr: `Quand une partie refuse\u00A0: ${what}`,
  }),
  periodEnd: (at: string) => ({ en: `Until ${at}`, fr: `Jusqu’au ${at}` }),
  endsAt: (at: string) => ({ en: `The old key works until ${at}`, fr: `L’ancienne clé fonctionne jusqu’au ${at}` }),
  issuer: (_kind: string) => ({ en: 'With a company account', fr: 'Avec un compte d’entreprise' }),
  browser: (browser: string) => ({ en: browser, fr: browser }),
  network: (network: string) => ({ en: `Network ${network}`, fr: `Réseau ${network}` }),
})

export const actorMessages = createDictionary<Record<ActorKind, Translated>>({
  owner: { en: 'Owner', fr: 'Responsable' },
  developer: { en: 'Developer', fr: 'Développeur' },
  viewer: { en: 'Viewer', fr: 'Lecteur' },
  operator: { en: 'Operator', fr: 'Exploitant' },
  command_line: { en: 'Operator, on the command line', fr: 'Exploitant, en ligne de commande' },
  service: { en: 'Paraph itself', fr: 'Paraph lui-même' },
})
