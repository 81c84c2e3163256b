// Messages of the reference in English and Canadian French: frame, headings, field types. The guides are files of their own.
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'

export const referenceMessages = createDictionary({
  contents: { en: 'Contents', fr: 'Sommaire' },
  skip: { en: 'Skip to the page', fr: 'Aller à la page' },
  start: { en: 'Start', fr: 'Pour commencer' },
  endpoints: { en: 'Endpoints', fr: 'Points d’accès' },
  rules: { en: 'Rules', fr: 'Règles' },
  evidence: { en: 'Evidence', fr: 'Preuve' },
  download: { en: 'Download openapi.json', fr: 'Télécharger openapi.json' },
  footLabel: { en: 'About this server', fr: 'À propos de ce serveur' },
  home: { en: 'Home', fr: 'Accueil' },
  help: { en: 'Help', fr: 'Aide' },
  privacy: { en: 'Privacy', fr: 'Confidentialité' },
  status: { en: 'Service status', fr: 'État du service' },
  path: { en: 'Path', fr: 'Chemin' },
  headers: { en: 'Headers', fr: 'En-têtes' },
  body: { en: 'Body', fr: 'Corps' },
  answer: { en: 'Answer', fr: 'Réponse' },
  answerHeaders: { en: 'Headers of the answer', fr: 'En-têtes de la réponse' },
  errors: { en: 'Errors', fr: 'Erreurs' },
  required: { en: 'required', fr: 'obligatoire' },
  request: { en: 'Request', fr: 'Requête' },
  fails: { en: 'When it fails', fr: 'En cas d’échec' },
  languages: (title: string) => ({ en: `Languages: ${title}`, fr: `Langages\u00A0: ${title}` }),
  scope: (scope: string) => ({ en: `Scope \`${scope}\``, fr: `Portée \`${scope}\`` }),
  noScope: { en: 'No scope is needed', fr: 'Aucune portée requise' },
  costs: { en: 'counts as 1 call when it succeeds', fr: 'compte pour 1 appel si elle réussit' },
  costsNothing: { en: 'costs nothing of the quota', fr: 'ne coûte rien du quota' },
  statusColumn: { en: 'Status', fr: 'Statut' },
  code: { en: 'Code', fr: 'Code' },
  when: { en: 'When', fr: 'Quand' },
  todo: { en: 'What to do', fr: 'Que faire' },
  keyOfNobody: {
    en: 'No key yet? [Sign in to the console](/console/keys/new): a test key is made there in a minute.',
    fr: 'Pas encore de clé? [Ouvrez une session dans la console](/console/keys/new)\u00A0: une clé d’essai s’y crée en une minute.',
  },
  keyOfNone: {
    en: 'You have no test key that works. [Create one](/console/keys/new); it is shown once.',
    fr: 'Vous n’avez aucune clé d’essai qui marche. [Créez-en une](/console/keys/new)\u00A0: elle est montrée une seule fois.',
  },
  keyOfReader: (hint: string) => ({
    en: `Yours is \`${hint}\`. The whole of it was shown once, when it was made: put it in place of what stands here. If it was not kept, [create another](/console/keys/new).`,
    fr: `La vôtre est \`${hint}\`. Elle a été montrée en entier une seule fois, à sa création\u00A0: mettez-la à la place de ce qui figure ici. Si elle n’a pas été gardée, [créez-en une autre](/console/keys/new).`,
  }),
})

/** Canadian French groups digits with no-break spaces. */
const grouped = (locale: Locale) => {
  const format = new Intl.NumberFormat(locale === 'en' ? 'en-GB' : 'fr-CA')
  return (count: number) => format.format(count)
}
const [en, fr] = [grouped('en'), grouped('fr')]

export const fieldMessages = createDictionary({
  integer: { en: 'whole number', fr: 'nombre entier' },
  number: { en: 'number', fr: 'nombre' },
  boolean: { en: 'true or false', fr: 'vrai ou faux' },
  object: { en: 'object', fr: 'objet' },
  objects: { en: 'array of objects', fr: 'tableau d’objets' },
  listOfStrings: { en: 'array of strings', fr: 'tableau de chaînes' },
  strings: { en: 'strings', fr: 'chaînes' },
  integers: { en: 'whole numbers', fr: 'nombres entiers' },
  time: { en: 'time, ISO 8601 in UTC', fr: 'instant, ISO 8601 en UTC' },
  address: { en: 'web address', fr: 'adresse Web' },
  mailAddress: { en: 'e-mail address', fr: 'adresse de courriel' },
  text: (most: number | undefined) => ({
    en: most === undefined ? 'string' : `string, up to ${en(most)} characters`,
    fr: most === undefined ? 'chaîne' : `chaîne, jusqu’à ${fr(most)} caractères`,
  }),
  pairs: (of: string, most: number | undefined) => ({
    en: most === undefined ? `object of ${of}` : `object of ${of}, up to ${en(most)} pairs`,
    fr: most === undefined ? `objet de ${of}` : `objet de ${of}, jusqu’à ${fr(most)} paires`,
  }),
  between: (what: string, least: number, most: number) => ({
    en: `${what}, ${en(least)} to ${en(most)}`,
    fr: `${what}, de ${fr(least)} à ${fr(most)}`,
  }),
  atMost: (what: string, most: number | undefined) => ({
    en: most === undefined ? what : `${what}, up to ${en(most)}`,
    fr: most === undefined ? what : `${what}, jusqu’à ${fr(most)}`,
  }),
  orNull: (what: string) => ({ en: `${what}, or null`, fr: `${what}, ou null` }),
})
