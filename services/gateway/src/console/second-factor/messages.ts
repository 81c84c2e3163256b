// Messages of passkeys, recovery codes and fresh proofs in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const secondFactorMessages = createDictionary({
  title: { en: 'Confirm with your passkey', fr: 'Confirmer avec votre clé d’accès' },
  lead: (mailbox: string) => ({
    en: `The code was right. To finish signing in as ${mailbox}, use your passkey: your device asks for your fingerprint, your face or your PIN.`,
    fr: `Le code est le bon. Pour terminer la connexion de ${mailbox}, utilisez votre clé d’accès\u00A0: votre appareil vous demande votre empreinte, votre visage ou votre NIP.`,
  }),
  use: { en: 'Use your passkey', fr: 'Utiliser votre clé d’accès' },
  firstTitle: { en: 'Make your passkey', fr: 'Créer votre clé d’accès' },
  firstLead: (mailbox: string) => ({
    en: `The code was right. ${mailbox} is an operator’s address: from now on, signing in needs a code and a passkey. Make the first one now, on this device or on a security key.`,
    fr: `Le code est le bon. L’adresse ${mailbox} est celle d’un exploitant\u00A0: désormais, la connexion demande un code et une clé d’accès. Créez la première maintenant, sur cet appareil ou sur une clé de sécurité.`,
  }),
  make: { en: 'Make a passkey', fr: 'Créer une clé d’accès' },
  name: { en: 'Name', fr: 'Nom' },
  nameHint: {
    en: 'So that you recognise this device in the list.',
    fr: 'Pour reconnaître cet appareil dans la liste.',
  },
  nameWrong: {
    en: 'Enter a name of at most 50 characters, without hidden characters',
    fr: 'Saisissez un nom d’au plus 50 caractères, sans caractère caché',
  },
  needsScript: {
    en: 'Passkeys need JavaScript and a browser that supports them: Chrome, Edge, Firefox or Safari, in a recent version.',
    fr: 'Les clés d’accès demandent JavaScript et un navigateur qui les prend en charge\u00A0: Chrome, Edge, Firefox ou Safari, dans une version récente.',
  },
  cancelled: {
    en: 'Your browser did not complete it. Nothing has changed; try again.',
    fr: 'Votre navigateur n’a pas terminé l’opération. Rien n’a changé; réessayez.',
  },
  refused: {
    en: 'This passkey was not accepted. The page may have been open for too long, or in two tabs. Try again',
    fr: 'Cette clé d’accès n’a pas été acceptée. La page est peut-être restée ouverte trop longtemps, ou dans deux onglets. Réessayez',
  },
  full: {
    en: 'You have 10 passkeys. Remove one that you no longer use first',
    fr: 'Vous avez 10 clés d’accès. Supprimez d’abord celle que vous n’utilisez plus',
  },
  useCode: { en: 'Use a recovery code instead', fr: 'Utiliser plutôt un code de secours' },
  code: { en: 'Recovery code', fr: 'Code de secours' },
  codeHint: {
    en: 'One of the ten that you saved, such as 7k2mq-x04td. Each works once.',
    fr: 'Un des dix codes que vous avez conservés, comme 7k2mq-x04td. Chacun sert une seule fois.',
  },
  useCodeNow: { en: 'Continue', fr: 'Continuer' },
  codeWrong: {
    en: 'This recovery code is wrong, or it was used before',
    fr: 'Ce code de secours est erroné ou a déjà servi',
  },
  codeLocked: {
    en: 'Too many wrong recovery codes were entered today. Use a passkey, or try again after midnight UTC',
    fr: 'Trop de codes de secours erronés ont été saisis aujourd’hui. Utilisez une clé d’accès ou réessayez après minuit UTC',
  },
  lost: {
    en: 'No device and no recovery code? An owner of your account can reset your passkeys; for an operator, the command line can.',
    fr: 'Ni appareil ni code de secours? Un responsable de votre compte peut réinitialiser vos clés d’accès; pour un exploitant, la ligne de commande le peut.',
  },
  signOut: { en: 'Sign in with another address', fr: 'Se connecter avec une autre adresse' },

  onceTitle: { en: 'Save your recovery codes now', fr: 'Conservez vos codes de secours maintenant' },
  onceLead: {
    en: 'If you lose your device, one of these codes takes the place of your passkey. Each works once. We cannot show them again: print them, or keep them where you keep passwords.',
    fr: 'Si vous perdez votre appareil, un de ces codes remplace votre clé d’accès. Chacun sert une seule fois. Nous ne pouvons pas les afficher de nouveau\u00A0: imprimez-les ou gardez-les avec vos mots de passe.',
  },
  codes: { en: 'Recovery codes', fr: 'Codes de secours' },
  print: { en: 'Print', fr: 'Imprimer' },
  saved: { en: 'I have saved them, continue', fr: 'Je les ai conservés, continuer' },

  proveTitle: { en: 'Confirm that it is you', fr: 'Confirmer que c’est bien vous' },
  proveLead: {
    en: 'You are about to make a change that matters. You confirmed who you are more than 10 minutes ago, so please do so again.',
    fr: 'Vous allez faire une modification importante. Votre dernière confirmation date de plus de 10 minutes, alors confirmez de nouveau qui vous êtes.',
  },
  proveByCode: (mailbox: string) => ({
    en: `We email a one-time code to ${mailbox}.`,
    fr: `Nous envoyons un code à usage unique à ${mailbox} par courriel.`,
  }),
  sendCode: { en: 'Send a code', fr: 'Envoyer un code' },
  proveByIssuer: {
    en: 'You signed in through your company’s sign-in page. Confirm there.',
    fr: 'Vous vous êtes connecté par la page de connexion de votre entreprise. Confirmez-le sur cette page.',
  },
  toIssuer: { en: 'Go to your company’s sign-in page', fr: 'Aller à la page de connexion de votre entreprise' },
  goBack: { en: 'Go back', fr: 'Retour' },
  proveFirst: {
    en: 'For these changes, first confirm that it is you.',
    fr: 'Pour ces modifications, confirmez d’abord que c’est bien vous.',
  },
  waitTitle: { en: 'Too many codes requested', fr: 'Trop de codes demandés' },

  security: { en: 'Sign-in and security', fr: 'Connexion et sécurité' },
  securityLead: {
    en: 'Your passkeys, your recovery codes, and the browsers in which you are signed in.',
    fr: 'Vos clés d’accès, vos codes de secours et les navigateurs dans lesquels vous êtes connecté.',
  },
  seeSecurity: { en: 'View sign-in and security', fr: 'Voir la connexion et la sécurité' },
  passkeys: { en: 'Passkeys', fr: 'Clés d’accès' },
  offer: {
    en: 'You sign in with a code by email alone: anyone who reads your email can sign in as you. Add a passkey, and a code is no longer enough.',
    fr: 'Vous vous connectez par un simple code reçu par courriel\u00A0: toute personne qui lit vos courriels peut se connecter à votre place. Ajoutez une clé d’accès, et un code ne suffit plus.',
  },
  passkeysLead: {
    en: 'Signing in needs a code by email and one of these passkeys. Add a second device, so that losing one does not lock you out.',
    fr: 'La connexion demande un code reçu par courriel et une de ces clés d’accès. Ajoutez un deuxième appareil, pour ne pas perdre l’accès si vous en perdez un.',
  },
  byIssuer: {
    en: 'You signed in through your company’s sign-in page, which checks who you are. Passkeys count only when you sign in with a code.',
    fr: 'Vous vous êtes connecté par la page de connexion de votre entreprise, qui vérifie qui vous êtes. Les clés d’accès ne comptent que si vous vous connectez par un code.',
  },
  add: { en: 'Add a passkey', fr: 'Ajouter une clé d’accès' },
  addTitle: { en: 'Add a passkey', fr: 'Ajouter une clé d’accès' },
  addLead: {
    en: 'A passkey stays on your device, in your password manager or on a security key. Your device asks for your fingerprint, your face or your PIN.',
    fr: 'Une clé d’accès reste sur votre appareil, dans votre gestionnaire de mots de passe ou sur une clé de sécurité. Votre appareil vous demande votre empreinte, votre visage ou votre NIP.',
  },
  added: { en: 'Added', fr: 'Ajout' },
  lastUsed: { en: 'Last used', fr: 'Dernière utilisation' },
  never: { en: 'Not yet', fr: 'Pas encore' },
  remove: { en: 'Remove', fr: 'Supprimer' },
  lastOne: {
    en: 'An operator needs a passkey. Add another one before you remove this one',
    fr: 'Un exploitant a besoin d’une clé d’accès. Ajoutez-en une autre avant de supprimer celle-ci',
  },
  codesLeft: (left: string) => ({
    en: `Unused recovery codes: ${left} of 10.`,
    fr: `Codes de secours inutilisés\u00A0: ${left} sur 10.`,
  }),
  newCodes: { en: 'Make new recovery codes', fr: 'Créer de nouveaux codes de secours' },
  newCodesLead: {
    en: 'The ten new codes are shown once. The earlier ones stop working.',
    fr: 'Les dix nouveaux codes sont affichés une seule fois. Les anciens cessent de fonctionner.',
  },
  recovered: {
    en: 'You used a recovery code. If your device is lost, add a passkey on your new device and remove the old one.',
    fr: 'Vous avez utilisé un code de secours. Si votre appareil est perdu, ajoutez une clé d’accès sur votre nouvel appareil et supprimez l’ancienne.',
  },
  passkeyAdded: { en: 'The passkey is added.', fr: 'La clé d’accès est ajoutée.' },
  passkeyRemoved: { en: 'The passkey is removed.', fr: 'La clé d’accès est supprimée.' },
  sessions: { en: 'Sessions', fr: 'Sessions' },

  hasPasskey: { en: 'Has a passkey', fr: 'A une clé d’accès' },
  lostDevice: { en: 'Somebody lost a device', fr: 'Quelqu’un a perdu un appareil' },
  lostDeviceLead: {
    en: 'If a person has neither the device nor a recovery code, reset the passkeys. First make sure that it is this person who asks you. The sessions of the person end, and the person and every owner receive an email.',
    fr: 'Si une personne n’a ni l’appareil ni un code de secours, réinitialisez ses clés d’accès. Vérifiez d’abord que c’est bien cette personne qui vous le demande. Ses sessions prennent fin, et cette personne et chaque responsable reçoivent un courriel.',
  },
  person: { en: 'Person', fr: 'Personne' },
  reset: { en: 'Reset passkeys', fr: 'Réinitialiser les clés d’accès' },
  resetDone: {
    en: 'The passkeys are reset. The person signs in with a code by email, and adds a new passkey.',
    fr: 'Les clés d’accès sont réinitialisées. La personne se connecte par un code reçu par courriel, puis ajoute une nouvelle clé d’accès.',
  },
  notYours: {
    en: 'You can reset passkeys only of a person whose accounts are all yours, and who is not an operator. Write to the operator',
    fr: 'Vous ne pouvez réinitialiser que les clés d’accès d’une personne dont tous les comptes sont les vôtres, et qui n’est pas exploitante. Écrivez à l’exploitant',
  },
})
