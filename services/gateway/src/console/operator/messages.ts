// Messages of the operator's pages in English and Canadian French.
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { SubscriptionStatus } from '../../accounts/subscription.js'
import type { ListedReport } from '../contracts/contract-rows.js'

export const operatorMessages = createDictionary({
  waiting: (count: number) => ({
    en: count === 0 ? 'No applications are waiting.' : `${count} waiting, oldest first.`,
    fr: count === 0 ? 'Aucune demande en attente.' : `${count} en attente, la plus ancienne d’abord.`,
  }),
  sent: (at: string) => ({ en: `Sent ${at}`, fr: `Envoyée le ${at}` }),
  otherParties: { en: 'Other parties', fr: 'Autres parties' },
  applicant: { en: 'Applicant', fr: 'Demandeur' },
  website: { en: 'Website', fr: 'Site Web' },
  checked: { en: 'What we checked', fr: 'Ce que nous avons vérifié' },
  mailboxProven: {
    en: 'Email address confirmed by one-time code',
    fr: 'Adresse courriel confirmée par un code à usage unique',
  },
  domainFits: { en: 'Email domain matches the website', fr: 'Le domaine du courriel est celui du site Web' },
  domainDiffers: {
    en: 'Email domain differs from the website',
    fr: 'Le domaine du courriel diffère de celui du site Web',
  },
  noRefusal: { en: 'No earlier refusal', fr: 'Aucun refus antérieur' },
  refusals: (count: number) => ({
    en: count === 1 ? '1 earlier refusal' : `${count} earlier refusals`,
    fr: count === 1 ? '1 refus antérieur' : `${count} refus antérieurs`,
  }),
  notChecked: { en: 'Not checked: whether the company exists', fr: 'Non vérifié\u00A0: l’existence de l’entreprise' },
  reason: { en: 'Reason', fr: 'Raison' },
  reasonHint: {
    en: 'Sent to the applicant if you refuse. Always kept in the account’s activity, where the owner can read it.',
    fr: 'Envoyée au demandeur si vous refusez. Toujours conservée dans l’activité du compte, où le responsable peut la lire.',
  },
  reasonMissing: {
    en: 'Give a reason: the applicant will read it',
    fr: 'Donnez une raison\u00A0: le demandeur la lira',
  },
  reasonLong: {
    en: 'The reason must be 1,000 characters or fewer',
    fr: 'La raison doit compter au plus 1\u00A0000 caractères',
  },
  reasonWrong: {
    en: 'The reason must not contain control characters or invisible characters',
    fr: 'La raison ne doit pas contenir de caractères de contrôle ni de caractères invisibles',
  },
  withTier: { en: 'Approve with a plan', fr: 'Approuver avec un forfait' },
  withTierHint: {
    en: 'The plan starts immediately and counts as paid. Or let the owner choose.',
    fr: 'Le forfait commence immédiatement et compte comme payé. Ou laissez le responsable choisir.',
  },
  ownerChooses: { en: 'The owner chooses', fr: 'Le responsable choisit' },
  approve: { en: 'Approve', fr: 'Approuver' },
  refuse: { en: 'Refuse', fr: 'Refuser' },
  decidedMeanwhile: {
    en: 'Your decision was not saved: this application was decided, withdrawn or changed in the meantime. Check what is waiting now.',
    fr: 'Votre décision n’a pas été enregistrée\u00A0: cette demande a été décidée, retirée ou modifiée entre-temps. Vérifiez ce qui attend maintenant.',
  },

  accounts: { en: 'Accounts', fr: 'Comptes' },
  account: { en: 'Account', fr: 'Compte' },
  plan: { en: 'Plan', fr: 'Forfait' },
  state: { en: 'Status', fr: 'État' },
  created: { en: 'Created', fr: 'Créé' },
  next: { en: 'Next page', fr: 'Page suivante' },
  noPlan: { en: 'No plan', fr: 'Aucun forfait' },
  wants: (tier: string) => ({ en: `Wants ${tier}`, fr: `Veut ${tier}` }),
  states: { en: 'Active', fr: 'Actif' },
  suspendedState: { en: 'Suspended', fr: 'Suspendu' },
  notApproved: { en: 'Not approved', fr: 'Non approuvé' },
  owners: { en: 'People', fr: 'Personnes' },
  until: { en: 'Until', fr: 'Jusqu’au' },
  noEnd: { en: 'No end date', fr: 'Sans date de fin' },
  subscription: { en: 'Subscription', fr: 'Abonnement' },
  grantTitle: { en: 'Grant a subscription', fr: 'Accorder un abonnement' },
  grantLead: {
    en: 'It counts as paid. After it ends, keys work for 7\u00A0more days and the console shows a warning.',
    fr: 'Il compte comme payé. Après sa fin, les clés fonctionnent 7\u00A0jours de plus et la console affiche un avertissement.',
  },
  lastDay: { en: 'Last day (UTC)', fr: 'Dernier jour (UTC)' },
  lastDayHint: { en: 'Leave it empty for no end date.', fr: 'Laissez vide pour aucune date de fin.' },
  lastDayWrong: { en: 'Choose a day in the future', fr: 'Choisissez un jour à venir' },
  tierWrong: { en: 'Choose a plan', fr: 'Choisissez un forfait' },
  grant: { en: 'Grant the subscription', fr: 'Accorder l’abonnement' },
  approveFirst: {
    en: 'The application of this account is not approved yet.',
    fr: 'La demande de ce compte n’est pas encore approuvée.',
  },
  payment: { en: 'Stripe', fr: 'Stripe' },
  notPaid: { en: 'No payment yet', fr: 'Aucun paiement pour l’instant' },
  openStripe: { en: 'Open in Stripe', fr: 'Ouvrir dans Stripe' },
  paysByStripe: {
    en: 'This account pays through Stripe. Change or cancel its subscription in Stripe.',
    fr: 'Ce compte paie chez Stripe. Modifiez ou annulez son abonnement dans Stripe.',
  },
  endTitle: { en: 'End the subscription?', fr: 'Mettre fin à l’abonnement?' },
  endLead: {
    en: 'API calls return 403 from now on. Contracts in progress can still be signed.',
    fr: 'Les appels à l’API renvoient 403 dès maintenant. Les contrats en cours peuvent encore être signés.',
  },
  end: { en: 'End the subscription', fr: 'Mettre fin à l’abonnement' },
  suspendTitle: (name: string) => ({ en: `Suspend ${name}?`, fr: `Suspendre ${name}?` }),
  suspendLead: {
    en: 'API calls return 403, share links say that nothing can be signed, and emails wait. Parties who have signed can still get their copy. You can resume the account at any time.',
    fr: 'Les appels à l’API renvoient 403, les liens de partage indiquent que rien ne peut être signé et les courriels attendent. Les parties qui ont signé peuvent encore obtenir leur copie. Vous pouvez réactiver le compte à tout moment.',
  },
  suspend: { en: 'Suspend the account', fr: 'Suspendre le compte' },
  resume: { en: 'Resume the account', fr: 'Réactiver le compte' },
  keep: { en: 'Go back', fr: 'Retour' },
  holdTitle: { en: 'Suspension', fr: 'Suspension' },
  isActive: {
    en: 'This account works. Suspending it stops API calls, signing and emails. You can undo this.',
    fr: 'Ce compte fonctionne. Le suspendre arrête les appels à l’API, la signature et les courriels. C’est réversible.',
  },
  isSuspended: {
    en: 'This account is suspended: API calls return 403, nothing can be signed and emails wait.',
    fr: 'Ce compte est suspendu\u00A0: les appels à l’API renvoient 403, rien ne peut être signé et les courriels attendent.',
  },
  reports: { en: 'Reports', fr: 'Signalements' },
  reportsLead: {
    en: 'What people sent with “Report this request”, newest first.',
    fr: 'Ce que des gens ont envoyé avec «\u00A0Signaler cette demande\u00A0», le plus récent d’abord.',
  },
  noReports: { en: 'No open reports.', fr: 'Aucun signalement ouvert.' },
  noReportsHandled: { en: 'No handled reports.', fr: 'Aucun signalement traité.' },
  openReports: { en: 'Open reports', fr: 'Signalements ouverts' },
  seeReports: { en: 'View reports', fr: 'Voir les signalements' },
  handledReports: { en: 'Handled', fr: 'Traités' },
  reportsOf: (account: string) => ({
    en: `About contracts of account ${account}`,
    fr: `Sur des contrats du compte ${account}`,
  }),
  report: { en: 'Report', fr: 'Signalement' },
  handleTitle: { en: 'Mark as handled', fr: 'Marquer comme traité' },
  handle: { en: 'Mark as handled', fr: 'Marquer comme traité' },
  note: { en: 'Note', fr: 'Note' },
  noteHint: {
    en: 'What you found and did. Other operators see it; the owners of the account do not.',
    fr: 'Ce que vous avez constaté et fait. Les autres exploitants la voient, les responsables du compte non.',
  },
  noteMissing: { en: 'Write a note', fr: 'Écrivez une note' },
  handledBy: (who: string) => ({ en: `Handled by ${who}`, fr: `Traité par ${who}` }),
  senderLabel: { en: 'Sender', fr: 'Expéditeur' },
  cancelTitle: (number: string) => ({ en: `Cancel ${number}?`, fr: `Annuler ${number}?` }),
  cancelLead: {
    en: 'Nobody can sign it any more, and every party gets an email. This cannot be undone.',
    fr: 'Plus personne ne pourra le signer, et chaque partie reçoit un courriel. C’est irréversible.',
  },
  cancelReason: { en: 'Reason (optional)', fr: 'Raison (facultative)' },
  cancelReasonHint: {
    en: 'The owners of the account see it. The parties do not.',
    fr: 'Les responsables du compte la voient. Les parties non.',
  },
  contract: { en: 'Contract', fr: 'Contrat' },
  contractId: { en: 'contract identifier', fr: 'identifiant du contrat' },
  sender: (name: string) => ({ en: `Sent as ${name}`, fr: `Envoyé au nom de ${name}` }),
  contractUnknown: { en: 'Details are unavailable right now.', fr: 'Les détails sont indisponibles pour le moment.' },
  message: { en: 'Message', fr: 'Message' },
  received: { en: 'Received', fr: 'Reçu' },
  search: { en: 'Name, account or address', fr: 'Nom, compte ou adresse' },
  show: { en: 'Show', fr: 'Afficher' },
  noAccounts: { en: 'No account matches.', fr: 'Aucun compte ne correspond.' },
  usage: { en: 'Billable calls this month', fr: 'Appels facturables du mois' },
  usageOf: (calls: string, quota: string) => ({ en: `${calls} of ${quota}`, fr: `${calls} sur ${quota}` }),
  contractsLately: { en: 'Contracts in 30 days', fr: 'Contrats en 30 jours' },
  refusedLately: { en: 'Refused invitations in 30 days', fr: 'Invitations refusées en 30 jours' },
  refusedOf: (percent: string, refused: string, all: string) => ({
    en: `${percent} (${refused} of ${all})`,
    fr: `${percent} (${refused} sur ${all})`,
  }),
  all: { en: 'All', fr: 'Tous' },
  actor: { en: 'Kind of actor', fr: 'Type d’auteur' },
  who: { en: 'Email address or name', fr: 'Adresse courriel ou nom' },
  act: { en: 'Action', fr: 'Action' },
  from: { en: 'From (UTC)', fr: 'Du (UTC)' },
  upTo: { en: 'To (UTC)', fr: 'Au (UTC)' },
  noActs: { en: 'No action matches.', fr: 'Aucune action ne correspond.' },
  csv: { en: 'Download as CSV', fr: 'Télécharger en CSV' },
  auditLead: {
    en: 'All actions of owners and operators, newest first. Nobody can change this list.',
    fr: 'Toutes les actions des responsables et des exploitants, la plus récente d’abord. Personne ne peut modifier cette liste.',
  },
})

export const accountStatusMessages = createDictionary<Record<SubscriptionStatus, Translated>>({
  none: { en: 'None', fr: 'Aucun' },
  trial: { en: 'On trial', fr: 'À l’essai' },
  active: { en: 'Active', fr: 'En cours' },
  past_due: { en: 'Payment overdue', fr: 'Paiement en retard' },
  ended: { en: 'Ended', fr: 'Terminé' },
})

/** The reasons in the wording of the report form. */
export const reportReasonMessages = createDictionary<Record<ListedReport['reason'], Translated>>({
  unknown_sender: { en: 'I do not know the sender', fr: 'Je ne connais pas l’expéditeur' },
  impersonation: {
    en: 'It pretends to come from somebody else',
    fr: 'L’expéditeur se fait passer pour quelqu’un d’autre',
  },
  asks_for_money: { en: 'It asks for money or passwords', fr: 'On demande de l’argent ou des mots de passe' },
  other: { en: 'Something else', fr: 'Autre chose' },
})
