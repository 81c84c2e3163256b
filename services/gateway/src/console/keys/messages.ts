// Messages of API access in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const keyMessages = createDictionary({
  title: { en: 'API access', fr: 'Accès à l’API' },
  lead: (account: string, used: number, max: number) => ({
    en: `Keys of ${account}. ${used} of ${max} in use in each environment at most.`,
    fr: `Clés de ${account}. ${used} sur ${max} en usage, au plus, dans chaque environnement.`,
  }),
  create: { en: 'Create a key', fr: 'Créer une clé' },
  none: {
    en: 'There is no key yet. Create one for the sandbox first: nothing binds there.',
    fr: 'Il n’y a pas encore de clé. Créez-en d’abord une pour le bac à sable\u00A0: rien n’y engage.',
  },
  notYet: {
    en: 'Keys can be created once a plan is active.',
    fr: 'Les clés peuvent être créées dès qu’un forfait est actif.',
  },
  key: { en: 'Key', fr: 'Clé' },
  environment: { en: 'Environment', fr: 'Environnement' },
  scopes: { en: 'Scopes', fr: 'Portées' },
  created: { en: 'Created', fr: 'Créée' },
  lastUsed: { en: 'Last used', fr: 'Dernier usage' },
  ends: { en: 'Ends', fr: 'Fin' },
  actions: { en: 'Actions', fr: 'Actions' },
  never: { en: 'Never', fr: 'Jamais' },
  revokedAt: (at: string) => ({ en: `Revoked ${at}`, fr: `Révoquée le ${at}` }),
  endedAt: (at: string) => ({ en: `Ended ${at}`, fr: `Terminée le ${at}` }),
  endsAt: (at: string) => ({ en: `Ends ${at}`, fr: `Fin le ${at}` }),
  rotate: { en: 'Rotate', fr: 'Renouveler' },
  revoke: { en: 'Revoke', fr: 'Révoquer' },
  gone: (count: number) => ({
    en: count === 1 ? '1 key that works no more' : `${count} keys that work no more`,
    fr: count === 1 ? '1 clé qui ne fonctionne plus' : `${count} clés qui ne fonctionnent plus`,
  }),
  sendIt: { en: 'Send the key in every request', fr: 'Envoyer la clé dans chaque requête' },

  name: { en: 'Name', fr: 'Nom' },
  nameHint: {
    en: 'The program that will use it, for example “Order system”.',
    fr: 'Le programme qui l’utilisera, par exemple «\u00A0Système de commandes\u00A0».',
  },
  nameMissing: { en: 'Enter a name for the key', fr: 'Entrez un nom pour la clé' },
  nameWrong: {
    en: 'The name must have at most 100 plain characters',
    fr: 'Le nom doit compter au plus 100 caractères simples',
  },
  sandboxDetail: {
    en: 'For building and testing. Contracts end after 1\u00A0hour and bind nobody.',
    fr: 'Pour construire et essayer. Les contrats prennent fin après 1\u00A0heure et n’engagent personne.',
  },
  productionDetail: {
    en: 'Contracts are real. Uses your monthly quota.',
    fr: 'Les contrats sont réels. Utilise votre quota mensuel.',
  },
  environmentMissing: { en: 'Choose the environment', fr: 'Choisissez l’environnement' },
  noProduction: {
    en: 'Production keys need a paid plan. Choose the sandbox.',
    fr: 'Les clés de production exigent un forfait payé. Choisissez le bac à sable.',
  },
  readDetail: { en: 'Read a contract and your usage', fr: 'Lire un contrat et votre usage' },
  writeDetail: { en: 'Create contracts', fr: 'Créer des contrats' },
  scopesMissing: { en: 'Choose at least one scope', fr: 'Choisissez au moins une portée' },
  lifeMissing: { en: 'Choose when the key ends', fr: 'Choisissez quand la clé prend fin' },
  inDays: (days: number) => ({ en: `In ${days} days`, fr: `Dans ${days} jours` }),
  inAYear: { en: 'In a year', fr: 'Dans un an' },
  createNow: { en: 'Create the key', fr: 'Créer la clé' },
  full: {
    en: 'There are 20 active keys in this environment, which is the most. Revoke one first.',
    fr: 'Il y a 20 clés actives dans cet environnement, ce qui est le maximum. Révoquez-en une d’abord.',
  },

  onceTitle: { en: 'Copy your key now', fr: 'Copiez votre clé maintenant' },
  onceLead: {
    en: 'For your security it is shown only this once. If you lose it, make a new one.',
    fr: 'Pour votre sécurité, elle n’est montrée que cette fois. Si vous la perdez, faites-en une nouvelle.',
  },
  copy: { en: 'Copy', fr: 'Copier' },
  copied: { en: 'Copied', fr: 'Copiée' },
  copyHint: {
    en: 'Or select the field and press Ctrl\u00A0C (⌘\u00A0C on a Mac). Keep it where you keep passwords, never in your code.',
    fr: 'Ou sélectionnez le champ et appuyez sur Ctrl\u00A0C (⌘\u00A0C sur un Mac). Gardez-la où vous gardez vos mots de passe, jamais dans votre code.',
  },
  tryIt: { en: 'Try it', fr: 'L’essayer' },
  tryStatus: { en: 'The answer should say', fr: 'La réponse devrait dire' },
  firstContract: { en: 'Your first contract', fr: 'Votre premier contrat' },
  firstContractLead: (mailbox: string) => ({
    en: `This asks ${mailbox} and a second party to sign a test contract. It binds nobody and ends after 1\u00A0hour.`,
    fr: `Ceci demande à ${mailbox} et à une deuxième partie de signer un contrat d’essai. Il n’engage personne et prend fin après 1\u00A0heure.`,
  }),
  stored: { en: 'I have stored the key.', fr: 'J’ai rangé la clé.' },
  toKeys: { en: 'Go to API access', fr: 'Aller à l’accès à l’API' },
  oldEnds: (at: string) => ({ en: `The old key works until ${at}.`, fr: `L’ancienne clé fonctionne jusqu’au ${at}.` }),
  alreadyTitle: { en: 'The key is created already', fr: 'La clé est déjà créée' },
  alreadyLead: {
    en: 'This form has made its key, and it was shown then. If you did not save it, revoke it and create another.',
    fr: 'Ce formulaire a fait sa clé, et elle a été montrée alors. Si vous ne l’avez pas gardée, révoquez-la et créez-en une autre.',
  },

  revokeTitle: (key: string) => ({ en: `Revoke “${key}”?`, fr: `Révoquer «\u00A0${key}\u00A0»?` }),
  revokeLead: {
    en: 'Within 5\u00A0seconds every request with this key is answered 401. This cannot be undone. Contracts that were created with it go on as they are.',
    fr: 'En moins de 5\u00A0secondes, toute requête avec cette clé reçoit 401. C’est irréversible. Les contrats créés avec elle continuent comme ils sont.',
  },
  revokeInstead: {
    en: 'To change keys without a break, rotate it instead: you get a new key, and the old one works for up to 7\u00A0more days.',
    fr: 'Pour changer de clé sans interruption, renouvelez-la plutôt\u00A0: vous recevez une nouvelle clé et l’ancienne fonctionne jusqu’à 7\u00A0jours de plus.',
  },
  revokeNow: { en: 'Revoke this key', fr: 'Révoquer cette clé' },
  keepIt: { en: 'Keep it', fr: 'La garder' },
  rotateTitle: (key: string) => ({ en: `Rotate “${key}”`, fr: `Renouveler «\u00A0${key}\u00A0»` }),
  rotateLead: {
    en: 'You get a new key with the same name, environment and scopes. The old one goes on working for as long as you choose, so that nothing breaks while you replace it.',
    fr: 'Vous recevez une nouvelle clé de mêmes nom, environnement et portées. L’ancienne fonctionne aussi longtemps que vous le choisissez, afin que rien ne casse pendant le remplacement.',
  },
  oldKey: { en: 'Old key', fr: 'Ancienne clé' },
  oldStops: { en: 'The old key stops', fr: 'L’ancienne clé s’arrête' },
  atOnce: { en: 'At once', fr: 'Tout de suite' },
  inOneDay: { en: 'In 1 day', fr: 'Dans 1 jour' },
  inSevenDays: { en: 'In 7 days', fr: 'Dans 7 jours' },
  overlapMissing: { en: 'Choose when the old key stops', fr: 'Choisissez quand l’ancienne clé s’arrête' },
  rotateNow: { en: 'Create the new key', fr: 'Créer la nouvelle clé' },
})
