// Messages of the overview in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const usageMessages = createDictionary({
  title: (month: string) => ({ en: `Usage, ${month}`, fr: `Usage, ${month}` }),
  overTitle: { en: 'You are over the quota', fr: 'Vous dépassez le quota' },
  overServed: (over: string, quota: string) => ({
    en: `${over} calls over ${quota}. We still serve every call and count it as overage.`,
    fr: `${over} appels de plus que ${quota}. Nous servons encore chaque appel et le comptons en sus.`,
  }),
  overStopped: (at: string) => ({
    en: `The quota is used up, and calls that cost something are answered 429 until ${at}.`,
    fr: `Le quota est épuisé et les appels qui comptent reçoivent 429 jusqu’au ${at}.`,
  }),
  moveTo: (tier: string, quota: string) => ({
    en: `Move to ${tier}, which has ${quota}.`,
    fr: `Passer à ${tier}, qui en a ${quota}.`,
  }),
  stopInstead: { en: 'Stop at the quota instead.', fr: 'S’arrêter plutôt au quota.' },
  today: { en: 'Today', fr: 'Aujourd’hui' },
  billable: { en: 'Billable calls', fr: 'Appels facturables' },
  quota: { en: 'Quota', fr: 'Quota' },
  remaining: { en: 'Remaining', fr: 'Restants' },
  overage: { en: 'Overage', fr: 'En sus' },
  barOf: (used: string, quota: string) => ({
    en: `${used} of ${quota} calls used`,
    fr: `${used} appels utilisés sur ${quota}`,
  }),
  usedUpOn: (day: string) => ({ en: `Quota used in full on ${day}`, fr: `Quota épuisé le ${day}` }),
  startsAgain: (at: string) => ({ en: `Starts again on ${at}`, fr: `Recommence le ${at}` }),
  byDay: { en: 'Billable calls by day', fr: 'Appels facturables par jour' },
  utcDays: (from: string, until: string) => ({
    en: `${from} to ${until}, UTC days`,
    fr: `Du ${from} au ${until}, jours UTC`,
  }),
  asTable: { en: 'Show as a table', fr: 'Montrer en tableau' },
  day: { en: 'Day', fr: 'Jour' },
  month: { en: 'Month', fr: 'Mois' },
  calls: { en: 'All calls', fr: 'Tous les appels' },
  byEndpoint: { en: 'All calls by endpoint', fr: 'Tous les appels par point d’accès' },
  inAll: (total: string, unbilled: string) => ({
    en: `${total} in all. ${unbilled} of them cost nothing: free, refused or failed.`,
    fr: `${total} en tout. ${unbilled} d’entre eux ne coûtent rien\u00A0: gratuits, refusés ou échoués.`,
  }),
  free: { en: 'free', fr: 'gratuit' },
  noCalls: { en: 'There was no call yet.', fr: 'Il n’y a pas encore eu d’appel.' },
  twelve: { en: 'The last 12 months', fr: 'Les 12 derniers mois' },
  stopTitle: { en: 'At the quota', fr: 'Au quota' },
  stopped: {
    en: '“Stop at quota” is on: production calls beyond the quota are answered 429.',
    fr: '«\u00A0Arrêter au quota\u00A0» est activé\u00A0: les appels de production au-delà du quota reçoivent 429.',
  },
  served: {
    en: '“Stop at quota” is off: production calls beyond the quota are served and counted as overage. What overage costs is for the operator’s terms to say.',
    fr: '«\u00A0Arrêter au quota\u00A0» est désactivé\u00A0: les appels de production au-delà du quota sont servis et comptés en sus. Leur prix relève des conditions de l’exploitant.',
  },
  switchOn: { en: 'Switch “Stop at quota” on', fr: 'Activer «\u00A0Arrêter au quota\u00A0»' },
  switchOff: { en: 'Switch “Stop at quota” off', fr: 'Désactiver «\u00A0Arrêter au quota\u00A0»' },
  sandboxStops: {
    en: 'The sandbox always stops at its quota. It has a window and a quota of its own.',
    fr: 'Le bac à sable s’arrête toujours à son quota. Il a sa propre fenêtre et son propre quota.',
  },
  rate: (perMinute: string) => ({
    en: `Rate limit: ${perMinute} requests a minute`,
    fr: `Limite de débit\u00A0: ${perMinute} requêtes par minute`,
  }),
  rightNow: { en: 'Right now', fr: 'En ce moment' },
  waiting: { en: 'Contracts waiting for a party', fr: 'Contrats qui attendent une partie' },
  lastContract: { en: 'Last contract', fr: 'Dernier contrat' },
  none: { en: 'None yet', fr: 'Aucun pour l’instant' },
  unknown: { en: 'Cannot be said right now', fr: 'Ne peut être dit pour l’instant' },
})
