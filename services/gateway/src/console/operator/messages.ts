// Messages of the operator's pages in English and Canadian French.
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { SubscriptionStatus } from '../../accounts/subscription.js'
import type { ListedReport } from '../contracts/contract-rows.js'

export const operatorMessages = createDictionary({
  waiting: (count: number) => ({
    en: count === 0 ? 'None is waiting.' : `${count} waiting. Oldest first.`,
    fr: count === 0 ? 'Aucune n’attend.' : `${count} en attente. La plus ancienne d’abord.`,
  }),
  sent: (at: string) => ({ en: `Sent ${at}`, fr: `Envoyée le ${at}` }),
  otherParties: { en: 'Other parties', fr: 'Autres parties' },
  applicant: { en: 'Applicant', fr: 'Demandeur' },
  website: { en: 'Website', fr: 'Site Web' },
  checked: { en: 'What we checked', fr: 'Ce que nous avons vérifié' },
  mailboxProven: { en: 'Mailbox confirmed by one-time code', fr: 'Boîte confirmée par un code à usage unique' },
  domainFits: { en: 'Mail domain is the website’s domain', fr: 'Le domaine du courriel est celui du site Web' },
  domainDiffers: {
    en: 'Mail domain differs from the website',
    fr: 'Le domaine du courriel diffère de celui du site Web',
  },
  noRefusal: { en: 'No earlier refusal', fr: 'Aucun refus antérieur' },
  refusals: (count: number) => ({
    en: count === 1 ? '1 earlier refusal' : `${count} earlier refusals`,
    fr: count === 1 ? '1 refus antérieur' : `${count} refus antérieurs`,
  }),
  notChecked: {
    en: 'Whether the company exists was not checked',
    fr: 'L’existence de l’entreprise n’a pas été vérifiée',
  },
  reason: { en: 'Reason', fr: 'Raison' },
  reasonHint: {
    en: 'Sent to the applicant if you refuse. Kept in the audit log either way, where the owner can read it.',
    fr: 'Envoyée au demandeur si vous refusez. Conservée dans tous les cas dans le journal d’audit, où le responsable peut la lire.',
  },
  reasonMissing: { en: 'Say why: the applicant reads it', fr: 'Dites pourquoi\u00A0: le demandeur le lira' },
  reasonLong: {
    en: 'The reason must have at most 1,000 characters',
    fr: 'La raison doit compter au plus 1\u00A0000 caractères',
  },
  reasonWrong: {
    en: 'The reason must not hold control characters or invisible characters',
    fr: 'La raison ne doit pas contenir de caractères de contrôle ni de caractères invisibles',
  },
  withTier: { en: 'Approve with a plan', fr: 'Approuver avec un forfait' },
  withTierHint: {
    en: 'Granted at once and counted as paid; or let the owner choose.',
    fr: 'Accordé tout de suite et compté comme payé; ou laissez choisir le responsable.',
  },
  ownerChooses: { en: 'The owner chooses', fr: 'Le responsable choisit' },
  approve: { en: 'Approve', fr: 'Approuver' },
  refuse: { en: 'Refuse', fr: 'Refuser' },
  decidedMeanwhile: {
    en: 'This application was decided, withdrawn or changed meanwhile. Your decision was not taken; read what waits now.',
    fr: 'Cette demande a été décidée, retirée ou modifiée entre-temps. Votre décision n’a pas été prise; lisez ce qui attend maintenant.',
  },

  accounts: { en: 'Accounts', fr: 'Comptes' },
  account: { en: 'Account', fr: 'Compte' },
  plan: { en: 'Plan', fr: 'Forfait' },
  state: { en: 'State', fr: 'État' },
  created: { en: 'Created', fr: 'Créé' },
  next: { en: 'Next page', fr: 'Page suivante' },
  noPlan: { en: 'No plan', fr: 'Aucun forfait' },
  wants: (tier: string) => ({ en: `Wants ${tier}`, fr: `Veut ${tier}` }),
  states: { en: 'Active', fr: 'Actif' },
  suspendedState: { en: 'On hold', fr: 'Suspendu' },
  notApproved: { en: 'Not approved', fr: 'Non approuvé' },
  owners: { en: 'Owners', fr: 'Responsables' },
  until: { en: 'Until', fr: 'Jusqu’à' },
  noEnd: { en: 'No end', fr: 'Sans fin' },
  subscription: { en: 'Subscription', fr: 'Abonnement' },
  grantTitle: { en: 'Grant a subscription', fr: 'Accorder un abonnement' },
  grantLead: {
    en: 'It counts as paid. After its end keys work for 7\u00A0more days, with a banner in the console.',
    fr: 'Il compte comme payé. Après sa fin, les clés fonctionnent 7\u00A0jours de plus, avec un bandeau dans la console.',
  },
  lastDay: { en: 'Last day, UTC', fr: 'Dernier jour, UTC' },
  lastDayHint: {
    en: 'As 2027-01-31. Leave it empty for no end.',
    fr: 'Comme 2027-01-31. Laissez vide pour aucune fin.',
  },
  lastDayWrong: { en: 'Enter a day to come, like 2027-01-31', fr: 'Entrez un jour à venir, comme 2027-01-31' },
  tierWrong: { en: 'Choose a plan', fr: 'Choisissez un forfait' },
  grant: { en: 'Grant it', fr: 'Accorder' },
  approveFirst: {
    en: 'The application of this account is not approved yet.',
    fr: 'La demande de ce compte n’est pas encore approuvée.',
  },
  endTitle: { en: 'End the subscription?', fr: 'Mettre fin à l’abonnement?' },
  endLead: {
    en: 'Keys answer 403 at once. Contracts that are under way can still be signed.',
    fr: 'Les clés répondent 403 tout de suite. Les contrats en cours peuvent encore être signés.',
  },
  end: { en: 'End the subscription', fr: 'Mettre fin à l’abonnement' },
  suspendTitle: (name: string) => ({ en: `Put ${name} on hold?`, fr: `Suspendre ${name}?` }),
  suspendLead: {
    en: 'API calls return 403, share links say that the contract is on hold, and its mails wait. Parties who have signed can still fetch their copy. You can undo this.',
    fr: 'Les clés répondent 403, les liens de partage disent que le contrat est suspendu et ses courriels attendent. Qui a signé peut encore prendre sa copie. C’est réversible.',
  },
  suspend: { en: 'Put on hold', fr: 'Suspendre' },
  resume: { en: 'Take off hold', fr: 'Rétablir' },
  keep: { en: 'Leave it as it is', fr: 'Laisser tel quel' },
  holdTitle: { en: 'On hold', fr: 'Suspension' },
  reports: { en: 'Reports', fr: 'Signalements' },
  reportsLead: {
    en: 'What people said with “Report this request”, newest first.',
    fr: 'Ce que des gens ont dit avec «\u00A0Signaler cette demande\u00A0», le plus récent d’abord.',
  },
  noReports: { en: 'Nothing was reported.', fr: 'Rien n’a été signalé.' },
  contract: { en: 'Contract', fr: 'Contrat' },
  message: { en: 'Message', fr: 'Message' },
  received: { en: 'Received', fr: 'Reçu' },
  auditLead: {
    en: 'What owners and operators did, newest first. Nothing in this list can be changed.',
    fr: 'Ce que responsables et exploitants ont fait, le plus récent d’abord. Rien de cette liste ne peut être modifié.',
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
