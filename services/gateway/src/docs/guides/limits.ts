import type { Guide } from '../guide.js'

export const LIMITS: Guide = {
  en: {
    name: 'Rate limits and quota',
    title: 'Rate limits and quota',
    lead: 'Two limits: how many requests fit into a minute, and how many calls into a month. All keys of an account in one environment share them.',
    blocks: [
      { heading: 'The window of a minute', id: 'window' },
      {
        columns: ['Tier', 'Requests per minute', 'Calls per month'],
        rows: [
          ['Startup', '60', '5,000'],
          ['Growth', '300', '25,000'],
          ['Enterprise', '1,000', '250,000'],
          ['[Sandbox](/docs/sandbox)', '60', '1,000'],
        ],
      },
      'The window slides: what counts is any 60 seconds. Every answer says where you stand, refusals included:',
      {
        columns: ['Header', 'Says'],
        rows: [
          ['`RateLimit-Limit`', 'Requests that fit into any 60 seconds.'],
          ['`RateLimit-Remaining`', 'How many are left after this one.'],
          ['`RateLimit-Reset`', 'Seconds until the oldest request leaves the window.'],
        ],
      },
      'Over it the answer is 429 `rate_limited`, and `Retry-After` says how long to wait. A refused request takes no place. Who waits that long and is alone is not refused next.',
      { heading: 'The quota of a month', id: 'quota' },
      'The month is that of the calendar, in UTC. `POST /contracts` and `GET /contracts/{id}` weigh 1, `GET /usage` and `GET /status` nothing. Only 2xx and 304 are billed: never a refusal, never a repetition.',
      {
        columns: ['Header', 'Says'],
        rows: [
          ['`Paraph-Quota-Weight`', 'What the call costs when it is billed: 1, or 0 for a repetition.'],
          ['`Paraph-Quota-Billable`', 'Whether it was billed.'],
        ],
      },
      'Add up the weights of your billed answers and you have `billableCalls` of [GET /usage](/docs/get-usage). Over the quota a production account is served and `overageCalls` grows, unless its owner chose to stop there. The sandbox always stops, with 429 `quota_exceeded`.',
      { heading: 'Sizes', id: 'sizes' },
      {
        columns: ['What', 'At most'],
        rows: [
          ['Parties of a contract', '50'],
          ['`content`', '51,200 bytes of UTF-8'],
          ['`metadata`', '50 pairs; keys of 40 and values of 500 characters'],
          ['The whole body', '524,288 bytes'],
          ['All headers', '16 KiB'],
        ],
      },
    ],
  },
  fr: {
    name: 'Limites et quota',
    title: 'Limites de débit et quota',
    lead: 'Deux limites\u00A0: combien de requêtes tiennent dans une minute, et combien d’appels dans un mois. Toutes les clés d’un compte dans un environnement les partagent.',
    blocks: [
      { heading: 'La fenêtre d’une minute', id: 'window' },
      {
        columns: ['Palier', 'Requêtes par minute', 'Appels par mois'],
        rows: [
          ['Startup', '60', '5\u00A0000'],
          ['Growth', '300', '25\u00A0000'],
          ['Enterprise', '1\u00A0000', '250\u00A0000'],
          ['[Bac à sable](/docs/sandbox)', '60', '1\u00A0000'],
        ],
      },
      'La fenêtre glisse\u00A0: ce qui compte, ce sont 60\u00A0secondes quelconques. Chaque réponse dit où vous en êtes, les refus aussi\u00A0:',
      {
        columns: ['En-tête', 'Dit'],
        rows: [
          ['`RateLimit-Limit`', 'Requêtes qui tiennent dans 60\u00A0secondes quelconques.'],
          ['`RateLimit-Remaining`', 'Combien il en reste après celle-ci.'],
          ['`RateLimit-Reset`', 'Secondes jusqu’à ce que la requête la plus ancienne sorte de la fenêtre.'],
        ],
      },
      'Au-delà, la réponse est 429 `rate_limited`, et `Retry-After` dit combien de temps attendre. Une requête refusée ne prend pas de place. Qui attend ce temps et est seul n’est pas refusé ensuite.',
      { heading: 'Le quota d’un mois', id: 'quota' },
      'Le mois est celui du calendrier, en UTC. `POST /contracts` et `GET /contracts/{id}` pèsent 1, `GET /usage` et `GET /status` rien. Seuls 2xx et 304 sont facturés\u00A0: jamais un refus, jamais une répétition.',
      {
        columns: ['En-tête', 'Dit'],
        rows: [
          ['`Paraph-Quota-Weight`', 'Ce que coûte l’appel quand il est facturé\u00A0: 1, ou 0 pour une répétition.'],
          ['`Paraph-Quota-Billable`', 'S’il a été facturé.'],
        ],
      },
      'Additionnez les poids de vos réponses facturées et vous avez `billableCalls` de [GET /usage](/docs/get-usage). Au-delà du quota, un compte de production est servi et `overageCalls` augmente, à moins que son propriétaire n’ait choisi d’arrêter. Le bac à sable s’arrête toujours, avec 429 `quota_exceeded`.',
      { heading: 'Tailles', id: 'sizes' },
      {
        columns: ['Quoi', 'Au plus'],
        rows: [
          ['Parties d’un contrat', '50'],
          ['`content`', '51\u00A0200 octets d’UTF-8'],
          ['`metadata`', '50\u00A0paires; clés de 40 et valeurs de 500 caractères'],
          ['Tout le corps', '524\u00A0288 octets'],
          ['Tous les en-têtes', '16\u00A0Kio'],
        ],
      },
    ],
  },
}
