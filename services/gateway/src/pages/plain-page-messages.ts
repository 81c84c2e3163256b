// Status and messages of the gateway's error pages in English and Canadian French.
import type { Translated } from '@paraph/web/dictionary'

const SIGNING_UNAVAILABLE = {
  en: 'Signing is temporarily unavailable',
  fr: 'La signature est temporairement indisponible',
}

export const PLAIN_PAGES = {
  notFound: {
    status: 404,
    title: { en: 'Page not found', fr: 'Page introuvable' },
    text: {
      en: 'There is nothing at this address. Open the link in your email again, and check that it is complete.',
      fr: 'Il n’y a rien à cette adresse. Ouvrez de nouveau le lien dans votre courriel et vérifiez qu’il est complet.',
    },
  },
  unreadable: {
    status: 400,
    title: { en: 'We could not read the form', fr: 'Nous n’avons pas pu lire le formulaire' },
    text: { en: 'Go back and send it again.', fr: 'Revenez en arrière et envoyez-le de nouveau.' },
  },
  tooLarge: {
    status: 413,
    title: { en: 'The form is too large', fr: 'Le formulaire est trop volumineux' },
    text: {
      en: 'Go back, shorten your text and send it again.',
      fr: 'Revenez en arrière, raccourcissez votre texte et envoyez-le de nouveau.',
    },
  },
  /** More forms from one client than a minute allows. */
  tooMany: {
    status: 429,
    title: { en: 'Too many forms in one minute', fr: 'Trop de formulaires en une minute' },
    text: {
      en: 'Your network sent many forms in the last minute, so we did not accept this one. Wait a minute, then reload this page. Your browser offers to send the form again, as you filled it in.',
      fr: 'Votre réseau a envoyé beaucoup de formulaires dans la dernière minute. Nous n’avons donc pas accepté celui-ci. Attendez une minute, puis rechargez cette page. Votre navigateur propose de renvoyer le formulaire tel que vous l’avez rempli.',
    },
  },
  /** More checks of files by one client than a minute allows. [D68] */
  tooManyChecks: {
    status: 429,
    title: { en: 'Too many checks in one minute', fr: 'Trop de vérifications en une minute' },
    text: {
      en: 'Your network sent many documents to check in the last minute, so we did not check this one. Wait a minute, then reload this page. Your browser offers to send the document again.',
      fr: 'Votre réseau a envoyé beaucoup de documents à vérifier dans la dernière minute. Nous n’avons donc pas vérifié celui-ci. Attendez une minute, puis rechargez cette page. Votre navigateur propose de renvoyer le document.',
    },
  },
  /** As many forms are in progress as we handle at a time. */
  busy: {
    status: 503,
    title: { en: 'We are busy. Try again in a moment', fr: 'Nous sommes très occupés. Réessayez dans un instant' },
    text: {
      en: 'Many people are sending forms right now, so we did not accept yours. Wait a few seconds, then reload this page. Your browser offers to send the form again, as you filled it in.',
      fr: 'Beaucoup de gens envoient des formulaires en ce moment. Nous n’avons donc pas accepté le vôtre. Attendez quelques secondes, puis rechargez cette page. Votre navigateur propose de renvoyer le formulaire tel que vous l’avez rempli.',
    },
  },
  signingUnavailable: {
    status: 503,
    title: SIGNING_UNAVAILABLE,
    text: {
      en: 'We cannot show this page right now. Open the link again in a minute. If you sent a form, you may have to send it again.',
      fr: 'Nous ne pouvons pas afficher cette page pour le moment. Ouvrez de nouveau le lien dans une minute. Si vous avez envoyé un formulaire, il faudra peut-être le renvoyer.',
    },
  },
  /** The signing service became unavailable while a signature was submitted. [D41] */
  signatureUnknown: {
    status: 503,
    title: SIGNING_UNAVAILABLE,
    text: {
      en: 'We do not know yet whether your signature was recorded. Open the link again in a minute to find out.',
      fr: 'Nous ne savons pas encore si votre signature a été enregistrée. Ouvrez de nouveau le lien dans une minute pour le savoir.',
    },
  },
  /** The reference needs the contract service's part of the OpenAPI document. */
  referenceAway: {
    status: 503,
    title: {
      en: 'The documentation is temporarily unavailable',
      fr: 'La documentation est temporairement indisponible',
    },
    text: { en: 'Reload this page in a few seconds.', fr: 'Rechargez cette page dans quelques secondes.' },
  },
} as const satisfies Record<string, { status: number; title: Translated; text: Translated }>

export type PlainPage = keyof typeof PLAIN_PAGES
