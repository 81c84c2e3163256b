// Messages of the reference in English and Canadian French: frame, headings, field types. The guides are files of their own.
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'

export const referenceMessages = createDictionary({
  contents: { en: 'Contents', fr: 'Sommaire' },
  search: { en: 'Search', fr: 'Rechercher' },
  found: { en: 'Results:', fr: 'Résultats\u00A0:' },
  noneFound: { en: 'Nothing found. Try another word.', fr: 'Aucun résultat. Essayez un autre mot.' },
  onThisPage: { en: 'On this page', fr: 'Sur cette page' },
  neighbours: { en: 'Previous and next page', fr: 'Pages précédente et suivante' },
  previous: { en: 'Previous', fr: 'Précédente' },
  next: { en: 'Next', fr: 'Suivante' },
  copy: { en: 'Copy', fr: 'Copier' },
  copied: { en: 'Copied', fr: 'Copié' },
  start: { en: 'Start', fr: 'Pour commencer' },
  endpoints: { en: 'Endpoints', fr: 'Points d’accès' },
  rules: { en: 'Rules', fr: 'Règles' },
  evidence: { en: 'Evidence', fr: 'Preuve' },
  whole: { en: 'All in one', fr: 'En un seul document' },
  all: { en: 'All pages on one', fr: 'Toutes les pages en une' },
  download: { en: 'Download openapi.json', fr: 'Télécharger openapi.json' },
  notFoundTitle: { en: 'Page not found', fr: 'Page introuvable' },
  notFound: {
    en: 'The documentation has no page at this address. Choose a page in the contents, or use the search.',
    fr: 'La documentation n’a aucune page à cette adresse. Choisissez une page dans le sommaire ou faites une recherche.',
  },
  footLabel: { en: 'About this server', fr: 'À propos de ce serveur' },
  home: { en: 'Home', fr: 'Accueil' },
  help: { en: 'Help', fr: 'Aide' },
  privacy: { en: 'Privacy', fr: 'Confidentialité' },
  status: { en: 'Service status', fr: 'État du service' },
  path: { en: 'Path', fr: 'Chemin' },
  headers: { en: 'Headers', fr: 'En-têtes' },
  body: { en: 'Body', fr: 'Corps' },
  response: { en: 'Response', fr: 'Réponse' },
  responseHeaders: { en: 'Response headers', fr: 'En-têtes de la réponse' },
  errors: { en: 'Errors', fr: 'Erreurs' },
  required: { en: 'required', fr: 'obligatoire' },
  fieldsWithin: (count: number, name: string) => ({
    en: `${count} fields of ${name}`,
    fr: `${count} champs de ${name}`,
  }),
  request: { en: 'Request', fr: 'Requête' },
  fails: { en: 'When it fails', fr: 'En cas d’échec' },
  languages: (title: string) => ({ en: `Languages: ${title}`, fr: `Langages\u00A0: ${title}` }),
  scope: (scope: string) => ({ en: `Scope \`${scope}\``, fr: `Portée \`${scope}\`` }),
  noScope: { en: 'No scope needed', fr: 'Aucune portée requise' },
  costs: { en: 'counts as 1 call when it succeeds', fr: 'compte pour 1 appel en cas de succès' },
  costsNothing: { en: 'free', fr: 'gratuit' },
  statusColumn: { en: 'Status', fr: 'Statut' },
  code: { en: 'Code', fr: 'Code' },
  when: { en: 'When', fr: 'Quand' },
  todo: { en: 'What to do', fr: 'Que faire' },
  keyOfNobody: {
    en: 'No key yet? [Sign in to the console](/console/keys/new) and create a sandbox key. It takes a minute.',
    fr: 'Pas encore de clé? [Ouvrez une session dans la console](/console/keys/new) et créez une clé du bac à sable. Il suffit d’une minute.',
  },
  keyOfNone: {
    en: 'You have no active sandbox key. [Create one](/console/keys/new). It is shown only once.',
    fr: 'Vous n’avez aucune clé du bac à sable active. [Créez-en une](/console/keys/new). Elle n’est affichée qu’une fois.',
  },
  keyOfReader: (hint: string) => ({
    en: `Your key is \`${hint}\`. The whole key was shown once, when it was created. Replace the key in the command with it. If you no longer have it, [create another](/console/keys/new).`,
    fr: `Votre clé est \`${hint}\`. La clé entière a été affichée une seule fois, à sa création. Mettez-la dans la commande. Si vous ne l’avez plus, [créez-en une autre](/console/keys/new).`,
  }),
  keyOfDemo: {
    en: 'The command has the sandbox key of the demo account on this computer, so it works as it is.',
    fr: 'La commande contient la clé du bac à sable du compte de démonstration de cet ordinateur. Elle fonctionne telle quelle.',
  },
})

/** Canadian French groups digits with no-break spaces. */
const grouped = (locale: Locale) => {
  const format = new Intl.NumberFormat(locale === 'en' ? 'en-GB' : 'fr-CA')
  return (count: number) => format.format(count)
}
const [en, fr] = [grouped('en'), grouped('fr')]

export const fieldMessages = createDictionary({
  integer: { en: 'integer', fr: 'entier' },
  number: { en: 'number', fr: 'nombre' },
  boolean: { en: 'boolean', fr: 'booléen' },
  object: { en: 'object', fr: 'objet' },
  objects: { en: 'array of objects', fr: 'tableau d’objets' },
  listOfStrings: { en: 'array of strings', fr: 'tableau de chaînes' },
  strings: { en: 'strings', fr: 'chaînes' },
  integers: { en: 'integers', fr: 'entiers' },
  time: { en: 'string (ISO 8601 in UTC)', fr: 'chaîne (ISO 8601, UTC)' },
  address: { en: 'string (URI)', fr: 'chaîne (URI)' },
  mailAddress: { en: 'string (email address)', fr: 'chaîne (adresse courriel)' },
  text: (most: number | undefined) => ({
    en: most === undefined ? 'string' : `string, up to ${en(most)} characters`,
    fr: most === undefined ? 'chaîne' : `chaîne, jusqu’à ${fr(most)} caractères`,
  }),
  bytes: (most: number) => ({ en: `string, up to ${en(most)} bytes`, fr: `chaîne, jusqu’à ${fr(most)} octets` }),
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
  orNull: (what: string) => ({ en: `${what} or null`, fr: `${what} ou null` }),
})
