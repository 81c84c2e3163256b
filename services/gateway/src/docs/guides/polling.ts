import type { Guide } from '../guide.js'

export const POLLING: Guide = {
  en: {
    name: 'Polling',
    title: 'Polling',
    lead: 'There are no webhooks. You ask for the contract until its status is final, and the answer can wait for news.',
    blocks: [
      {
        items: [
          'Keep the `ETag` of the last answer and send it as `If-None-Match`. While nothing has changed you get 304 without a body. It is billed like a 200, so the next step saves calls.',
          'Add `Prefer: wait=30`. The answer then waits until the contract changes, until it expires, or for 30 seconds, the most. `Preference-Applied: wait=30` says that it waited.',
          'Without `Preference-Applied` the answer came at once: half of your window is waiting already, or the service is stopping. Pause a second before you ask again.',
          'A key that is revoked, or an account that is suspended, ends the wait at once with 401 or 403.',
          'Stop when `status` is `signed`, `expired` or `cancelled`.',
        ],
      },
      { heading: 'Wait until it is final', id: 'wait' },
      'The contract’s id is in `CONTRACT_ID`, your key in `PARAPH_KEY`. A signature is seen at once, and a quiet hour costs some 120 calls.',
      { sample: 'wait', title: 'Wait until it is final' },
      'A waiting call takes one place of the window and weighs 1, however long it waits.',
    ],
  },
  fr: {
    name: 'Interrogation',
    title: 'Interrogation',
    lead: 'Il n’y a pas de rappels automatiques (webhooks). Vous demandez le contrat jusqu’à ce que son statut soit définitif, et la réponse peut attendre du nouveau.',
    blocks: [
      {
        items: [
          'Gardez l’`ETag` de la dernière réponse et envoyez-le comme `If-None-Match`. Tant que rien n’a changé, vous recevez 304 sans corps. Il est facturé comme un 200\u00A0: c’est l’étape suivante qui épargne des appels.',
          'Ajoutez `Prefer: wait=30`. La réponse attend alors que le contrat change, qu’il expire, ou 30\u00A0secondes au plus. `Preference-Applied: wait=30` dit qu’elle a attendu.',
          'Sans `Preference-Applied`, la réponse est venue aussitôt\u00A0: la moitié de votre fenêtre attend déjà, ou le service s’arrête. Faites une pause d’une seconde avant de redemander.',
          'Une clé révoquée, ou un compte suspendu, met fin aussitôt à l’attente par 401 ou 403.',
          'Cessez quand `status` est `signed`, `expired` ou `cancelled`.',
        ],
      },
      { heading: 'Attendre qu’il soit définitif', id: 'wait' },
      'L’identifiant du contrat est dans `CONTRACT_ID`, votre clé dans `PARAPH_KEY`. Une signature est vue aussitôt, et une heure tranquille coûte environ 120\u00A0appels.',
      { sample: 'wait', title: 'Attendre qu’il soit définitif' },
      'Un appel qui attend prend une place de la fenêtre et pèse 1, si longtemps qu’il attende.',
    ],
  },
}
