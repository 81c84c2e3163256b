import type { Guide } from '../guide.js'

export const CHANGES: Guide = {
  en: {
    name: 'Changes',
    title: 'What may change',
    lead: 'The version is part of the path. Nothing is taken away within version 2.',
    blocks: [
      {
        items: [
          'Answers may get new fields, headers and error codes: ignore what you do not know.',
          'Fields of a request that the interface does not know are ignored.',
          'A sentence in `error` may be reworded; a `code` keeps its meaning.',
        ],
      },
      { heading: 'From version 1', id: 'version-1' },
      'Version 1 was removed: every path under `/api/external/v1` answers 404 with the code `version_removed`.',
      {
        columns: ['Version 1', 'Version 2'],
        rows: [
          ['`recipientEmail`, `recipientName`', '`parties`: an array of `role`, `legalName`, `email`'],
          ['`businessName`', '`senderName`'],
          ['`content` as an object with a title', '`content` as a plain text string'],
          ['`autoSign`', 'Removed; every party signs'],
          ['`GET /contracts`', 'Removed; use `GET /contracts/{id}`'],
          ['`GET /contracts/{id}/pdf`', 'Removed; every party keeps the sealed PDF'],
          ['Begins as `draft`', 'Begins as `pending_signature`'],
        ],
      },
    ],
  },
  fr: {
    name: 'Changements',
    title: 'Ce qui peut changer',
    lead: 'La version fait partie du chemin. Rien n’est retiré dans la version 2.',
    blocks: [
      {
        items: [
          'Les réponses peuvent recevoir de nouveaux champs, en-têtes et codes d’erreur\u00A0: ignorez ce que vous ne connaissez pas.',
          'Les champs d’une requête que l’interface ne connaît pas sont ignorés.',
          'Une phrase de `error` peut être reformulée; un `code` garde son sens.',
        ],
      },
      { heading: 'Depuis la version 1', id: 'version-1' },
      'La version 1 a été retirée\u00A0: tout chemin sous `/api/external/v1` répond 404 avec le code `version_removed`.',
      {
        columns: ['Version 1', 'Version 2'],
        rows: [
          ['`recipientEmail`, `recipientName`', '`parties`\u00A0: un tableau de `role`, `legalName`, `email`'],
          ['`businessName`', '`senderName`'],
          ['`content`, un objet avec un titre', '`content`, une chaîne de texte brut'],
          ['`autoSign`', 'Retiré; chaque partie signe'],
          ['`GET /contracts`', 'Retiré; employez `GET /contracts/{id}`'],
          ['`GET /contracts/{id}/pdf`', 'Retiré; chaque partie garde le PDF scellé'],
          ['Commence par `draft`', 'Commence par `pending_signature`'],
        ],
      },
    ],
  },
}
