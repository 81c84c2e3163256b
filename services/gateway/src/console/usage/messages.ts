// Messages of the overview in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const usageMessages = createDictionary({
  title: { en: 'Overview', fr: 'Aperçu' },
  titleOf: (month: string) => ({ en: `Usage, ${month}`, fr: `Utilisation, ${month}` }),
  contracts: { en: 'Contracts', fr: 'Contrats' },
  waiting: { en: 'Awaiting signatures', fr: 'En attente de signature' },
  expiring: { en: 'Expiring within 3\u00A0days', fr: 'Expirent d’ici 3\u00A0jours' },
  delivery: { en: 'With an email refused or delayed', fr: 'Avec un courriel refusé ou retardé' },
  declined: { en: 'Declined by a party', fr: 'Refusés par une partie' },
  completed: { en: 'Completed in the last 7\u00A0days', fr: 'Terminés ces 7\u00A0derniers jours' },
  median: { en: 'Median time to sign', fr: 'Délai médian de signature' },
  medianOf: {
    en: 'The median is of the last 200 contracts that everyone signed, from their creation to the last signature.',
    fr: 'La médiane porte sur les 200 derniers contrats signés par tout le monde, de leur création à la dernière signature.',
  },
  none: { en: 'None yet', fr: 'Aucun' },
  seeContracts: { en: 'See the contracts', fr: 'Voir les contrats' },
  contractsUnknown: {
    en: 'Contract numbers are unavailable right now.',
    fr: 'Les nombres de contrats sont indisponibles pour le moment.',
  },

  overTitle: { en: 'You are over your quota', fr: 'Vous dépassez votre quota' },
  overServed: (over: string, quota: string) => ({
    en: `You made ${over} more calls than your quota of ${quota}. We still serve every call and count the extra ones as overage.`,
    fr: `Vous avez fait ${over} appels de plus que votre quota de ${quota}. Nous répondons encore à chaque appel et comptons les appels de trop comme dépassement.`,
  }),
  overStopped: (at: string) => ({
    en: `Your quota is used up. Billable calls return 429 until ${at}.`,
    fr: `Votre quota est épuisé. Les appels facturables renvoient 429 jusqu’au ${at}.`,
  }),
  moveTo: (tier: string, quota: string) => ({
    en: `Move to the ${tier} plan: ${quota} calls a month`,
    fr: `Passer au forfait ${tier}\u00A0: ${quota} appels par mois`,
  }),
  stopInstead: { en: 'Stop at the quota instead', fr: 'Arrêter plutôt au quota' },
  today: { en: 'Today', fr: 'Aujourd’hui' },
  billable: { en: 'Billable calls', fr: 'Appels facturables' },
  quota: { en: 'Quota', fr: 'Quota' },
  remaining: { en: 'Remaining', fr: 'Restants' },
  overage: { en: 'Overage', fr: 'Dépassement' },
  barOf: (used: string, quota: string) => ({
    en: `${used} of ${quota} calls used`,
    fr: `${used} appels utilisés sur ${quota}`,
  }),
  usedUpOn: (day: string) => ({ en: `Quota used up on ${day}`, fr: `Quota épuisé le ${day}` }),
  startsAgain: (at: string) => ({ en: `Resets on ${at}`, fr: `Remis à zéro le ${at}` }),
  byDay: { en: 'Billable calls by day', fr: 'Appels facturables par jour' },
  utcDays: (from: string, until: string) => ({
    en: `${from} to ${until}, UTC days`,
    fr: `Du ${from} au ${until}, jours UTC`,
  }),
  asTable: { en: 'Show as a table', fr: 'Afficher en tableau' },
  day: { en: 'Day', fr: 'Jour' },
  month: { en: 'Month', fr: 'Mois' },
  calls: { en: 'All calls', fr: 'Tous les appels' },
  byEndpoint: { en: 'All calls by endpoint', fr: 'Tous les appels par point d’accès' },
  callsInAll: (total: string, unbilled: string) => ({
    en: `${total} calls in total. ${unbilled} of them were free, refused or failed, and cost nothing.`,
    fr: `${total} appels au total. ${unbilled} d’entre eux étaient gratuits, refusés ou échoués, et ne coûtent rien.`,
  }),
  free: { en: 'free', fr: 'gratuit' },
  noCalls: { en: 'No calls yet.', fr: 'Aucun appel pour l’instant.' },
  months: { en: 'Usage by month', fr: 'Utilisation par mois' },
  showMonths: { en: 'Show the last 12 months', fr: 'Afficher les 12 derniers mois' },
  stopTitle: { en: 'At the quota', fr: 'Au quota' },
  stopped: {
    en: '“Stop at quota” is on: production calls beyond the quota return 429.',
    fr: '«\u00A0Arrêter au quota\u00A0» est activé\u00A0: les appels de production au-delà du quota renvoient 429.',
  },
  served: {
    en: '“Stop at quota” is off: production calls beyond the quota are served and counted as overage. Overage pricing is set in the operator’s terms.',
    fr: '«\u00A0Arrêter au quota\u00A0» est désactivé\u00A0: les appels de production au-delà du quota reçoivent une réponse et comptent comme dépassement. Leur prix est fixé dans les conditions de l’exploitant.',
  },
  switchOn: { en: 'Turn on “Stop at quota”', fr: 'Activer «\u00A0Arrêter au quota\u00A0»' },
  switchOff: { en: 'Turn off “Stop at quota”', fr: 'Désactiver «\u00A0Arrêter au quota\u00A0»' },
  sandboxStops: {
    en: 'The sandbox always stops at its quota. It has its own rate limit and its own quota.',
    fr: 'Le bac à sable s’arrête toujours à son quota. Il a sa propre limite de débit et son propre quota.',
  },
  rate: (perMinute: string) => ({
    en: `Rate limit: ${perMinute} requests a minute`,
    fr: `Limite de débit\u00A0: ${perMinute} requêtes par minute`,
  }),
})
