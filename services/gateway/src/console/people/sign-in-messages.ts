// Messages of sign-in, sign-out and account choice in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const signInMessages = createDictionary({
  title: { en: 'Sign in to the console', fr: 'Se connecter à la console' },
  lead: {
    en: 'We email you a one-time code. There is no password.',
    fr: 'Nous vous envoyons un code à usage unique par courriel. Il n’y a pas de mot de passe.',
  },
  email: { en: 'Your email address', fr: 'Votre adresse courriel' },
  emailHint: { en: 'The one you use at work.', fr: 'Celle que vous utilisez au travail.' },
  noAccount: {
    en: 'No account yet? Sign in with any work address, then apply for access.',
    fr: 'Pas encore de compte? Connectez-vous avec une adresse professionnelle, puis demandez l’accès.',
  },
  sent: (address: string) => ({
    en: `We have sent a one-time code to ${address}.`,
    fr: `Nous avons envoyé un code à usage unique à ${address}.`,
  }),
  sentBefore: (address: string) => ({
    en: `A code sent to ${address} is valid for 10\u00A0minutes. Enter it on the page where you asked for it.`,
    fr: `Un code envoyé à ${address} est valable 10\u00A0minutes. Saisissez-le sur la page où vous l’avez demandé.`,
  }),
  resent: {
    en: 'We are sending a new code. It can take a few minutes. Use the newest one.',
    fr: 'Nous envoyons un nouveau code. Cela peut prendre quelques minutes. Utilisez le plus récent.',
  },
  deadDetail: {
    en: 'You are not locked out. Ask for a new code.',
    fr: 'Votre accès n’est pas bloqué. Demandez un nouveau code.',
  },
  usedUp: (time: string) => ({
    en: `We cannot send more codes now. Try again after ${time}.`,
    fr: `Nous ne pouvons plus envoyer de code pour le moment. Réessayez après ${time}.`,
  }),
  waitTitle: { en: 'Too many codes requested', fr: 'Trop de codes demandés' },
  waitLead: (time: string) => ({
    en: `Too many codes have been requested from your network. Try again after ${time}.`,
    fr: `Trop de codes ont été demandés depuis votre réseau. Réessayez après ${time}.`,
  }),
  signOutTitle: { en: 'Sign out?', fr: 'Se déconnecter?' },
  signOutLead: {
    en: 'This ends the session in this browser. To end sessions in other browsers, open “Your sessions”.',
    fr: 'La session prend fin dans ce navigateur. Pour mettre fin à des sessions dans d’autres navigateurs, ouvrez «\u00A0Vos sessions\u00A0».',
  },
  sessions: { en: 'Your sessions', fr: 'Vos sessions' },
  signOut: { en: 'Sign out', fr: 'Se déconnecter' },
  stay: { en: 'Stay signed in', fr: 'Rester connecté' },
  accountsTitle: { en: 'Which account?', fr: 'Quel compte?' },
  accountsLead: (mailbox: string) => ({ en: `Accounts for ${mailbox}`, fr: `Comptes de ${mailbox}` }),
  open: (name: string) => ({ en: `Open ${name}`, fr: `Ouvrir ${name}` }),
  invitedBy: (who: string) => ({ en: `${who} invited you to this account.`, fr: `${who} vous invite dans ce compte.` }),
  accept: { en: 'Accept', fr: 'Accepter' },
  decline: { en: 'Decline', fr: 'Refuser' },
  another: { en: 'Apply for another account', fr: 'Demander un autre compte' },
  notFoundTitle: { en: 'Page not found', fr: 'Page introuvable' },
  notFoundLead: {
    en: 'Check the address, or go to the start of the console.',
    fr: 'Vérifiez l’adresse, ou allez au début de la console.',
  },
  toStart: { en: 'Go to the start', fr: 'Aller au début' },
  formTitle: { en: 'Nothing was changed', fr: 'Rien n’a été modifié' },
  formLead: {
    en: 'The form was open for too long, you opened another account in the meantime, or the form did not come from this session. Open the page and try again.',
    fr: 'Le formulaire est resté ouvert trop longtemps, vous avez ouvert un autre compte entre-temps, ou le formulaire ne venait pas de cette session. Ouvrez la page et réessayez.',
  },
  roleTitle: { en: 'Not part of your role', fr: 'Hors de votre rôle' },
  roleLead: {
    en: 'Your role in this account does not include this page. Ask an owner of the account.',
    fr: 'Votre rôle dans ce compte ne comprend pas cette page. Adressez-vous à un responsable du compte.',
  },
  uncheckedTitle: {
    en: 'We cannot check your company account',
    fr: 'Nous ne pouvons pas vérifier votre compte d’entreprise',
  },
  uncheckedLead: {
    en: 'It does not reply, so we cannot tell whether you are still an operator. You stay signed in. Try again in a minute.',
    fr: 'Il ne répond pas; nous ne pouvons donc pas savoir si vous êtes toujours un exploitant. Vous restez connecté. Réessayez dans une minute.',
  },
  tooLongTitle: { en: 'The form is too long', fr: 'Le formulaire est trop long' },
  tooLongLead: {
    en: 'Nothing was changed. Go back in your browser, shorten your text and send it again.',
    fr: 'Rien n’a été modifié. Revenez en arrière dans votre navigateur, raccourcissez votre texte et renvoyez-le.',
  },
  tooLargeTitle: { en: 'The file is too large', fr: 'Le fichier est trop volumineux' },
  tooLargeLead: {
    en: 'Nothing was changed. Go back in your browser and choose a file of at most 100 KB.',
    fr: 'Rien n’a été modifié. Revenez en arrière dans votre navigateur et choisissez un fichier d’au plus 100\u00A0ko.',
  },
  troubleTitle: { en: 'This did not work', fr: 'Cela n’a pas fonctionné' },
  troubleLead: {
    en: 'Something is temporarily unavailable. Try again in a minute, but check first whether your change was saved.',
    fr: 'Un service est temporairement indisponible. Réessayez dans une minute, mais vérifiez d’abord si votre modification a été enregistrée.',
  },
  requestId: { en: 'Request ID', fr: 'Numéro de requête' },
  reference: (id: string) => ({
    en: `Request ID, for the operator: ${id}`,
    fr: `Numéro de requête, pour l’exploitant\u00A0: ${id}`,
  }),
})
