// Messages of the request log in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const requestMessages = createDictionary({
  lead: {
    en: 'Calls of the last 7 days that had a valid key: every refusal and failure, and up to 10 successes a second. Bodies and addresses are not kept.',
    fr: 'Appels des 7 derniers jours faits avec une clé valide\u00A0: chaque refus et chaque échec, et jusqu’à 10 succès par seconde. Ni les corps ni les adresses ne sont conservés.',
  },
  requestId: { en: 'Request ID', fr: 'Numéro de requête' },
  answer: { en: 'Answer', fr: 'Réponse' },
  key: { en: 'API key', fr: 'Clé d’API' },
  all: { en: 'All', fr: 'Toutes' },
  succeeded: { en: 'Successful (2xx)', fr: 'Réussie (2xx)' },
  unchanged: { en: 'Unchanged (304)', fr: 'Inchangée (304)' },
  refused: { en: 'Refused (4xx)', fr: 'Refusée (4xx)' },
  failed: { en: 'Failed (5xx)', fr: 'Échouée (5xx)' },
  show: { en: 'Show', fr: 'Afficher' },
  time: { en: 'Time', fr: 'Heure' },
  call: { en: 'Call', fr: 'Appel' },
  took: { en: 'Took', fr: 'Durée' },
  milliseconds: (count: string) => ({ en: `${count}\u00A0ms`, fr: `${count}\u00A0ms` }),
  none: {
    en: 'No calls in the last 7 days. A call appears here about a second after its answer.',
    fr: 'Aucun appel au cours des 7 derniers jours. Un appel paraît ici environ une seconde après sa réponse.',
  },
  noMatch: { en: 'No calls match.', fr: 'Aucun appel ne correspond.' },
  notAnId: {
    en: 'This is not a request ID. It has 36 characters, such as 5f0c1a52-6b1e-4c8e-9d0a-3f1d2c4b5a69.',
    fr: 'Ce n’est pas un numéro de requête. Il compte 36 caractères, comme 5f0c1a52-6b1e-4c8e-9d0a-3f1d2c4b5a69.',
  },
  newest: { en: 'Newest', fr: 'Plus récents' },
  older: { en: 'Older', fr: 'Plus anciens' },
})
