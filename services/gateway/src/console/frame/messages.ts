// Messages of the console's frames in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const frameMessages = createDictionary({
  footNote: {
    en: 'Contracts with many parties, signed and provable.',
    fr: 'Des contrats à plusieurs parties, signés et prouvables.',
  },
  footLabel: { en: 'About this page', fr: 'À propos de cette page' },
  help: { en: 'Help', fr: 'Aide' },
  privacy: { en: 'Privacy', fr: 'Confidentialité' },
  reference: { en: 'API reference', fr: 'Référence de l’API' },
  status: { en: 'Status', fr: 'État du service' },
  errorPrefix: (title: string) => ({ en: `Error: ${title}`, fr: `Erreur\u00A0: ${title}` }),
  problem: { en: 'There is a problem', fr: 'Il y a un problème' },
  menu: { en: 'Menu', fr: 'Menu' },
  sections: { en: 'Console', fr: 'Console' },
  overview: { en: 'Overview', fr: 'Aperçu' },
  contracts: { en: 'Contracts', fr: 'Contrats' },
  keys: { en: 'API access', fr: 'Accès à l’API' },
  plan: { en: 'Plan and billing', fr: 'Forfait et facturation' },
  account: { en: 'Account', fr: 'Compte' },
  operator: { en: 'Operator', fr: 'Exploitant' },
  applications: { en: 'Applications', fr: 'Demandes' },
  accounts: { en: 'Accounts', fr: 'Comptes' },
  reports: { en: 'Reports', fr: 'Signalements' },
  audit: { en: 'Audit log', fr: 'Journal d’audit' },
  signOut: { en: 'Sign out', fr: 'Se déconnecter' },
  signedInAs: (mailbox: string) => ({ en: `Signed in as ${mailbox}`, fr: `Connecté\u00A0: ${mailbox}` }),
  planOf: (plan: string) => ({ en: `${plan} plan`, fr: `Forfait ${plan}` }),
  noPlan: { en: 'No plan yet', fr: 'Pas encore de forfait' },
  goBack: { en: 'Go back', fr: 'Retour' },
  production: { en: 'Production', fr: 'Production' },
  sandbox: { en: 'Sandbox', fr: 'Bac à sable' },
  environment: { en: 'Environment', fr: 'Environnement' },

  // The status line and its action
  suspended: {
    en: 'This account is on hold. Keys answer 403 and nothing can be signed. Write to the operator.',
    fr: 'Ce compte est suspendu. Les clés répondent 403 et rien ne peut être signé. Écrivez à l’exploitant.',
  },
  trial: {
    en: 'You are on trial: sandbox keys work, production keys come with a paid plan.',
    fr: 'Vous êtes à l’essai\u00A0: les clés du bac à sable fonctionnent, celles de production viennent avec un forfait payé.',
  },
  pastDue: (day: string) => ({
    en: `The payment is overdue. Keys stop on ${day} unless it arrives.`,
    fr: `Le paiement est en retard. Les clés cesseront de fonctionner le ${day}, sauf s’il arrive.`,
  }),
  ended: {
    en: 'The subscription has ended. Keys answer 403 until there is a new one.',
    fr: 'L’abonnement est terminé. Les clés répondent 403 jusqu’au prochain.',
  },
  planChosen: (plan: string) => ({
    en: `You chose ${plan}. The operator will write to you about payment; keys come then.`,
    fr: `Vous avez choisi ${plan}. L’exploitant vous écrira pour le paiement; les clés viendront ensuite.`,
  }),
  writeToOperator: { en: 'Write to the operator', fr: 'Écrire à l’exploitant' },
  seePlan: { en: 'See plan and billing', fr: 'Voir forfait et facturation' },
})

/** The display name of a tier: its name with a capital letter. */
export const tierName = (tier: string): string => tier.charAt(0).toUpperCase() + tier.slice(1)
