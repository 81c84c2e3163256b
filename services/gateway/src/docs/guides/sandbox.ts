import type { Guide } from '../guide.js'

export const SANDBOX: Guide = {
  en: {
    name: 'Sandbox',
    title: 'Sandbox',
    lead: 'Everything is real but the contract: the same endpoints, the same e-mails, the same pages, the same errors.',
    blocks: [
      {
        columns: ['What', 'Production', 'Sandbox'],
        rows: [
          ['Key', '`paraph_live_`', '`paraph_test_`'],
          ['A contract lives', '14 days', '1 hour'],
          ['Does it bind', 'Yes', 'No: mails begin with `[TEST]`, pages carry a yellow bar'],
          ['Requests per minute', 'Those of your tier', '60'],
          ['Calls per month', 'Those of your tier', '1,000'],
          ['Over the quota', 'Served, unless you chose to stop there', 'Refused with `quota_exceeded`'],
        ],
      },
      'E-mails of the sandbox are sent too. Use addresses whose mail you can read; nobody else should get a test contract.',
      'What you build with a test key works with a live one: change the key, nothing else.',
    ],
  },
  fr: {
    name: 'Bac à sable',
    title: 'Bac à sable',
    lead: 'Tout est réel sauf le contrat\u00A0: les mêmes points d’accès, les mêmes courriels, les mêmes pages, les mêmes erreurs.',
    blocks: [
      {
        columns: ['Quoi', 'Production', 'Bac à sable'],
        rows: [
          ['Clé', '`paraph_live_`', '`paraph_test_`'],
          ['Vie d’un contrat', '14\u00A0jours', '1\u00A0heure'],
          ['Engage-t-il', 'Oui', 'Non\u00A0: les courriels commencent par `[TEST]`, les pages portent une bande jaune'],
          ['Requêtes par minute', 'Celles de votre palier', '60'],
          ['Appels par mois', 'Ceux de votre palier', '1\u00A0000'],
          ['Au-delà du quota', 'Servis, à moins que vous n’ayez choisi d’arrêter', 'Refusés par `quota_exceeded`'],
        ],
      },
      'Les courriels du bac à sable sont envoyés aussi. Employez des adresses dont vous pouvez lire le courrier; personne d’autre ne devrait recevoir un contrat d’essai.',
      'Ce que vous construisez avec une clé d’essai fonctionne avec une clé de production\u00A0: changez la clé, rien d’autre.',
    ],
  },
}
