import type { Guide } from '../guide.js'

export const FIRST_CONTRACT: Guide = {
  en: {
    name: 'Your first contract',
    title: 'Your first contract',
    lead: 'You send the parties and a plain text. Each party gets an e-mail with the one shared link, confirms their mailbox with a one-time code, reads the whole contract and signs. You ask how far it is.',
    blocks: [
      'Three steps with a sandbox key and curl. Contracts of the sandbox end after 1 hour and bind nobody.',
      {
        steps: [
          [
            'Put your test key in place, and ask whether it is good. The answer says `operational`.',
            { readersKey: true },
            { sample: 'first-key', title: 'Check the key' },
          ],
          [
            'Create a contract with two parties. Each of them gets an e-mail: put in addresses whose mail you can read.',
            { sample: 'first-contract', title: 'Create a contract' },
          ],
          [
            'Sign as one of them: follow the link in the e-mail. Then ask how far it is. It says `partially_signed`, 50 per cent.',
            { sample: 'first-look', title: 'Ask how far it is' },
          ],
        ],
      },
      { heading: 'What next', id: 'next' },
      {
        items: [
          '[POST /contracts](/docs/create-contract): every field, in curl, Node and Python.',
          '[Polling](/docs/polling): hear of a signature when it happens, and pay little for it.',
          '[Idempotency](/docs/idempotency): repeat a request without making a second contract.',
          '[Errors](/docs/errors): every code, and what to do.',
        ],
      },
      'The whole interface is also one OpenAPI 3.1 document: [openapi.json](/openapi.json).',
    ],
  },
  fr: {
    name: 'Votre premier contrat',
    title: 'Votre premier contrat',
    lead: 'Vous envoyez les parties et un texte brut. Chaque partie reçoit un courriel avec le même lien de partage, confirme sa boîte par un code à usage unique, lit tout le contrat et signe. Vous demandez où il en est.',
    blocks: [
      'Trois étapes avec une clé du bac à sable et curl. Les contrats du bac à sable prennent fin après 1\u00A0heure et n’engagent personne.',
      {
        steps: [
          [
            'Mettez votre clé d’essai en place, et demandez si elle est bonne. La réponse dit `operational`.',
            { readersKey: true },
            { sample: 'first-key', title: 'Vérifier la clé' },
          ],
          [
            'Créez un contrat à deux parties. Chacune reçoit un courriel\u00A0: mettez des adresses dont vous pouvez lire le courrier.',
            { sample: 'first-contract', title: 'Créer un contrat' },
          ],
          [
            'Signez comme l’une d’elles\u00A0: suivez le lien du courriel. Demandez ensuite où il en est. La réponse dit `partially_signed`, 50\u00A0pour cent.',
            { sample: 'first-look', title: 'Demander où il en est' },
          ],
        ],
      },
      { heading: 'Et ensuite', id: 'next' },
      {
        items: [
          '[POST /contracts](/docs/create-contract)\u00A0: chaque champ, en curl, Node et Python.',
          '[Interrogation](/docs/polling)\u00A0: apprendre une signature au moment où elle se fait, à peu de frais.',
          '[Idempotence](/docs/idempotency)\u00A0: répéter une requête sans créer un second contrat.',
          '[Erreurs](/docs/errors)\u00A0: chaque code, et que faire.',
        ],
      },
      'Toute l’interface est aussi un document OpenAPI 3.1\u00A0: [openapi.json](/openapi.json).',
    ],
  },
}
