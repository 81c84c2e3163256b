// Messages of API access in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/locale'

export const keyMessages = createDictionary({
  title: { en: 'API access', fr: 'Accès à l’API' },
  lead: (max: number, production: number, sandbox: number) => ({
    en: `${production} of ${max} production keys, ${sandbox} of ${max} sandbox keys.`,
    fr: `${production} clé${isSingular(production, 'fr') ? '' : 's'} de production sur ${max}, ${sandbox} clé${isSingular(sandbox, 'fr') ? '' : 's'} du bac à sable sur ${max}.`,
  }),
  create: { en: 'Create a key', fr: 'Créer une clé' },
  none: {
    en: 'No keys yet. Start with a sandbox key: sandbox contracts are not binding.',
    fr: 'Aucune clé pour l’instant. Commencez par une clé du bac à sable\u00A0: ses contrats n’engagent personne.',
  },
  notYet: {
    en: 'You can create keys once a plan is active.',
    fr: 'Vous pourrez créer des clés dès qu’un forfait sera actif.',
  },
  key: { en: 'Key', fr: 'Clé' },
  environment: { en: 'Environment', fr: 'Environnement' },
  scopes: { en: 'Scopes', fr: 'Portées' },
  created: { en: 'Created', fr: 'Créée' },
  lastUsed: { en: 'Last used', fr: 'Dernière utilisation' },
  ends: { en: 'Expires', fr: 'Expiration' },
  actions: { en: 'Actions', fr: 'Actions' },
  never: { en: 'Never', fr: 'Jamais' },
  revokedAt: (at: string) => ({ en: `Revoked ${at}`, fr: `Révoquée le ${at}` }),
  endedAt: (at: string) => ({ en: `Expired ${at}`, fr: `Expirée le ${at}` }),
  endsAt: (at: string) => ({ en: `Expires ${at}`, fr: `Expire le ${at}` }),
  rotate: { en: 'Rotate', fr: 'Remplacer' },
  revoke: { en: 'Revoke', fr: 'Révoquer' },
  gone: (count: number) => ({
    en: isSingular(count, 'en') ? `${count} inactive key` : `${count} inactive keys`,
    fr: isSingular(count, 'fr') ? `${count} clé inactive` : `${count} clés inactives`,
  }),
  sendIt: { en: 'Send your key with every request', fr: 'Envoyez votre clé avec chaque requête' },

  name: { en: 'Name', fr: 'Nom' },
  nameHint: {
    en: 'The program that will use it, for example “Order system”.',
    fr: 'Le programme qui l’utilisera, par exemple «\u00A0Système de commandes\u00A0».',
  },
  nameMissing: { en: 'Enter a name for the key', fr: 'Saisissez un nom pour la clé' },
  nameWrong: {
    en: 'Enter a name of at most 100 plain characters',
    fr: 'Saisissez un nom d’au plus 100 caractères simples',
  },
  sandboxDetail: {
    en: 'For building and testing. Contracts expire after 1\u00A0hour and are not binding.',
    fr: 'Pour développer et essayer. Les contrats expirent après 1\u00A0heure et n’engagent personne.',
  },
  productionDetail: {
    en: 'Contracts are real. Calls count towards your monthly quota.',
    fr: 'Les contrats sont réels. Les appels comptent dans votre quota mensuel.',
  },
  environmentMissing: { en: 'Choose the environment', fr: 'Choisissez l’environnement' },
  proveForProduction: {
    en: 'A key for production needs a fresh proof.',
    fr: 'Une clé de production demande une nouvelle confirmation.',
  },
  noProduction: {
    en: 'Production keys need a paid plan. Choose the sandbox.',
    fr: 'Les clés de production exigent un forfait payé. Choisissez le bac à sable.',
  },
  readDetail: { en: 'Read contracts and your usage', fr: 'Lire les contrats et votre utilisation' },
  writeDetail: { en: 'Create contracts', fr: 'Créer des contrats' },
  scopesMissing: { en: 'Choose at least one scope', fr: 'Choisissez au moins une portée' },
  lifeMissing: { en: 'Choose when the key expires', fr: 'Choisissez quand la clé expire' },
  inDays: (days: number) => ({ en: `In ${days} days`, fr: `Dans ${days} jours` }),
  inAYear: { en: 'In a year', fr: 'Dans un an' },
  createNow: { en: 'Create the key', fr: 'Créer la clé' },
  full: {
    en: 'You can have 20 active keys in each environment. Revoke one first.',
    fr: 'Vous pouvez avoir 20 clés actives dans chaque environnement. Révoquez-en une d’abord.',
  },

  onceTitle: { en: 'Copy your key now', fr: 'Copiez votre clé maintenant' },
  onceLead: {
    en: 'For your security, we show it only once. If you lose it, create a new one.',
    fr: 'Pour votre sécurité, nous ne l’affichons qu’une fois. Si vous la perdez, créez-en une nouvelle.',
  },
  copyHint: {
    en: 'Or select the field and press Ctrl\u00A0C (⌘\u00A0C on a Mac). Keep it where you keep passwords, never in your code.',
    fr: 'Ou sélectionnez le champ et appuyez sur Ctrl\u00A0C (⌘\u00A0C sur un Mac). Gardez-la où vous gardez vos mots de passe, jamais dans votre code.',
  },
  tryIt: { en: 'Try it', fr: 'L’essayer' },
  tryStatus: { en: 'The response should say', fr: 'La réponse devrait dire' },
  firstContract: { en: 'Your first contract', fr: 'Votre premier contrat' },
  firstContractLead: (mailbox: string) => ({
    en: `This creates a test contract with two parties. Both get their email at ${mailbox}. It expires after 1\u00A0hour and is not binding.`,
    fr: `Cette commande crée un contrat d’essai à deux parties. Les deux reçoivent leur courriel à ${mailbox}. Il expire après 1\u00A0heure et n’engage personne.`,
  }),
  stored: { en: 'I have stored the key.', fr: 'J’ai conservé la clé en lieu sûr.' },
  toKeys: { en: 'Go to API access', fr: 'Aller à l’accès à l’API' },
  oldEnds: (at: string) => ({ en: `The old key works until ${at}.`, fr: `L’ancienne clé fonctionne jusqu’au ${at}.` }),
  alreadyTitle: { en: 'This key was already created', fr: 'Cette clé a déjà été créée' },
  alreadyLead: {
    en: 'You sent this form twice. It created one key, which we showed the first time. If you did not save it, revoke it and create another.',
    fr: 'Vous avez envoyé ce formulaire deux fois. Il a créé une seule clé, que nous avons affichée la première fois. Si vous ne l’avez pas conservée, révoquez-la et créez-en une autre.',
  },

  revokeTitle: (key: string) => ({ en: `Revoke “${key}”?`, fr: `Révoquer «\u00A0${key}\u00A0»?` }),
  revokeLead: {
    en: 'Requests with this key will fail with 401 within 5\u00A0seconds. You cannot undo this. Contracts created with it are not affected.',
    fr: 'Les requêtes avec cette clé échoueront avec 401 d’ici 5\u00A0secondes. Cette action est irréversible. Les contrats créés avec elle ne sont pas touchés.',
  },
  revokeInstead: {
    en: 'To change keys without an interruption, rotate it instead: you get a new key, and the old one works for up to 7\u00A0more days.',
    fr: 'Pour changer de clé sans interruption, remplacez-la plutôt\u00A0: vous recevez une nouvelle clé, et l’ancienne fonctionne jusqu’à 7\u00A0jours de plus.',
  },
  revokeNow: { en: 'Revoke this key', fr: 'Révoquer cette clé' },
  keepIt: { en: 'Keep it', fr: 'La garder' },
  rotateTitle: (key: string) => ({ en: `Rotate “${key}”`, fr: `Remplacer «\u00A0${key}\u00A0»` }),
  rotateLead: {
    en: 'You get a new key with the same name, environment and scopes. The old one keeps working for as long as you choose, so nothing breaks while you replace it.',
    fr: 'Vous recevez une nouvelle clé avec le même nom, le même environnement et les mêmes portées. L’ancienne fonctionne aussi longtemps que vous le choisissez, pour que rien ne casse pendant le remplacement.',
  },
  oldKey: { en: 'Old key', fr: 'Ancienne clé' },
  oldStops: { en: 'When does the old key stop working?', fr: 'Quand l’ancienne clé cesse-t-elle de fonctionner?' },
  atOnce: { en: 'Now', fr: 'Maintenant' },
  inOneDay: { en: 'In 1 day', fr: 'Dans 1 jour' },
  inSevenDays: { en: 'In 7 days', fr: 'Dans 7 jours' },
  overlapMissing: {
    en: 'Choose when the old key stops working',
    fr: 'Choisissez quand l’ancienne clé cesse de fonctionner',
  },
  rotateNow: { en: 'Create the new key', fr: 'Créer la nouvelle clé' },
})
