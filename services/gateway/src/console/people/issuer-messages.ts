// Messages of the sign-in at an OpenID Connect provider in English and Canadian French. [D73]
import { createDictionary } from '@paraph/web/dictionary'

export const issuerMessages = createDictionary({
  leadBoth: {
    en: 'Use your company account, or a one-time code that we email you.',
    fr: 'Utilisez votre compte d’entreprise, ou un code à usage unique que nous vous envoyons par courriel.',
  },
  lead: { en: 'Use your company account.', fr: 'Utilisez votre compte d’entreprise.' },
  owners: { en: 'Sign in with your company account', fr: 'Se connecter avec votre compte d’entreprise' },
  operators: {
    en: 'Operators: sign in with a company account',
    fr: 'Exploitants\u00A0: se connecter avec un compte d’entreprise',
  },
  expired: {
    en: 'The sign-in took too long, or began in another browser. Start again.',
    fr: 'La connexion a pris trop de temps ou a commencé dans un autre navigateur. Recommencez.',
  },
  refused: {
    en: 'We could not verify the reply of your company account. Start again. If it happens again, tell the operator.',
    fr: 'Nous n’avons pas pu vérifier la réponse de votre compte d’entreprise. Recommencez. Si cela se reproduit, avisez l’exploitant.',
  },
  cancelled: {
    en: 'You did not finish the sign-in with your company account.',
    fr: 'Vous n’avez pas terminé la connexion avec votre compte d’entreprise.',
  },
  unverified: {
    en: 'Your company account has no verified email address. Ask the people who manage it.',
    fr: 'Votre compte d’entreprise n’a pas d’adresse courriel vérifiée. Adressez-vous aux personnes qui le gèrent.',
  },
  not_a_member: {
    en: 'Your company account is not in the operators’ group.',
    fr: 'Votre compte d’entreprise ne fait pas partie du groupe des exploitants.',
  },
  unavailable: {
    en: 'Sign-in with a company account is not available at the moment. Try again in a minute.',
    fr: 'La connexion avec un compte d’entreprise n’est pas disponible pour le moment. Réessayez dans une minute.',
  },
  other_person: {
    en: 'This company account has another email address than the one that you are signed in with. Nothing was changed.',
    fr: 'Ce compte d’entreprise a une autre adresse courriel que celle de votre session. Rien n’a été modifié.',
  },
  old_proof: {
    en: 'Your company account did not ask you to sign in again, so this is no new proof. Nothing was changed.',
    fr: 'Votre compte d’entreprise ne vous a pas demandé de vous reconnecter; ce n’est donc pas une nouvelle preuve. Rien n’a été modifié.',
  },
  leaveTitle: { en: 'You are signed out', fr: 'Vous êtes déconnecté' },
  leaveLead: {
    en: 'The sign-out of your company account opens now.',
    fr: 'La déconnexion de votre compte d’entreprise s’ouvre maintenant.',
  },
  leave: { en: 'Continue', fr: 'Continuer' },
})
