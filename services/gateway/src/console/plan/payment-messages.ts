// Messages of paying at Stripe in English and Canadian French.
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { ProviderStatus } from '../../billing/provider.js'

export const paymentMessages = createDictionary({
  payment: { en: 'Payment', fr: 'Paiement' },
  state: { en: 'Status', fr: 'État' },
  renews: { en: 'Next payment', fr: 'Prochain paiement' },
  ends: { en: 'Ends on', fr: 'Prend fin le' },
  cancelled: {
    en: 'You cancelled this plan. It works until its end, and you can keep it until then.',
    fr: 'Vous avez annulé ce forfait. Il fonctionne jusqu’à sa fin, et vous pouvez le conserver d’ici là.',
  },
  manage: { en: 'Manage payment at Stripe', fr: 'Gérer le paiement chez Stripe' },
  payNow: { en: 'Pay at Stripe', fr: 'Payer chez Stripe' },
  receipts: { en: 'See receipts at Stripe', fr: 'Voir les reçus chez Stripe' },
  payFor: (plan: string) => ({ en: `Pay for ${plan}`, fr: `Payer ${plan}` }),
  changeTo: (plan: string) => ({ en: `Change to ${plan}`, fr: `Passer à ${plan}` }),
  confirming: {
    en: 'Stripe is confirming your payment. Your plan starts as soon as it does, usually within a minute.',
    fr: 'Stripe confirme votre paiement. Votre forfait commence dès sa confirmation, en général en moins d’une minute.',
  },
  checkAgain: { en: 'Check again', fr: 'Vérifier de nouveau' },
  howPaid: {
    en: 'You pay at Stripe, for each month in advance. Stripe keeps your card and sends your receipts; this site never sees your card. A change of plan takes effect immediately, a cancellation at the end of the month you paid for.',
    fr: 'Vous payez chez Stripe, chaque mois à l’avance. Stripe conserve votre carte et envoie vos reçus; ce site ne voit jamais votre carte. Un changement de forfait prend effet immédiatement, une annulation à la fin du mois payé.',
  },
})

export const paymentStatusMessages = createDictionary<Record<ProviderStatus, Translated>>({
  active: { en: 'Paid', fr: 'Payé' },
  trialing: { en: 'Free period', fr: 'Période gratuite' },
  past_due: { en: 'Payment failed', fr: 'Échec du paiement' },
  unpaid: { en: 'Not paid', fr: 'Impayé' },
  paused: { en: 'Paused: no card on file', fr: 'En pause\u00A0: aucune carte enregistrée' },
  canceled: { en: 'Cancelled', fr: 'Annulé' },
  incomplete: { en: 'First payment not completed', fr: 'Premier paiement inachevé' },
  incomplete_expired: { en: 'First payment not completed', fr: 'Premier paiement inachevé' },
})
