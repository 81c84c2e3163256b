import type { Guide } from '../guide.js'

export const KEYS: Guide = {
  en: {
    name: 'Keys and environments',
    title: 'Keys and environments',
    lead: 'Every request carries a key in the header `x-api-key`. The key decides whose contracts they are, in which environment, and what may be asked.',
    blocks: [
      { heading: 'Two environments', id: 'environments' },
      {
        columns: ['Environment', 'Key begins with', 'What it makes'],
        rows: [
          ['Production', '`paraph_live_`', 'Contracts that bind. They count against the quota of your tier.'],
          [
            'Sandbox',
            '`paraph_test_`',
            '[Test contracts](/docs/sandbox) that end after 1 hour, with limits of their own.',
          ],
        ],
      },
      'The two never meet: to a key of one environment the contracts of the other read like ones that never were.',
      { heading: 'Scopes', id: 'scopes' },
      {
        columns: ['Scope', 'Allows'],
        rows: [
          ['`contracts:read`', '`GET /contracts/{id}` and `GET /usage`'],
          ['`contracts:write`', '`POST /contracts`'],
        ],
      },
      '`GET /status` needs no scope. A key has both scopes unless it was made with fewer.',
      { heading: 'Keeping a key', id: 'keeping' },
      {
        items: [
          'A key is shown once, when it is made. What is lost is replaced by a new one.',
          'Keep it on your servers, out of browsers, apps and logs.',
          'To change it without a gap, rotate it: old and new work side by side for up to 7 days.',
          'A revoked key is refused everywhere within 5 seconds.',
        ],
      },
    ],
  },
  fr: {
    name: 'Clés et environnements',
    title: 'Clés et environnements',
    lead: 'Chaque requête porte une clé dans l’en-tête `x-api-key`. La clé décide à qui sont les contrats, dans quel environnement, et ce qui peut être demandé.',
    blocks: [
      { heading: 'Deux environnements', id: 'environments' },
      {
        columns: ['Environnement', 'La clé commence par', 'Ce qu’elle crée'],
        rows: [
          ['Production', '`paraph_live_`', 'Des contrats qui engagent. Ils comptent dans le quota de votre palier.'],
          [
            'Bac à sable',
            '`paraph_test_`',
            'Des [contrats d’essai](/docs/sandbox) qui prennent fin après 1\u00A0heure, avec leurs propres limites.',
          ],
        ],
      },
      'Les deux ne se rencontrent jamais\u00A0: pour une clé de l’un, les contrats de l’autre sont comme s’ils n’avaient jamais été.',
      { heading: 'Portées', id: 'scopes' },
      {
        columns: ['Portée', 'Permet'],
        rows: [
          ['`contracts:read`', '`GET /contracts/{id}` et `GET /usage`'],
          ['`contracts:write`', '`POST /contracts`'],
        ],
      },
      '`GET /status` ne demande aucune portée. Une clé a les deux portées, à moins d’avoir été créée avec moins.',
      { heading: 'Garder une clé', id: 'keeping' },
      {
        items: [
          'Une clé est montrée une seule fois, à sa création. Une clé perdue est remplacée par une nouvelle.',
          'Gardez-la sur vos serveurs, hors des navigateurs, des applications et des journaux.',
          'Pour en changer sans interruption, faites une rotation\u00A0: l’ancienne et la nouvelle valent ensemble jusqu’à 7\u00A0jours.',
          'Une clé révoquée est refusée partout en moins de 5\u00A0secondes.',
        ],
      },
    ],
  },
}
