// The words around the reference, English and Canadian French: its frame, headings, types of fields. Does not own the guides.
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'

export const words = createDictionary<{
  contents: string
  skip: string
  start: string
  endpoints: string
  rules: string
  evidence: string
  download: string
  footNote: (version: string) => string
  footLabel: string
  home: string
  help: string
  privacy: string
  status: string
  path: string
  headers: string
  body: string
  answer: string
  answerHeaders: string
  errors: string
  required: string
  request: string
  fails: string
  languages: (title: string) => string
  scope: (scope: string) => string
  noScope: string
  costs: string
  costsNothing: string
  statusColumn: string
  code: string
  when: string
  todo: string
  keyOfNobody: string
  keyOfNone: string
  keyOfReader: (hint: string) => string
}>({
  contents: { en: 'Contents', fr: 'Sommaire' },
  skip: { en: 'Skip to the page', fr: 'Aller à la page' },
  start: { en: 'Start', fr: 'Pour commencer' },
  endpoints: { en: 'Endpoints', fr: 'Points d’accès' },
  rules: { en: 'Rules', fr: 'Règles' },
  evidence: { en: 'Evidence', fr: 'Preuve' },
  download: { en: 'Download openapi.json', fr: 'Télécharger openapi.json' },
  footNote: { en: (version) => `Paraph ${version}`, fr: (version) => `Paraph ${version}` },
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
  languages: { en: (title) => `Languages: ${title}`, fr: (title) => `Langages\u00A0: ${title}` },
  scope: { en: (scope) => `Scope \`${scope}\``, fr: (scope) => `Portée \`${scope}\`` },
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
  keyOfReader: {
    en: (hint) =>
      `Yours is \`${hint}\`. The whole of it was shown once, when it was made: put it in place of what stands here. If it was not kept, [create another](/console/keys/new).`,
    fr: (hint) =>
      `La vôtre est \`${hint}\`. Elle a été montrée en entier une seule fois, à sa création\u00A0: mettez-la à la place de ce qui figure ici. Si elle n’a pas été gardée, [créez-en une autre](/console/keys/new).`,
  },
})

/** Canadian French groups digits by a no-break space. */
const grouped = (locale: Locale) => {
  const format = new Intl.NumberFormat(locale === 'en' ? 'en-GB' : 'fr-CA')
  return (count: number) => format.format(count)
}
const [en, fr] = [grouped('en'), grouped('fr')]

export const fieldWords = createDictionary<{
  integer: string
  number: string
  boolean: string
  object: string
  objects: string
  listOfStrings: string
  strings: string
  integers: string
  time: string
  address: string
  mailAddress: string
  text: (lengthMax: number | undefined) => string
  pairs: (of: string, max: number | undefined) => string
  between: (what: string, least: number, most: number) => string
  atMost: (what: string, most: number | undefined) => string
  orNull: (what: string) => string
}>({
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
  text: {
    en: (most) => (most === undefined ? 'string' : `string, up to ${en(most)} characters`),
    fr: (most) => (most === undefined ? 'chaîne' : `chaîne, jusqu’à ${fr(most)} caractères`),
  },
  pairs: {
    en: (of, most) => (most === undefined ? `object of ${of}` : `object of ${of}, up to ${en(most)} pairs`),
    fr: (of, most) => (most === undefined ? `objet de ${of}` : `objet de ${of}, jusqu’à ${fr(most)} paires`),
  },
  between: {
    en: (what, least, most) => `${what}, ${en(least)} to ${en(most)}`,
    fr: (what, least, most) => `${what}, de ${fr(least)} à ${fr(most)}`,
  },
  atMost: {
    en: (what, most) => (most === undefined ? what : `${what}, up to ${en(most)}`),
    fr: (what, most) => (most === undefined ? what : `${what}, jusqu’à ${fr(most)}`),
  },
  orNull: { en: (what) => `${what}, or null`, fr: (what) => `${what}, ou null` },
})
