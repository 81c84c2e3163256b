import type { Guide } from '../guide.js'

export const STATUSES: Guide = {
  en: {
    name: 'Statuses',
    title: 'Statuses',
    lead: 'A contract has one of five statuses. The last three are final: nothing follows them.',
    blocks: [
      {
        columns: ['Status', 'Means', 'Next'],
        rows: [
          ['`pending_signature`', 'Created; e-mails go to every party. Nobody has signed.', 'Any below'],
          ['`partially_signed`', 'At least one party has signed, not all.', 'Any below'],
          ['`signed`', 'Every party has signed. Each gets the sealed PDF.', 'Final'],
          ['`expired`', 'Not everyone signed in 14 days (1 hour in the sandbox).', 'Final'],
          ['`cancelled`', 'Cancelled before everyone had signed.', 'Final'],
        ],
      },
      '`signingProgress` counts the same in numbers, and `hasSigned` says it of each party. From `expiresAt` on nothing can be signed.',
    ],
  },
  fr: {
    name: 'Statuts',
    title: 'Statuts',
    lead: 'Un contrat a l’un de cinq statuts. Les trois derniers sont définitifs\u00A0: rien ne les suit.',
    blocks: [
      {
        columns: ['Statut', 'Signifie', 'Ensuite'],
        rows: [
          ['`pending_signature`', 'Créé; un courriel part à chaque partie. Personne n’a signé.', 'Tous ceux d’après'],
          ['`partially_signed`', 'Au moins une partie a signé, pas toutes.', 'Tous ceux d’après'],
          ['`signed`', 'Toutes les parties ont signé. Chacune reçoit le PDF scellé.', 'Définitif'],
          ['`expired`', 'Tous n’ont pas signé en 14\u00A0jours (1\u00A0heure dans le bac à sable).', 'Définitif'],
          ['`cancelled`', 'Annulé avant que tous aient signé.', 'Définitif'],
        ],
      },
      '`signingProgress` dit la même chose en nombres, et `hasSigned` le dit de chaque partie. À partir de `expiresAt`, rien ne peut être signé.',
    ],
  },
}
