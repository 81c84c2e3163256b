import type { Guide } from '../guide.js'

export const ERRORS: Guide = {
  en: {
    name: 'Errors',
    title: 'Errors',
    lead: 'Every error has the same body: `error`, `code` and `requestId`; with `invalid_request` also `issues`.',
    blocks: [
      {
        items: [
          '`code` is for your program: decide by it. Codes do not change their meaning. New ones may come: treat one that you do not know by its status.',
          '`error` is for a person: what happened and what to do. It may be reworded.',
          '`requestId` names the call in the operator’s logs. Write it into yours.',
          '`issues` names each broken rule with its place, such as `parties[1].email`.',
        ],
      },
      'Nothing that you sent comes back in an error, so a body can be logged without fear.',
      { heading: 'Every code', id: 'codes' },
      { everyError: true },
      'The order of the checks is path, version, key, window, method, account, scope, quota, body: the first that fails answers.',
    ],
  },
  fr: {
    name: 'Erreurs',
    title: 'Erreurs',
    lead: 'Toute erreur a le même corps\u00A0: `error`, `code` et `requestId`; avec `invalid_request`, aussi `issues`.',
    blocks: [
      {
        items: [
          '`code` est pour votre programme\u00A0: décidez d’après lui. Les codes ne changent pas de sens. De nouveaux peuvent venir\u00A0: traitez d’après son statut celui que vous ne connaissez pas.',
          '`error` est pour une personne\u00A0: ce qui s’est passé et que faire. Sa formulation peut changer.',
          '`requestId` nomme l’appel dans les journaux de l’exploitant. Notez-le dans les vôtres.',
          '`issues` nomme chaque règle enfreinte et l’endroit, par exemple `parties[1].email`.',
        ],
      },
      'Rien de ce que vous avez envoyé ne revient dans une erreur\u00A0: un corps peut être journalisé sans crainte.',
      { heading: 'Chaque code', id: 'codes' },
      { everyError: true },
      'L’ordre des vérifications est chemin, version, clé, fenêtre, méthode, compte, portée, quota, corps\u00A0: la première qui échoue répond.',
    ],
  },
}
