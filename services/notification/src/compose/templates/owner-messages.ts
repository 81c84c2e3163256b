// The sentences of the mails to owners.
import { createDictionary } from '@paraph/web/dictionary'

/** Braces mark external names, and `{at}` an instant. No sentence ends with a name, because company names may end in a full stop. */
export const ownerMessages = createDictionary({
  approvedSubject: { en: 'Your application is approved', fr: 'Votre demande est approuvée' },
  approved: {
    en: '{account} is approved. The console shows you the next step towards your first API key.',
    fr: 'Le compte {account} est approuvé. La console vous indique la prochaine étape vers votre première clé d’API.',
  },
  refusedSubject: { en: 'About your application', fr: 'Au sujet de votre demande' },
  refused: {
    en: 'We couldn’t approve the application of {account}, for this reason:',
    fr: 'Nous n’avons pas pu approuver la demande de {account} pour la raison suivante\u00A0:',
  },
  /** For the second language: the first part already contains the reason, in the operator's language. */
  refusedAbove: {
    en: 'We couldn’t approve the application of {account}, for the reason given above.',
    fr: 'Nous n’avons pas pu approuver la demande de {account} pour la raison donnée ci-dessus.',
  },
  refusedAgain: {
    en: 'You can change your answers and apply again.',
    fr: 'Vous pouvez modifier vos réponses et présenter une nouvelle demande.',
  },
  brandSubject: { en: 'Your brand is approved', fr: 'Votre image de marque est approuvée' },
  brandApproved: {
    en: 'The brand of {account} is on its signing pages and emails now, and on the certificates of contracts that are completed from now on.',
    fr: 'L’image de marque de {account} figure maintenant sur ses pages de signature et dans ses courriels, ainsi que sur les certificats des contrats conclus à partir de maintenant.',
  },
  brandRefusedSubject: { en: 'Your brand isn’t shown', fr: 'Votre image de marque n’est pas affichée' },
  brandRefused: {
    en: 'The operator doesn’t show the brand of {account}, for this reason:',
    fr: 'L’exploitant n’affiche pas l’image de marque de {account} pour la raison suivante\u00A0:',
  },
  brandRefusedAbove: {
    en: 'The operator doesn’t show the brand of {account}, for the reason given above.',
    fr: 'L’exploitant n’affiche pas l’image de marque de {account} pour la raison donnée ci-dessus.',
  },
  brandAgain: {
    en: 'You can change it in the console and send it again.',
    fr: 'Vous pouvez la modifier dans la console et l’envoyer de nouveau.',
  },
  createdSubject: { en: 'A key was created', fr: 'Une clé a été créée' },
  created: {
    en: '{by} created the key “{key}” ({hint}) in the {account} account.',
    fr: 'Dans le compte {account}, {by} a créé la clé «\u00A0{key}\u00A0» ({hint}).',
  },
  createdByOperator: {
    en: 'The operator created the key “{key}” ({hint}) in the {account} account.',
    fr: 'Dans le compte {account}, l’exploitant a créé la clé «\u00A0{key}\u00A0» ({hint}).',
  },
  revokedSubject: { en: 'A key was revoked', fr: 'Une clé a été révoquée' },
  revoked: {
    en: '{by} revoked the key “{key}” ({hint}) in the {account} account. It no longer works.',
    fr: 'Dans le compte {account}, {by} a révoqué la clé «\u00A0{key}\u00A0» ({hint}). Elle ne fonctionne plus.',
  },
  revokedByOperator: {
    en: 'The operator revoked the key “{key}” ({hint}) in the {account} account. It no longer works.',
    fr: 'Dans le compte {account}, l’exploitant a révoqué la clé «\u00A0{key}\u00A0» ({hint}). Elle ne fonctionne plus.',
  },
  notYou: {
    en: 'Not you or a colleague? Sign in, revoke every key that you don’t recognise, and contact the operator.',
    fr: 'Ce n’était ni vous ni un collègue? Connectez-vous, révoquez toute clé que vous ne reconnaissez pas et communiquez avec l’exploitant.',
  },
  notExpected: {
    en: 'Not expecting this? Contact the operator.',
    fr: 'Vous ne vous y attendiez pas? Communiquez avec l’exploitant.',
  },
  invitedSubject: { en: 'You have been invited to an account', fr: 'On vous invite dans un compte' },
  invited: {
    en: '{by} invited you to the {account} account. Sign in with this address to accept or decline.',
    fr: 'Dans le compte {account}, {by} vous propose un rôle. Connectez-vous avec cette adresse pour accepter ou refuser.',
  },
  invitedNothing: {
    en: 'Don’t know this person? You can ignore this, or report it. Nothing changes until you accept.',
    fr: 'Vous ne connaissez pas cette personne? Vous pouvez ignorer ce message ou le signaler. Rien ne change tant que vous n’acceptez pas.',
  },
  lockedSubject: {
    en: 'Wrong codes were entered for your sign-in',
    fr: 'Des codes erronés ont été saisis pour votre connexion',
  },
  locked: {
    en: 'Someone entered 20 wrong codes today to sign in to the console with your email address. None of them worked. Until midnight UTC your codes have 12 digits. You can still sign in as usual.',
    fr: 'Quelqu’un a saisi 20 codes erronés aujourd’hui pour se connecter à la console avec votre adresse courriel. Aucun n’a fonctionné. Jusqu’à minuit UTC, vos codes comptent 12 chiffres. Vous pouvez vous connecter comme d’habitude.',
  },
  lockedAdvice: {
    en: 'If it was you, you don’t need to do anything. If not, never pass a code on, and contact the operator if this happens again.',
    fr: 'Si c’était vous, vous n’avez rien à faire. Sinon, ne transmettez jamais un code, et communiquez avec l’exploitant si cela se reproduit.',
  },
  browserSubject: { en: 'Sign-in from a new browser', fr: 'Connexion depuis un nouveau navigateur' },
  browser: {
    en: 'Someone signed in to the console with your email address, from a browser you hadn’t used there before. The browser is on the network {network} and used the code that we sent you.',
    fr: 'Quelqu’un s’est connecté à la console avec votre adresse courriel, depuis un navigateur que vous n’y aviez pas encore utilisé. Ce navigateur est dans le réseau {network} et a utilisé le code que nous vous avons envoyé.',
  },
  browserAdvice: {
    en: 'If it was you, you don’t need to do anything. If not, someone can read your email: sign in, choose “Sign out everywhere”, revoke every key that you don’t recognise, and contact the operator.',
    fr: 'Si c’était vous, vous n’avez rien à faire. Sinon, quelqu’un peut lire vos courriels\u00A0: connectez-vous, choisissez «\u00A0Se déconnecter partout\u00A0», révoquez toute clé que vous ne reconnaissez pas et communiquez avec l’exploitant.',
  },
  ownerBrowserSubject: {
    en: 'An owner signed in from a new browser',
    fr: 'Un responsable utilise un nouveau navigateur',
  },
  ownerBrowser: {
    en: 'In the {account} account, {owner} signed in to the console from a browser not used there before. The browser is on the network {network} now.',
    fr: 'Dans le compte {account}, {owner} s’est connecté à la console depuis un navigateur qui n’y avait pas encore servi. Ce navigateur est dans le réseau {network} en ce moment.',
  },
  ownerBrowserAdvice: {
    en: 'If it surprises you, ask this person. If it was someone else, remove the person from the account, revoke every key that you don’t recognise, and contact the operator.',
    fr: 'Si cela vous surprend, demandez à cette personne. Si c’était quelqu’un d’autre, retirez-lui l’accès au compte, révoquez toute clé que vous ne reconnaissez pas et communiquez avec l’exploitant.',
  },
  passkeyAddedSubject: {
    en: 'A passkey was added to your sign-in',
    fr: 'Une clé d’accès a été ajoutée à votre connexion',
  },
  passkeyAdded: {
    en: 'Someone who was signed in to the console with your email address added a passkey. From now on, signing in needs a code from your email and a passkey.',
    fr: 'Quelqu’un qui était connecté à la console avec votre adresse courriel a ajouté une clé d’accès. Désormais, la connexion demande un code reçu par courriel et une clé d’accès.',
  },
  passkeyRemovedSubject: {
    en: 'A passkey was removed from your sign-in',
    fr: 'Une clé d’accès a été retirée de votre connexion',
  },
  passkeyRemoved: {
    en: 'Someone who was signed in to the console with your email address removed a passkey.',
    fr: 'Quelqu’un qui était connecté à la console avec votre adresse courriel a retiré une clé d’accès.',
  },
  codesReplacedSubject: { en: 'Your recovery codes were replaced', fr: 'Vos codes de secours ont été remplacés' },
  codesReplaced: {
    en: 'Someone who was signed in to the console with your email address made new recovery codes. The earlier ones no longer work.',
    fr: 'Quelqu’un qui était connecté à la console avec votre adresse courriel a créé de nouveaux codes de secours. Les anciens ne fonctionnent plus.',
  },
  codeUsedSubject: { en: 'A recovery code was used', fr: 'Un code de secours a été utilisé' },
  codeUsed: {
    en: 'Someone used one of your recovery codes in the console, after a code that we sent to your email address. This recovery code no longer works.',
    fr: 'Quelqu’un a utilisé un de vos codes de secours dans la console, après un code que nous avons envoyé à votre adresse courriel. Ce code de secours ne fonctionne plus.',
  },
  codesLockedSubject: { en: 'Wrong recovery codes were entered', fr: 'Des codes de secours erronés ont été saisis' },
  codesLocked: {
    en: 'Someone entered 10 wrong recovery codes today, after a code that we sent to your email address. None of them worked. Until midnight UTC no recovery code is accepted. Your passkeys work as usual.',
    fr: 'Quelqu’un a saisi 10 codes de secours erronés aujourd’hui, après un code que nous avons envoyé à votre adresse courriel. Aucun n’a fonctionné. Jusqu’à minuit UTC, aucun code de secours n’est accepté. Vos clés d’accès fonctionnent comme d’habitude.',
  },
  signInAdvice: {
    en: 'If it was you, you don’t need to do anything. If not, someone can read your email: sign in, choose “Sign out everywhere”, remove every passkey that you don’t recognise, and contact the operator.',
    fr: 'Si c’était vous, vous n’avez rien à faire. Sinon, quelqu’un peut lire vos courriels\u00A0: connectez-vous, choisissez «\u00A0Se déconnecter partout\u00A0», supprimez toute clé d’accès que vous ne reconnaissez pas et communiquez avec l’exploitant.',
  },
  passkeysResetSubject: { en: 'Passkeys were reset', fr: 'Des clés d’accès ont été réinitialisées' },
  passkeysReset: {
    en: '{by} removed the passkeys and recovery codes of {owner} after a lost device. The sessions of this person have ended. The next sign-in needs only a code by email.',
    fr: '{by} a retiré les clés d’accès et les codes de secours de {owner} après la perte d’un appareil. Les sessions de cette personne ont pris fin. La prochaine connexion ne demande qu’un code reçu par courriel.',
  },
  passkeysResetByOperator: {
    en: 'The operator removed the passkeys and recovery codes of {owner} after a lost device. The sessions of this person have ended. The next sign-in needs only a code by email.',
    fr: 'L’exploitant a retiré les clés d’accès et les codes de secours de {owner} après la perte d’un appareil. Les sessions de cette personne ont pris fin. La prochaine connexion ne demande qu’un code reçu par courriel.',
  },
  passkeysResetAdvice: {
    en: 'If no device was lost, sign in and contact the operator. The person should add a passkey at the next sign-in.',
    fr: 'Si aucun appareil n’a été perdu, connectez-vous et communiquez avec l’exploitant. La personne devrait ajouter une clé d’accès à sa prochaine connexion.',
  },
  ownersSubject: { en: 'Access to your account changed', fr: 'Les accès à votre compte ont changé' },
  ownersInvitedSubject: {
    en: 'Someone was invited to your account',
    fr: 'Une personne a été invitée dans votre compte',
  },
  ownersInvited: {
    en: '{by} invited {owner} to the {account} account.',
    fr: 'Dans le compte {account}, {by} a invité {owner} à se joindre à vous.',
  },
  ownersJoined: {
    en: '{owner} accepted the invitation to the {account} account.',
    fr: 'Dans le compte {account}, {owner} a accepté l’invitation.',
  },
  ownersDeclined: {
    en: '{owner} declined the invitation to the {account} account. Nothing else has changed.',
    fr: 'Dans le compte {account}, {owner} a décliné l’invitation. Rien d’autre n’a changé.',
  },
  ownersDeclinedSubject: { en: 'An invitation was declined', fr: 'Une invitation a été déclinée' },
  ownersRemoved: {
    en: '{by} removed {owner} from the {account} account.',
    fr: 'Dans le compte {account}, {by} a retiré à {owner} tout accès.',
  },
  ownersLeft: {
    en: '{owner} has left the {account} account.',
    fr: 'Dans le compte {account}, {owner} a renoncé à son accès.',
  },
  ownersRoleChanged: {
    en: '{by} gave {owner} another role in the {account} account.',
    fr: 'Dans le compte {account}, {by} a donné à {owner} un autre rôle.',
  },
  roleOwner: { en: 'The role is owner: full access.', fr: 'Le rôle est responsable\u00A0: un accès complet.' },
  roleDeveloper: {
    en: 'The role is developer: keys, request log, webhooks and the sandbox.',
    fr: 'Le rôle est développeur\u00A0: les clés, le journal des requêtes, les webhooks et le bac à sable.',
  },
  roleViewer: {
    en: 'The role is viewer: contracts and usage, without changes or downloads.',
    fr: 'Le rôle est lecteur\u00A0: les contrats et l’utilisation, sans modification ni téléchargement.',
  },
  replySubject: { en: 'The reply-to address changed', fr: 'L’adresse de réponse a changé' },
  replySet: {
    en: '{by} changed the reply-to address of the {account} account. In new contracts, replies from parties go to {address} only.',
    fr: 'Dans le compte {account}, {by} a changé l’adresse de réponse. Pour les nouveaux contrats, les réponses des parties vont à {address} seulement.',
  },
  replyRemoved: {
    en: '{by} removed the reply-to address of the {account} account. Emails of new contracts have no reply-to address.',
    fr: 'Dans le compte {account}, {by} a supprimé l’adresse de réponse. Les courriels des nouveaux contrats n’ont pas d’adresse de réponse.',
  },
  exportedSubject: { en: 'Your account data was exported', fr: 'Les données de votre compte ont été exportées' },
  exported: {
    en: '{by} downloaded all data of the {account} account, including the text of every contract.',
    fr: 'Dans le compte {account}, {by} a téléchargé toutes les données, y compris le texte de chaque contrat.',
  },
  erasureSubject: { en: 'A contract will be erased', fr: 'Un contrat sera effacé' },
  erasure: {
    en: '{by} asked to erase contract {number} in the {account} account. Its text, names and addresses will be erased after {at}.',
    fr: 'Dans le compte {account}, {by} a demandé d’effacer le contrat {number}. Son texte, ses noms et ses adresses seront effacés après le {at}.',
  },
  erasureKeep: {
    en: 'To keep it, open the contract in the console before then and choose “Keep this contract”.',
    fr: 'Pour le conserver, ouvrez le contrat dans la console avant ce moment et choisissez «\u00A0Garder ce contrat\u00A0».',
  },
  webhookSubject: { en: 'A webhook endpoint was disabled', fr: 'Un point de réception de webhooks a été désactivé' },
  webhook: {
    en: 'An endpoint of the {account} account has failed for 5 days. It hears of nothing any more.',
    fr: 'Un point de réception du compte {account} est en échec depuis 5 jours. Il ne reçoit plus rien.',
  },
  webhookAdvice: {
    en: 'Sign in, look at its last answers under “Webhooks”, and enable it again when it works. Your contracts are not affected.',
    fr: 'Connectez-vous, consultez ses dernières réponses sous « Webhooks » et réactivez-le quand il fonctionne. Vos contrats ne sont pas touchés.',
  },
  refusedInvitationSubject: { en: 'An invitation was refused', fr: 'Une invitation a été refusée' },
  refusedInvitation: {
    en: 'In the {account} account, a mail server refused the invitation of a party of contract {number}. The party cannot sign without it.',
    fr: 'Dans le compte {account}, un serveur de courriel a refusé l’invitation d’une partie du contrat {number}. Sans elle, la partie ne peut pas signer.',
  },
  refusedInvitationAdvice: {
    en: 'The page of the contract shows which address it was. Check it with the party.',
    fr: 'La page du contrat montre de quelle adresse il s’agit. Vérifiez-la avec la partie.',
  },
  refusedInvitationsSubject: { en: 'Invitations were refused', fr: 'Des invitations ont été refusées' },
  refusedInvitations: {
    en: 'In the {account} account, mail servers refused {count} more invitations within an hour. The parties cannot sign without them.',
    fr: 'Dans le compte {account}, des serveurs de courriel ont refusé {count} autres invitations en une heure. Sans elles, les parties ne peuvent pas signer.',
  },
  refusedInvitationsAdvice: {
    en: 'If you wrote to an old list of addresses, check it before you create further contracts.',
    fr: 'Si vous avez écrit à une ancienne liste d’adresses, vérifiez-la avant de créer d’autres contrats.',
  },
  declinedSubject: { en: 'A party declined to sign', fr: 'Une partie a refusé de signer' },
  declined: {
    en: 'In the {account} account, a party of contract {number} declined to sign it.',
    fr: 'Dans le compte {account}, une partie du contrat {number} a refusé de le signer.',
  },
  declinedAdvice: {
    en: 'The page of the contract shows who, and why. The party can still sign until the contract ends.',
    fr: 'La page du contrat montre qui, et pourquoi. La partie peut encore signer jusqu’à la fin du contrat.',
  },
  completedSubject: { en: 'Everyone has signed', fr: 'Tout le monde a signé' },
  completed: {
    en: 'In the {account} account, everyone has signed contract {number}. Its page has the signed PDF.',
    fr: 'Dans le compte {account}, tout le monde a signé le contrat {number}. Sa page contient le PDF signé.',
  },
  summarySubject: { en: 'Your contracts since the last summary', fr: 'Vos contrats depuis le dernier résumé' },
  summary: {
    en: 'In the {account} account, signed by everyone: {completed}; expired before everyone had signed: {expired}.',
    fr: 'Dans le compte {account}, signés par tout le monde\u00A0: {completed}; expirés avant que tout le monde ait signé\u00A0: {expired}.',
  },
  whichMails: {
    en: 'The page of your account says which of these emails you get.',
    fr: 'La page de votre compte indique lesquels de ces courriels vous recevez.',
  },
  notKnown: {
    en: 'Didn’t know about this? Sign in, look at the owners and the activity of the account, and contact the operator.',
    fr: 'Vous n’étiez pas au courant? Connectez-vous, consultez les responsables et l’activité du compte, et communiquez avec l’exploitant.',
  },
  open: { en: 'Open the console', fr: 'Ouvrir la console' },
})
