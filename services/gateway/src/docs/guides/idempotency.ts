import type { Guide } from '../guide.js'

export const IDEMPOTENCY: Guide = {
  en: {
    name: 'Idempotency',
    title: 'Idempotency',
    lead: 'Give every POST a name of its own in `Idempotency-Key`, and you can repeat it without fear of a second contract.',
    blocks: [
      {
        items: [
          'Within 24 hours the same key with the same body, byte for byte, gives the same contract, however often you ask.',
          'The repetition is answered 201 with `Idempotency-Replayed: true`. It costs nothing, also past a used-up quota.',
          'The same key with another body is refused: 422 `idempotency_key_reused`. Another order of fields is another body: keep the bytes that you sent.',
          'While the first request is still running, the second is told to wait: 409 `idempotency_in_progress` with `Retry-After`.',
          'A request that was refused leaves the key free.',
        ],
      },
      'An order number or a UUID is a good key: 1 to 255 printable ASCII characters without a comma.',
      { heading: 'Retry without fear', id: 'retry' },
      'Repeat on a broken connection, 408, 409, 429 and 503, and once on 500. Wait as long as `Retry-After` says; if the next answer is the same, double the wait, up to a minute, with a little chance in it.',
      { sample: 'retry', title: 'Create, and repeat until it is answered' },
      'Without an Idempotency-Key a POST whose answer you never saw may have made a contract, and its parties may have got their e-mails.',
    ],
  },
  fr: {
    name: 'Idempotence',
    title: 'Idempotence',
    lead: 'Donnez à chaque POST son propre nom dans `Idempotency-Key`, et vous pouvez le répéter sans craindre un second contrat.',
    blocks: [
      {
        items: [
          'Dans les 24\u00A0heures, la même clé avec le même corps, octet pour octet, donne le même contrat, autant de fois que vous le demandez.',
          'La répétition est répondue 201 avec `Idempotency-Replayed: true`. Elle ne coûte rien, même au-delà d’un quota épuisé.',
          'La même clé avec un autre corps est refusée\u00A0: 422 `idempotency_key_reused`. Un autre ordre des champs est un autre corps\u00A0: gardez les octets que vous avez envoyés.',
          'Tant que la première requête est en cours, la seconde doit attendre\u00A0: 409 `idempotency_in_progress` avec `Retry-After`.',
          'Une requête refusée laisse la clé libre.',
        ],
      },
      'Un numéro de commande ou un UUID est une bonne clé\u00A0: de 1 à 255 caractères ASCII imprimables sans virgule.',
      { heading: 'Réessayer sans crainte', id: 'retry' },
      'Répétez après une connexion rompue, 408, 409, 429 et 503, et une fois après 500. Attendez le temps que dit `Retry-After`; si la réponse suivante est la même, doublez l’attente, jusqu’à une minute, avec un peu de hasard.',
      { sample: 'retry', title: 'Créer, et répéter jusqu’à une réponse' },
      'Sans Idempotency-Key, un POST dont vous n’avez jamais vu la réponse a peut-être créé un contrat, et ses parties ont peut-être reçu leurs courriels.',
    ],
  },
}
