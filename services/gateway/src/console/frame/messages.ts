// Messages of the console's frames in English and Canadian French.
import type { AccountRole } from '@paraph/protocol/account-role'
import { createDictionary, type Translated } from '@paraph/web/dictionary'

export const frameMessages = createDictionary({
  footNote: {
    en: 'Multi-party contracts with evidence anyone can verify.',
    fr: 'Des contrats à plusieurs parties, avec une preuve que chacun peut vérifier.',
  },
  footLabel: { en: 'About this site', fr: 'À propos de ce site' },
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
  requests: { en: 'Request log', fr: 'Journal des requêtes' },
  webhooks: { en: 'Webhooks', fr: 'Webhooks' },
  testMail: { en: 'Test mailbox', fr: 'Courriels d’essai' },
  plan: { en: 'Plan and billing', fr: 'Forfait et facturation' },
  account: { en: 'Account', fr: 'Compte' },
  operator: { en: 'Operator', fr: 'Exploitant' },
  toAccount: (name: string) => ({ en: `Console of ${name}`, fr: `Console de ${name}` }),
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
  copy: { en: 'Copy', fr: 'Copier' },
  copied: { en: 'Copied', fr: 'Copié' },

  // The status line and its action
  suspended: {
    en: 'This account is suspended. API calls return 403 and nothing can be signed.',
    fr: 'Ce compte est suspendu. Les appels à l’API renvoient 403 et rien ne peut être signé.',
  },
  trial: {
    en: 'You are on trial. Sandbox keys work now. Production keys need a paid plan.',
    fr: 'Vous êtes à l’essai. Les clés du bac à sable fonctionnent déjà. Les clés de production exigent un forfait payé.',
  },
  pastDue: (day: string) => ({
    en: `Your payment is overdue. Your keys stop working on ${day} unless it arrives before then.`,
    fr: `Votre paiement est en retard. Vos clés cesseront de fonctionner le ${day} s’il n’arrive pas d’ici là.`,
  }),
  ended: {
    en: 'Your subscription has ended. API calls return 403 until you have a new one.',
    fr: 'Votre abonnement est terminé. Les appels à l’API renvoient 403 jusqu’à ce que vous en ayez un nouveau.',
  },
  planChosen: (plan: string) => ({
    en: `You chose the ${plan} plan. The operator will write to you about payment. You can create keys after that.`,
    fr: `Vous avez choisi le forfait ${plan}. L’exploitant vous écrira au sujet du paiement. Vous pourrez ensuite créer des clés.`,
  }),
  writeToOperator: { en: 'Write to the operator', fr: 'Écrire à l’exploitant' },
  seePlan: { en: 'See plan and billing', fr: 'Voir forfait et facturation' },
})

export const roleMessages = createDictionary<Record<AccountRole, Translated>>({
  owner: { en: 'Owner', fr: 'Responsable' },
  developer: { en: 'Developer', fr: 'Développeur' },
  viewer: { en: 'Viewer', fr: 'Lecteur' },
})

/** The display name of a tier: its name with a capital letter. */
export const tierName = (tier: string): string => tier.charAt(0).toUpperCase() + tier.slice(1)
