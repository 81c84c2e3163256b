// Messages of sign-in, sign-out and account choice in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const signInMessages = createDictionary({
  title: { en: 'Sign in to the console', fr: 'Se connecter à la console' },
  lead: {
    en: 'We e-mail you a one-time code. There is no password.',
    fr: 'Nous vous envoyons un code à usage unique par courriel. Il n’y a pas de mot de passe.',
  },
  email: { en: 'Your e-mail address', fr: 'Votre adresse de courriel' },
  emailHint: { en: 'The one that you use at work.', fr: 'Celle que vous utilisez au travail.' },
  noAccount: {
    en: 'No account yet? Use any work address: after the code you can apply for access.',
    fr: 'Pas encore de compte? Utilisez n’importe quelle adresse professionnelle\u00A0: après le code, vous pourrez demander l’accès.',
  },
  sent: (address: string) => ({
    en: `We have sent a one-time code to ${address}.`,
    fr: `Nous avons envoyé un code à usage unique à ${address}.`,
  }),
  sentBefore: (address: string) => ({
    en: `Each code we sent to ${address} works for 10\u00A0minutes, on the page where it was asked for.`,
    fr: `Chaque code envoyé à ${address} est valable 10\u00A0minutes, sur la page où il a été demandé.`,
  }),
  resent: {
    en: 'A new code is on its way. It can take a few minutes. Use the newest one.',
    fr: 'Un nouveau code est en route. Cela peut prendre quelques minutes. Utilisez le plus récent.',
  },
  deadDetail: {
    en: 'You are not locked out. Ask for a new code.',
    fr: 'Votre accès n’est pas bloqué. Demandez un nouveau code.',
  },
  usedUp: (time: string) => ({
    en: `No more codes can be sent now. Try again after ${time}.`,
    fr: `Aucun autre code ne peut être envoyé maintenant. Réessayez après ${time}.`,
  }),
  waitTitle: { en: 'Too many codes were asked for', fr: 'Trop de codes ont été demandés' },
  waitLead: (time: string) => ({
    en: `Too many codes were asked for from your network. Try again after ${time}.`,
    fr: `Trop de codes ont été demandés depuis votre réseau. Réessayez après ${time}.`,
  }),
  signOutTitle: { en: 'Sign out?', fr: 'Se déconnecter?' },
  signOutLead: {
    en: 'This browser forgets the session. To end sessions in other browsers, open “Your sessions”.',
    fr: 'Ce navigateur oublie la session. Pour mettre fin à des sessions dans d’autres navigateurs, ouvrez «\u00A0Vos sessions\u00A0».',
  },
  sessions: { en: 'Your sessions', fr: 'Vos sessions' },
  signOut: { en: 'Sign out', fr: 'Se déconnecter' },
  stay: { en: 'Stay', fr: 'Rester' },
  accountsTitle: { en: 'Which account?', fr: 'Quel compte?' },
  accountsLead: (mailbox: string) => ({
    en: `${mailbox} owns these, or was asked to.`,
    fr: `${mailbox} gère ces comptes, ou y a été invité.`,
  }),
  open: (name: string) => ({ en: `Open ${name}`, fr: `Ouvrir ${name}` }),
  invitedBy: (who: string) => ({ en: `${who} asks you to own it, too.`, fr: `${who} vous propose de le gérer aussi.` }),
  accept: { en: 'Say yes', fr: 'Accepter' },
  decline: { en: 'Say no', fr: 'Refuser' },
  another: { en: 'Apply for another account', fr: 'Demander un autre compte' },
  notFoundTitle: { en: 'There is no such page', fr: 'Cette page n’existe pas' },
  notFoundLead: {
    en: 'Check the address, or begin again at the start of the console.',
    fr: 'Vérifiez l’adresse, ou recommencez au début de la console.',
  },
  toStart: { en: 'Go to the start', fr: 'Aller au début' },
  formTitle: { en: 'Nothing was changed', fr: 'Rien n’a été modifié' },
  formLead: {
    en: 'The form was open for too long, another account was opened meanwhile, or it did not come from a page of this session. Open the page again and repeat what you did.',
    fr: 'Le formulaire est resté ouvert trop longtemps, un autre compte a été ouvert entre-temps, ou il ne venait pas d’une page de cette session. Ouvrez de nouveau la page et recommencez.',
  },
  tooLongTitle: { en: 'The form is too long', fr: 'Le formulaire est trop long' },
  tooLongLead: {
    en: 'Nothing was changed. Go back in your browser, shorten what you wrote and send it again.',
    fr: 'Rien n’a été modifié. Revenez en arrière dans votre navigateur, raccourcissez votre texte et renvoyez-le.',
  },
  troubleTitle: { en: 'This did not work', fr: 'Cela n’a pas fonctionné' },
  troubleLead: {
    en: 'Something is not available at the moment. Try again in a minute; look first whether what you did has happened.',
    fr: 'Quelque chose n’est pas disponible pour le moment. Réessayez dans une minute; regardez d’abord si ce que vous avez fait a eu lieu.',
  },
  reference: (id: string) => ({
    en: `Reference for the operator: ${id}`,
    fr: `Référence pour l’exploitant\u00A0: ${id}`,
  }),
})
